import { ConfigError } from '../config/config-file.ts'
import type { App } from '../context.ts'
import { tooManySourcesWait } from '../errors.ts'
import type { Database, Tx } from '../store/database.ts'
import type { MoveState, WaitingSources } from '../store/jobs/job-payloads.ts'
import { enqueue, waitingPayloads } from '../store/jobs/jobs.ts'
import { hasPlaces } from '../store/mail/source-places.ts'

/** A step plans the next one before it ends: a start of another node would not see it. */
const moveLock = 'move-sources'

/** Plans the first move, if the database has a store of sources, and none is planned. */
export async function planMoves(tx: Tx): Promise<void> {
  if (!tx.engine.sources) return
  await tx.engine.locks.lockName(tx, moveLock)
  if ((await waitingPayloads(tx, 'move-sources')).length === 0) await enqueue(tx, 'move-sources', {})
}

/** Plans the next move in the transaction that ends one, so there is always exactly one job. */
export async function planNextMove(tx: Tx, state: MoveState, delayMs: number): Promise<void> {
  await tx.engine.locks.lockName(tx, moveLock)
  await enqueue(tx, 'move-sources', state, { runAt: tx.now + delayMs })
}

/** @throws ConfigError without a store where sources have left the database */
export async function refuseWithoutSources(db: Database): Promise<void> {
  if (!db.engine.shared || db.engine.sources || !await hasPlaces(db)) return
  throw new ConfigError('MAYFLY_SOURCES: is needed, since sources of mail of this database are in a store. Name the same one as before, or as the other nodes.')
}

/** Time for which the sum of waiting sources is cached, so that it is not read for every mail. */
const cacheMs = 1_000

/** @returns reads what waits, as of the last step of the job that moves sources: a few seconds late */
export function openWaitingSources(db: Database): () => Promise<WaitingSources> {
  let readAt = -Infinity
  let last: Promise<WaitingSources> | undefined
  return () => {
    if (last && performance.now() - readAt < cacheMs) return last
    readAt = performance.now()
    const read = waitingPayloads(db, 'move-sources').then(([state]) => state?.waiting ?? { mails: 0, bytes: 0 })
    read.catch(() => { if (last === read) last = undefined })
    return last = read
  }
}

/** @throws MailRefusedError when more sources wait than `MAYFLY_SOURCES_MAX_WAITING_BYTES` */
export async function refuseWhenSourcesWait(app: Pick<App, 'config' | 'db' | 'waitingSources'>): Promise<void> {
  if (await haveTooManySources(app)) throw tooManySourcesWait()
}

export async function haveTooManySources({ config, db, waitingSources }: Pick<App, 'config' | 'db' | 'waitingSources'>): Promise<boolean> {
  return db.engine.sources !== null && (await waitingSources()).bytes > config.maxWaitingSourceBytes
}
