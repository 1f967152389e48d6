import { parentPort, workerData } from 'node:worker_threads'
import { writeTurnAt } from '../../../server/store/changes/write-turns.ts'
import type { WritePlace } from '../../../server/store/changes/write-turns.ts'

/** Requests a turn, and then does other work before the notification of its turn can arrive. */
const { place, busyMs } = workerData as { place: WritePlace, busyMs: number }
void writeTurnAt(place)(async () => parentPort!.postMessage('written'))
setImmediate(() => {
  const end = performance.now() + busyMs
  while (performance.now() < end);
  parentPort!.postMessage('other work done')
})
