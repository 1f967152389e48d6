import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Target } from './scenario.ts'

/** A child process that answers each message with one message. */
export interface Child extends AsyncDisposable {
  /** @throws Error when the process ends first */
  ask<T>(message: unknown): Promise<T>
  /** Whether the process has ended. */
  readonly hasEnded: boolean
}

/** @param script a file beside this one, or its URL */
export function startChild(script: string | URL, args: string[]): Child {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args)
  const ended = once(child, 'exit')
  return {
    ask: (message) => new Promise((resolve, reject) => {
      child.once('message', resolve as (answer: unknown) => void)
      void ended.then(() => reject(new Error(`${String(script)} has ended`)))
      child.send(message as object, (error) => { if (error) reject(error) })
    }),
    get hasEnded() {
      return isOver(child)
    },
    async [Symbol.asyncDispose]() {
      if (!isOver(child)) child.kill('SIGKILL')
      await ended
    },
  }
}

export const isOver = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

export const startProbe = (target: Target, isConnectingAnew = false): Child =>
  startChild('./probe.ts', [JSON.stringify(target), String(isConnectingAnew)])
