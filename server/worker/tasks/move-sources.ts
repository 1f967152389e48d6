import { randomBytes } from 'node:crypto'
import { minuteMs, secondMs, timestamp } from '../../clock.ts'
import type { App } from '../../context.ts'
import { errorRetryDelaysMs, sourceRetryDelaysMs } from '../../domain/retry-delays.ts'
import { planNextMove } from '../../domain/source-moves.ts'
import { isUnavailable } from '../../errors.ts'
import { idBoundary, timeOfId } from '../../ids.ts'
import { inTransaction, withReserve } from '../../store/database.ts'
import type { Tx } from '../../store/database.ts'
import { confirmClaim } from '../../store/jobs/claims.ts'
import type { Claim } from '../../store/jobs/claims.ts'
import type { MoveState } from '../../store/jobs/job-payloads.ts'
import { enqueueOnce } from '../../store/jobs/jobs.ts'
import { hasPlaces } from '../../store/mail/source-places.ts'
import { countChunked, endSegment, findMovable, insertSegment, placeSources } from '../../store/mail/source-segments.ts'
import type { MovableMail, PlacedSource } from '../../store/mail/source-segments.ts'
import { encryptedBytes, keyBytes } from '../../store/sources/cipher.ts'
import type { SourceStore } from '../../store/sources/source-store.ts'
import type { Task } from '../run-job.ts'
import { encryptSources } from './encrypted-sources.ts'

type Counted = Required<MoveState>['waiting']

/** Interval in which waiting sources are counted again while full segments are moved. */
const recountMs = 10 * secondMs
/** Time in which mail is gathered for a segment. */
const gatherMs = 2 * secondMs
/** Mails that one transaction has in their segment, so that it does not delay other changes for long. */
const mailsAtOnce = 200
/** Mail that is published later than the mail after it is found within this time at once, else when all ids are examined. */
const maxLateMs = 2 * minuteMs
const examineAllMs = 10 * minuteMs

/**
 * Moves the sources of published mail from the database to the store, many in one object: a segment. Each step plans the next one. A mail
 * has its place in the transaction that removes its chunks, after its segment is durable, so a crash loses nothing.
 */
export const moveSources: Task<'move-sources'> = {
  maxPerLane: 1,
  errorRetryDelaysMs: errorRetryDelaysMs.soon,
  async run(app, state, job) {
    const store = app.db.engine.sources
    // the setting is gone, or is that of other nodes alone
    if (!store) return await hasPlaces(app.db) ? (tx) => planNextMove(tx, state, minuteMs) : async () => {}
    const now = app.db.now()
    const isAll = now - (state.examinedAllAt ?? 0) > examineAllMs
    const { mails, isFull } = await findMovable(app.db, isAll ? '' : state.after ?? '')
    const waiting = await countWaiting(app, state, now)
    try {
      const end = mails.length > 0 ? await moveAll(app, store, mails, job) : async () => {}
      const next: MoveState = {
        after: idBoundary((isFull ? timeOfId(mails.at(-1)!.id) : now) - maxLateMs),
        examinedAllAt: isAll ? now : state.examinedAllAt!,
        waiting: isFull ? without(mails, waiting) : { mails: 0, bytes: 0, after: idBoundary(now - secondMs), countedAt: now },
      }
      return async (tx) => {
        await end(tx)
        if (isAll) await enqueueOnce(tx, 'remove-segments') // those of nodes that died
        await planNextMove(tx, next, isFull ? 0 : gatherMs)
      }
    } catch (error) {
      if (!isUnavailable('sources', error)) throw error // that is logged where the store is opened
      const { failures = 0 } = state
      const delayMs = sourceRetryDelaysMs[Math.min(failures, sourceRetryDelaysMs.length - 1)]!
      return (tx) => planNextMove(tx, { ...state, waiting, failures: failures + 1 }, delayMs)
    }
  },
}

/**
 * Counts those that came after the last step that left none, or after the first one: with much old mail, all new mail would be refused.
 * A mail that is published a second late is not counted.
 */
async function countWaiting({ db }: App, { waiting, failures }: MoveState, now: number): Promise<Counted> {
  const before = idBoundary(now - secondMs)
  const { after, countedAt } = waiting ?? { after: before, countedAt: -Infinity }
  if (waiting && !failures && now - countedAt < recountMs) return waiting
  return { ...await countChunked(db, { after, before }), after, countedAt: now }
}

/** Mails that have come since they were counted are subtracted too, until they are counted again. */
function without(moved: MovableMail[], { mails, bytes, ...range }: Counted): Counted {
  const counted = moved.filter(({ id }) => id > range.after)
  const left = counted.reduce((sum, { size }) => sum - size, bytes)
  return { mails: Math.max(0, mails - counted.length), bytes: Math.max(0, left), ...range }
}

/** @returns the end of the move, for the transaction that completes the job @throws UnavailableError, ClaimLost, SegmentLost */
async function moveAll({ db, closing }: App, store: SourceStore, mails: MovableMail[], claim: Claim): Promise<(tx: Tx) => Promise<void>> {
  const finishing = withReserve(db)
  const name = `${timestamp(db.now()).slice(0, 10)}/${db.newId()}`
  const segment = await inTransaction(finishing, async (tx) => {
    await confirmClaim(tx, claim)
    return insertSegment(tx, name)
  })
  const keys = randomBytes(mails.length * keyBytes)
  let bytes = 0
  const sources = mails.map(({ id, size }, i): PlacedSource & MovableMail =>
    ({ id, size, start: (bytes += encryptedBytes(size)) - encryptedBytes(size), key: keys.subarray(i * keyBytes, (i + 1) * keyBytes) }))
  const incomplete = new Set<string>()
  await store.put(name, { bytes, pieces: encryptSources(db, sources, incomplete) }, closing)
  const complete = sources.filter(({ id }) => !incomplete.has(id))
  for (; complete.length > mailsAtOnce;) {
    const some = complete.splice(0, mailsAtOnce)
    await inTransaction(finishing, async (tx) => {
      await confirmClaim(tx, claim)
      await placeSources(tx, segment, some)
    })
  }
  return async (tx) => {
    await placeSources(tx, segment, complete)
    await endSegment(tx, segment)
  }
}
