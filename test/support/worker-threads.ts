import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { newThreads } from '../../server/intake/worker-threads.ts'
import type { WorkerThreads } from '../../server/intake/worker-threads.ts'
import { serverBuild } from './server-build.ts'

/** The threads that servers of this process have finished, by script, role and limits. */
const finished = new Map<string, Set<Worker>>()
const setOf = new WeakMap<Worker, Set<Worker>>()

/**
 * Threads as a server starts them outside of tests.
 * @returns `opened` waits until all of `workers` have opened the database; `kill` waits likewise, and ends them as a crash does
 */
export async function ownThreads(): Promise<WorkerThreads & { workers: Worker[], opened(): Promise<void>, kill(): Promise<void> }> {
  const workers: Worker[] = []
  const opening: Promise<unknown>[] = []
  const { start, finish } = newThreads((await serverBuild()).threadScripts)
  const opened = async () => {
    for (const done of opening) await done // also of those that start meanwhile
  }
  return {
    workers, opened, finish,
    async kill() {
      await opened()
      await Promise.all(workers.map((worker) => worker.terminate()))
    },
    start(script, role, resourceLimits) {
      const worker = start(script, role, resourceLimits)
      workers.push(worker)
      opening.push(once(worker, 'message'))
      return worker
    },
  }
}

/** Threads of which each works for one server after another: to start one takes 80 to 250 ms of processor time. */
export async function reusedThreads(): Promise<WorkerThreads> {
  const { threadScripts } = await serverBuild()
  const started = newThreads(threadScripts)
  return {
    start(script, role, resourceLimits) {
      const name = JSON.stringify([script, role, resourceLimits])
      const same = finished.get(name) ?? new Set()
      finished.set(name, same)
      const [worker = started.start(script, role, resourceLimits)] = same
      same.delete(worker)
      setOf.set(worker, same)
      return worker
    },
    async finish(worker) {
      worker.removeAllListeners('error').removeAllListeners('exit')
      worker.once('exit', () => setOf.get(worker)!.delete(worker))
      worker.unref()
      setOf.get(worker)!.add(worker)
    },
  }
}
