import { hourMs } from '../../clock.ts'
import { errorRetryDelaysMs, sourceRetryDelaysMs } from '../../domain/retry-delays.ts'
import { areSourcesUnavailable } from '../../errors.ts'
import { inTransaction, withReserve } from '../../store/database.ts'
import { enqueue, enqueueOnce, lastDue } from '../../store/jobs/jobs.ts'
import { forgetSegments, takeEmptySegments } from '../../store/mail/source-segments.ts'
import type { Task } from '../run-job.ts'

/** Objects that one job removes. */
const maxSegments = 50
/** A segment that is written for longer was left by a node that died: the limit of time of its object is a part of that. */
const maxWritingMs = hourMs

/** Removes the objects of segments without mails from the store. A segment is marked before, and forgotten after that. */
export const removeSegments: Task<'remove-segments'> = {
  maxPerLane: 1,
  errorRetryDelaysMs: errorRetryDelaysMs.soon,
  async run({ db }) {
    const store = db.engine.sources
    if (!store) return async () => {} // the setting is gone
    const segments = await inTransaction(withReserve(db), (tx) =>
      takeEmptySegments(tx, { begunBefore: tx.now - maxWritingMs, limit: maxSegments }))
    try {
      await store.remove(segments.map(({ name }) => name))
    } catch (error) {
      if (!areSourcesUnavailable(error)) throw error // that is logged where the store is opened
      return async (tx) => {
        if (await lastDue(tx, 'remove-segments', []) !== null) return // each segment that has become empty has added one
        await enqueue(tx, 'remove-segments', {}, { runAt: tx.now + sourceRetryDelaysMs.at(-1)! })
      }
    }
    return async (tx) => {
      await forgetSegments(tx, segments)
      if (segments.length === maxSegments) await enqueueOnce(tx, 'remove-segments')
    }
  },
}
