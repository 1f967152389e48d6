import { readFileSync } from 'node:fs'

const file = new URL('../../packaging/Dockerfile', import.meta.url)

/** The parts of the Dockerfile. */
export interface Container {
  /** By the processor as Docker names it: the files of the checkout that are copied, the program first. */
  files: Record<string, string[]>
  /** The path of the program in the container. */
  target: string
  entrypoint: string[]
  command: string[]
  health: string[]
  healthOptions: Record<string, string>
  variables: Record<string, string>
  volumes: string[]
  ports: string[]
}

/** Reads the Dockerfile. No Docker is needed. */
export function readDockerfile(): Container {
  const stages = readFileSync(file, 'utf8').replaceAll(/^#.*\n/gm, '').split(/^(?=FROM )/m)
  const lines = (stage: string, instruction: string) => [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest]) => rest!)
  const executables = stages.map((stage) => [/ AS executable-(\w+)\n/.exec(stage)?.[1], lines(stage, 'COPY')] as const).filter(([processor]) => processor)
  const all = (instruction: string) => lines(stages.at(-1)!, instruction)
  const one = (instruction: string) => all(instruction)[0]!
  const [, options, health] = /^(.*) CMD (\[.*\])$/.exec(one('HEALTHCHECK'))!
  return {
    files: Object.fromEntries(executables.map(([processor, copies]) => [processor, copies.flatMap((copy) => copy.split(' ').slice(0, -1))])),
    target: all('COPY').map((line) => line.split(' ')).find((words) => words.includes('/mayfly'))!.at(-1)!,
    entrypoint: JSON.parse(one('ENTRYPOINT')),
    command: JSON.parse(one('CMD')),
    health: JSON.parse(health!),
    healthOptions: Object.fromEntries([...options!.matchAll(/--([\w-]+)=(\S+)/g)].map(([, option, value]) => [option!.replace('-', '_'), value!])),
    variables: Object.fromEntries(one('ENV').split(' ').map((pair) => pair.split('=') as [string, string])),
    volumes: all('VOLUME'),
    ports: one('EXPOSE').split(' '),
  }
}
