import os from 'node:os'
import { Worker } from 'node:worker_threads'
import type { MessagePort, ResourceLimits } from 'node:worker_threads'
import type { Config } from '../config/config.ts'
import type { ErrorCode } from '../contract/types.gen.ts'
import { waitAtMost } from '../deadline.ts'
import { isExecutable, readProgramFile } from '../program-file.ts'
import type { WritePlace } from '../store/changes/write-turns.ts'
import type { CommitWait } from '../store/shared-database.ts'

/** Time after which a thread that does not exit is terminated. */
const exitTimeoutMs = 1_000

export type ThreadScript = 'mail-thread' | 'background-thread'

/** The `workerData` of a thread. */
export interface ThreadRole {
  /** Set for a thread for whose mail SMTP clients wait: it has the priority of the main thread, and goes before others that write. */
  isUrgent: boolean
}

/** Where the threads of a server come from. */
export interface WorkerThreads {
  start(script: ThreadScript, role: ThreadRole, resourceLimits: ResourceLimits): Worker
  /** Called when a thread has ended its work, and has nothing open. */
  finish(worker: Worker): Promise<unknown>
}

/** Starts a thread for each use. @param scripts folder of the scripts as JavaScript; this one by default */
export const newThreads = (scripts?: URL): WorkerThreads => ({
  start(script, role, resourceLimits) {
    const { filename, ...form } = scriptOf(script, scripts)
    return new Worker(filename, { ...form, name: script, resourceLimits, workerData: role })
  },
  async finish(worker) {
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('exit')
    await waitAtMost(exitTimeoutMs, exited)
    await worker.terminate()
  },
})

/** The script of a thread: its URL, or in the executable its code. */
function scriptOf(script: ThreadScript, scripts: URL | undefined): { filename: string | URL, eval: boolean } {
  if (isExecutable) return { filename: readProgramFile(new URL(`${script}.js`, import.meta.url)), eval: true }
  if (scripts) return { filename: new URL(`${script}.js`, scripts), eval: false }
  return { filename: new URL(`./${script}.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url), eval: false }
}

/**
 * Gives the main thread, which answers HTTP and SMTP, precedence over the calling thread.
 * @param niceness with 5 this thread gets a third of the main thread's share of a busy CPU, with 10 a tenth
 */
export function lowerPriority(niceness: number): void {
  // On Linux, 0 means the calling thread, not the process.
  if (process.platform !== 'linux') return
  try {
    os.setPriority(0, niceness)
  } catch {
    // some containers forbid it; the thread then runs with normal priority
  }
}

/** Results that a thread reports, by message id, after they are committed or have failed. */
export interface Receipt {
  stored: string[]
  /** Results other than stored mail. */
  results: { id: string, result: unknown }[]
  failed: { id: string, code: ErrorCode | null, isClaimLost: boolean, isAway: boolean, isHeld: boolean, error: string }[]
  /** Topics that its transactions announced. */
  topics: string[]
  /** Parse times of mails. */
  parseTimesMs: number[]
  /** Of its transactions; undefined where the database is a file. */
  commitWaits?: CommitWait[]
}

/** A thread's part of the configuration. */
export type ThreadSettings = Pick<Config, 'database' | 'dnsServers' | 'mxHost' | 'signingKey' | 'sources'>

export interface ThreadData extends ThreadSettings {
  writePlace: WritePlace
  /** The memory of `shared-sources`. */
  sharedSources: SharedArrayBuffer
}

/** The message that assigns a server to a thread. All further messages of that server go through the port. */
export interface ThreadStart {
  data: ThreadData
  port: MessagePort
}
