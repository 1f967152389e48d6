import { hourMs } from '../../clock.ts'
import { errorRetryDelaysMs, sourceRetryDelaysMs } from '../../domain/retry-delays.ts'
import { isUnavailable } from '../../errors.ts'
import { inTransaction, withReserve } from '../../store/database.ts'
import { enqueue, enqueueOnce, lastDue } from '../../store/jobs/jobs.ts'
import { forgetSegments, postponeSegments, takeEmptySegments } from '../../store/mail/source-segments.ts'
import type { EmptySegment } from '../../store/mail/source-segments.ts'
import type { SourceStore } from '../../store/sources/source-store.ts'
import type { Task } from '../run-job.ts'

/** Objects that one job removes. */
const maxSegments = 50
/** A segment that is written for longer was left by a node that died: the limit of time of its object is a part of that. */
const maxWritingMs = hourMs

/**
 * Removes the objects of segments without mails from the store. A segment is marked before, and forgotten after that. A segment
 * that cannot be removed is taken again after all others.
 */
export const removeSegments: Task<'remove-segments'> = {
  maxPerLane: 1,
  errorRetryDelaysMs: errorRetryDelaysMs.soon,
  async run({ db }) {
    const store = db.engine.sources
    if (!store) return async () => {} // the setting is gone
    const segments = await inTransaction(withReserve(db), (tx) =>
      takeEmptySegments(tx, { begunBefore: tx.now - maxWritingMs, limit: maxSegments }))
    const outcomes = await Promise.all(segments.map(async (segment) => ({ segment, isRemoved: await remove(store, segment) })))
    const removed = outcomes.flatMap(({ segment, isRemoved }) => isRemoved ? [segment] : [])
    const failed = outcomes.flatMap(({ segment, isRemoved }) => isRemoved ? [] : [segment])
    return async (tx) => {
      await forgetSegments(tx, removed)
      await postponeSegments(tx, failed)
      if (segments.length === maxSegments && removed.length > 0) {
        await enqueueOnce(tx, 'remove-segments')
      } else if (failed.length > 0 && await lastDue(tx, 'remove-segments', []) === null) { // each segment that has become empty has added one
        await enqueue(tx, 'remove-segments', {}, { runAt: tx.now + sourceRetryDelaysMs.at(-1)! })
      }
    }
  },
}

/** @returns false when it failed, which is logged where the store is opened */
async function remove(store: SourceStore, { name }: EmptySegment): Promise<boolean> {
  try {
    await store.remove(name)
    return true
  } catch (error) {
    if (!isUnavailable('sources', error)) throw error
    return false
  }
}
