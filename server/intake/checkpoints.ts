import type { Logger } from 'pino'
import type { DatabaseFile } from '../store/engine.ts'
import type { StorageWork } from './storage-thread.ts'
import type { Thread } from './thread.ts'

/** Interval of the checks of the write-ahead log. */
const checkMs = 100

/**
 * Has a thread checkpoint the write-ahead log. A checkpoint takes tens of milliseconds, so it runs in a thread for which neither
 * senders of mail in memory nor callers of the API wait.
 * @returns a function that stops this
 */
export function keepCheckpointed(file: DatabaseFile, thread: Thread, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined
  let checkpoints = 0
  let isDue = false

  async function checkpoint() {
    const id = `checkpoint ${++checkpoints}`
    const settled = thread.settled(id)
    thread.post({ id, kind: 'checkpoint' } satisfies StorageWork & { id: string })
    await settled
  }

  const checkLog = () => {
    if (running) return
    isDue ||= file.isCheckpointDue()
    if (!isDue) return
    running = checkpoint()
      // a full disk can be the reason: no data is lost, and the next check tries again
      .then(() => { isDue = false }, (error: unknown) => log.debug({ err: error }, 'the checkpoint has failed'))
      .finally(() => { running = undefined })
  }
  const checking = setInterval(checkLog, checkMs).unref()
  return async () => {
    clearInterval(checking)
    await running
  }
}
