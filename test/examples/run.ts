import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestApp } from '../support/app.ts'

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

export interface RunningExample extends AsyncDisposable {
  /** Waits for a match in stdout and stderr. @throws Error when the process ends without a match */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves when the process has ended; sends the signal, if given. */
  end(signal?: NodeJS.Signals): Promise<Outcome>
}

/** The file of an example. */
export const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))

/** Runs an example in Node, as the account of a test's server. */
export const runExample = (app: TestApp, name: string, args: string[] = [], env: Record<string, string> = {}) =>
  run(process.execPath, [example(name), ...args], { ...asClient(app), ...env })

export const asClient = (app: TestApp) => ({ MAYFLY_API_KEY: app.key, MAYFLY_BASE_URL: app.url })

/** The variables of the tests that their programs get: without the cache of compiled code, a start of Node takes three times as long. */
export const inherited = Object.fromEntries(['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
  const value = process.env[name]
  return value === undefined ? [] : [[name, value]]
}))

/** Runs a program with these variables, and of the test's own only those above. It leads a process group, which gets the signals. */
export function run(file: string, args: string[], env: Record<string, string>): RunningExample {
  const child = spawn(file, args, { env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  const listeners = new Set<() => void>()
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      outcome[stream] += text
      for (const listener of listeners) listener()
    })
  }
  const ended = once(child, 'close').then(() => ({ ...outcome, code: child.exitCode }))
  const end = (signal?: NodeJS.Signals) => {
    const isRunning = child.exitCode === null && child.signalCode === null
    if (signal && isRunning) process.kill(-child.pid!, signal)
    return ended
  }
  const says = (pattern: RegExp) => new Promise<RegExpExecArray>((resolve, reject) => {
    const listener = () => {
      const found = pattern.exec(outcome.stdout + outcome.stderr)
      if (!found) return
      listeners.delete(listener)
      resolve(found)
    }
    listeners.add(listener)
    listener()
    void ended.then(() => reject(new Error(`it ended without ${pattern}: ${outcome.stdout}${outcome.stderr}`)))
  })
  return { says, end, [Symbol.asyncDispose]: async () => void await end('SIGKILL') }
}
