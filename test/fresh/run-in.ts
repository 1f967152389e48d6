import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

interface Place {
  checkout: string
  home: string
  /** The value of PATH. */
  bin: string
}

export interface Machine extends Place {
  /** Runs a command to its end. @returns its stdout and stderr @throws Error when it fails */
  must(command: string, args: string[]): Promise<string>
  start(command: string, args: string[], variables: Record<string, string>): Service
}

interface Service {
  /** The first line of stdout that matches. */
  line(pattern: RegExp): Promise<RegExpExecArray>
  /** Sends a signal to the whole process group, unless the command has ended, and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<void>
}

/** The first `npm test` downloads the packages for development. */
const maxSeconds = 600

export function runIn(place: Place): Machine {
  const env: Record<string, string> = { HOME: place.home, PATH: place.bin, LANG: 'C.UTF-8' }
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  if (certificates) env['NODE_EXTRA_CA_CERTS'] = certificates

  const run = (command: string, args: string[], variables = {}): { child: ChildProcess, output(): string } => {
    const child = spawn(command, args, { cwd: place.checkout, env: { ...env, ...variables }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { output += String(text) })
    return { child, output: () => output }
  }

  return {
    ...place,
    async must(command, args) {
      const { child, output } = run(command, args)
      const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), maxSeconds * 1000)
      const [code] = await once(child, 'close')
      clearTimeout(timer)
      if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}\n${output().slice(-4000)}`)
      return output()
    },
    start(command, args, variables) {
      const { child, output } = run(command, args, variables)
      const ended = once(child, 'close')
      return {
        line: (pattern) => new Promise((resolve, reject) => {
          const look = () => {
            const found = pattern.exec(output())
            if (found) resolve(found)
          }
          child.stdout!.on('data', look)
          look()
          void ended.then(() => reject(new Error(`${command} ended before it printed ${pattern}\n${output().slice(-4000)}`)))
          setTimeout(() => reject(new Error(`${command} did not print ${pattern} in 30 s\n${output().slice(-4000)}`)), 30_000).unref()
        }),
        async stop(signal) {
          if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, signal)
          await ended
        },
      }
    },
  }
}
