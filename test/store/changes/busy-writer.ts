import { parentPort, workerData } from 'node:worker_threads'
import { writeTurnAt } from '../../../server/store/changes/write-turns.ts'
import type { WritePlace } from '../../../server/store/changes/write-turns.ts'

/** Requests a turn, and would do other work before it is notified of the turn. */
const { place, busyMs } = workerData as { place: WritePlace, busyMs: number }
void writeTurnAt(place)(async () => parentPort!.postMessage('written'))
setImmediate(() => {
  const end = performance.now() + busyMs
  while (performance.now() < end);
  parentPort!.postMessage('other work done')
})
