import type { Worker } from 'node:worker_threads'
import { newThreads } from '../../server/intake/worker-threads.ts'
import type { WorkerThreads } from '../../server/intake/worker-threads.ts'
import { serverBuild } from './server-build.ts'

/** The threads that servers of this process have finished, by script and limits. */
const finished = new Map<string, Worker[]>()
const keys = new WeakMap<Worker, string>()

/** Threads of which each works for one server after another: to start one takes 80 to 250 ms of processor time. */
export async function reusedThreads(): Promise<WorkerThreads> {
  const { threadScripts } = await serverBuild()
  const started = newThreads(threadScripts)
  return {
    start(script, resourceLimits) {
      const key = JSON.stringify([script, resourceLimits])
      const worker = finished.get(key)?.pop() ?? started.start(script, resourceLimits)
      keys.set(worker, key)
      return worker
    },
    finish(worker) {
      worker.removeAllListeners('error')
      worker.unref()
      const key = keys.get(worker)!
      finished.set(key, [...finished.get(key) ?? [], worker])
    },
  }
}
