import type { Logger } from 'pino'
import type { Database } from '../store/database.ts'
import type { CheckpointRequest } from './chunk-thread.ts'
import type { Thread } from './thread.ts'

/** Milliseconds between two looks at the log of the database. */
const lookMs = 100

/**
 * Has a thread move what was committed from the log of the database to its place. One checkpoint takes tens of milliseconds, so it is
 * made where no sender of short mail and no caller of the API waits.
 * @returns what ends it
 */
export function keepCheckpointed(db: Database, thread: Thread, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined
  let checkpoints = 0
  let isWanted = false

  async function checkpoint() {
    const id = `checkpoint ${++checkpoints}`
    const settled = thread.settled(id)
    thread.post({ id } satisfies CheckpointRequest)
    await settled
  }

  const look = () => {
    if (running) return
    isWanted ||= db.engine.isCheckpointDue()
    if (!isWanted) return
    running = checkpoint()
      // a full disk, for example: the log keeps everything, and the next look tries again
      .then(() => { isWanted = false }, (error: unknown) => log.debug({ err: error }, 'the checkpoint has failed'))
      .finally(() => { running = undefined })
  }
  const looking = setInterval(look, lookMs).unref()
  return async () => {
    clearInterval(looking)
    await running
  }
}
