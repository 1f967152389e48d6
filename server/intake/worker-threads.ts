import { Worker } from 'node:worker_threads'
import type { ResourceLimits } from 'node:worker_threads'
import { waitAtMost } from '../deadline.ts'
import { isExecutable, readProgramFile } from '../program-file.ts'

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
