import { readFileSync } from 'node:fs'

const file = new URL('../../packaging/Dockerfile', import.meta.url)

/** The parts of the Dockerfile's last stage. */
export interface Container {
  /** The file of the checkout that is copied as the program, and its path in the container. */
  source: string
  target: string
  copied: string[]
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
  const text = readFileSync(file, 'utf8').replaceAll(/^#.*\n/gm, '')
  const stage = text.slice(text.lastIndexOf('\nFROM '))
  const all = (instruction: string) => [...stage.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest]) => rest!)
  const one = (instruction: string) => all(instruction)[0]!
  const [, name, fallback] = /^(\w+)=(.*)$/.exec(one('ARG'))!
  const copies = all('COPY').filter((line) => !line.startsWith('--from'))
    .map((line) => line.replaceAll(`\${${name}}`, fallback!).split(' ') as [string, string])
  const [, options, health] = /^(.*) CMD (\[.*\])$/.exec(one('HEALTHCHECK'))!
  return {
    source: copies[0]![0],
    target: copies[0]![1],
    copied: copies.map(([from]) => from),
    entrypoint: JSON.parse(one('ENTRYPOINT')),
    command: JSON.parse(one('CMD')),
    health: JSON.parse(health!),
    healthOptions: Object.fromEntries([...options!.matchAll(/--([\w-]+)=(\S+)/g)].map(([, option, value]) => [option!.replace('-', '_'), value!])),
    variables: Object.fromEntries(one('ENV').split(' ').map((pair) => pair.split('=') as [string, string])),
    volumes: all('VOLUME'),
    ports: one('EXPOSE').split(' '),
  }
}
