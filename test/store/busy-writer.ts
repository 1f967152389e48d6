import { parentPort, workerData } from 'node:worker_threads'
import { writeTurnAt } from '../../server/store/write-turns.ts'
import type { WritePlace } from '../../server/store/write-turns.ts'

/** Asks for a turn, and has other work to do before it is told of it. */
const { place, busyMs } = workerData as { place: WritePlace, busyMs: number }
void writeTurnAt(place)(async () => parentPort!.postMessage('written'))
setImmediate(() => {
  const end = performance.now() + busyMs
  while (performance.now() < end);
  parentPort!.postMessage('other work done')
})
