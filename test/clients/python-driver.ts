import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sources } from '../python/python.ts'
import type { Driver, Outcome } from './outcome.ts'

const program = fileURLToPath(new URL('driver.py', import.meta.url))

export interface PythonDriver extends AsyncDisposable {
  run: Driver
}

/** Starts the Python SDK in a process of its own, which carries out one case after another. */
export function openPythonDriver(): PythonDriver {
  const child = spawn('python3', ['-X', 'dev', '-W', 'error', program], {
    env: { ...process.env, PYTHONPATH: sources, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const exit = once(child, 'exit')
  const errors = text(child.stderr)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async run(task) {
      child.stdin.write(`${JSON.stringify(task)}\n`)
      const { done, value } = await lines.next()
      if (done) throw new Error(`The driver ended: ${await errors}`)
      return JSON.parse(value) as Outcome
    },
    /** @throws Error when the program failed, or has warnings, as of open sockets */
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      const [code] = await exit as [number | null]
      const warnings = await errors
      if (code !== 0 || warnings !== '') throw new Error(`The driver ended with ${code}: ${warnings}`)
    },
  }
}
