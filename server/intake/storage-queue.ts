import type { Transferable } from 'node:worker_threads'
import { openRotation } from '../rotation.ts'
import type { StorageWork } from './storage-thread.ts'
import type { Thread } from './thread.ts'

/** Maximum requests in the thread at once, which bounds the commits that other threads wait for. */
const maxUnderWay = 2

/**
 * Has the storage thread do some work when the rotation reaches its sender.
 * @returns the result of the work, or true when it has none
 * @throws AppError `STORAGE_FULL`
 */
export type RunInStorage = <Result = true>(sender: string, work: StorageWork, transfer?: Transferable[]) => Promise<Result>

/** Passes the work on long mail to the thread that stores it, senders in rotation. */
export function openStorageQueue(thread: Thread): RunInStorage {
  const waiting = openRotation<() => Promise<void>>()
  let underWay = 0
  let requests = 0

  function startNext() {
    while (underWay < maxUnderWay && waiting.size > 0) {
      underWay++
      void waiting.shift()!().finally(() => {
        underWay--
        startNext()
      })
    }
  }

  async function runInThread<Result>(work: StorageWork, transfer: Transferable[]): Promise<Result> {
    const id = `${work.kind}/${++requests}`
    const settled = thread.settled<Result>(id)
    thread.post({ ...work, id }, transfer)
    const result = await settled
    if (result === false) throw new Error('the thread that stores long mail ended')
    return result
  }

  return (sender, work, transfer = []) => new Promise((resolve, reject) => {
    waiting.push(sender, () => runInThread<never>(work, transfer).then(resolve, reject))
    startNext()
  })
}
