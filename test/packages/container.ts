import { readFileSync } from 'node:fs'

const file = new URL('../../packaging/Dockerfile', import.meta.url)

/** The parts of the Dockerfile. */
export interface Container {
  /** The files of the checkout that the stage before takes, of which `$name` is the system of the executable. */
  files: string[]
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
  const [before, last] = readFileSync(file, 'utf8').replaceAll(/^#.*\n/gm, '').split(/^(?=FROM )/m).slice(-2) as [string, string]
  const lines = (stage: string, instruction: string) => [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest]) => rest!)
  const [, installed] = / \/dist\/\S+ \/program\/(\S+)/.exec(before)!
  const [, prefix] = /^COPY --from=files \/program (\S+)$/m.exec(last)!
  const all = (instruction: string) => lines(last, instruction)
  const one = (instruction: string) => all(instruction)[0]!
  const [, options, health] = /^(.*) CMD (\[.*\])$/.exec(one('HEALTHCHECK'))!
  return {
    files: before.match(/(?<= )\/dist\/mayfly-\$name\S*/g)!,
    target: `${prefix}/${installed}`,
    entrypoint: JSON.parse(one('ENTRYPOINT')),
    command: JSON.parse(one('CMD')),
    health: JSON.parse(health!),
    healthOptions: Object.fromEntries([...options!.matchAll(/--([\w-]+)=(\S+)/g)].map(([, option, value]) => [option!.replace('-', '_'), value!])),
    variables: Object.fromEntries(one('ENV').split(' ').map((pair) => pair.split('=') as [string, string])),
    volumes: all('VOLUME'),
    ports: one('EXPOSE').split(' '),
  }
}
