import type { EventEmitter } from 'node:events'
import type { Kysely } from 'kysely'
import { pause } from '../../deadline.ts'
import { storageFull } from '../../errors.ts'
import type { Engine, Tx } from '../engine.ts'
import type { Schema } from '../schema/schema.ts'
import { settleOrThrow, openGroupEnd } from './group-end.ts'
import type { WriteTurn } from './write-turns.ts'

export type Work<T> = (tx: Tx) => Promise<T>

export interface CommitOptions {
  /** Whether it may use the reserved disk space: it removes rows, or finishes accepted work. */
  usesReserve?: boolean
  /**
   * Whether it may run at the same time as others of its kind, in one transaction: it decides nothing by rows that they write. With an
   * engine that pipelines, their statements share round trips.
   */
  mayInterleave?: boolean
}

interface Change extends CommitOptions {
  work: Work<unknown>
  resolve(result: unknown): void
  reject(error: unknown): void
}

export interface Commits {
  /** With the topics that the transactions of a commit announced; of another node, or of this one. */
  committed: [topics: Set<string>, isOfOtherNode?: boolean]
}

export interface Writer {
  sql: Kysely<Schema>
  engine: Engine
  now(): number
  newId(): string
  commits: EventEmitter<Commits>
  turn: WriteTurn
}

export const maxGroupSize = 128
/** Maximum time of the changes of one commit, which delay all other changes. */
export const maxGroupMs = 10
/**
 * Maximum time in which a transaction is repeated while another one has the lock, or the database server is not there. Shorter than the
 * time after which a thread without a result is replaced (`intakeLimits`): callers get an error.
 */
const maxRepeatMs = 8_000

/**
 * Opens the function that runs changes, each as if in a transaction of its own. Changes that arrive during a commit share the next
 * one, so one fsync serves them all. When a change of a group fails, the group is rolled back and each change runs alone: without
 * failures that costs nothing, while savepoints would (docs/decisions/0014).
 */
export function groupCommits(writer: Writer): <T>(work: Work<T>, options?: CommitOptions) => Promise<T> {
  const waiting: Change[] = []
  let isRunning = false

  async function commitWaiting() {
    isRunning = true
    await new Promise(setImmediate) // includes the changes of this turn of the event loop
    while (waiting.length > 0) {
      await commit(writer, waiting)
      if (waiting.length > 0) await new Promise(setImmediate) // lets other work of the thread run between two commits
    }
    isRunning = false
  }

  return (work, options) => new Promise((resolve, reject) => {
    waiting.push({ ...options, work, resolve, reject })
    if (!isRunning) void commitWaiting()
  })
}

/** Commits the first changes of the queue, up to `maxGroupSize` and `maxGroupMs`. */
async function commit(writer: Writer, waiting: Change[]): Promise<void> {
  const group: Change[] = []
  let begun: number | undefined
  const takeChanges = () => {
    begun ??= performance.now()
    const isFull = performance.now() - begun > maxGroupMs
    const room = isFull ? 0 : maxGroupSize - group.length
    const taken = waiting.splice(0, Math.min(room, numberOfNext(writer.engine, waiting)))
    group.push(...taken)
    return taken
  }
  if (isLow(writer)) {
    for (const change of waiting.splice(0)) {
      if (change.usesReserve) waiting.push(change)
      else change.reject(diskFullError())
    }
    if (waiting.length === 0) return
  }
  // once a change has run, the transaction is not repeated as a whole: each change is, below
  const run = () => commitAll(writer, takeChanges)
  const deadline = performance.now() + maxRepeatMs
  const mayRepeat = () => group.length === 0
  await whenFree(writer.engine, run, { mayRepeat, deadline }).then((tellAll) => tellAll(), async (error: unknown) => {
    if (group.length === 0) group.push(...waiting.splice(0)) // the transaction did not begin
    const hasMoreRoom = writer.engine.isFull(error) && writer.engine.reserve.release()
    if (error instanceof OutcomeUnknown || group.length === 1 && !hasMoreRoom && writer.engine.retryAfterMs(error) === undefined) {
      for (const { reject } of group) reject(writer.engine.toAppError(error))
      return
    }
    await commitEach(writer, group, deadline)
  })
}

/** Commits changes one after the other. Without the database server all fail at the deadline, in milliseconds of `performance.now()`. */
async function commitEach(writer: Writer, changes: Change[], deadline: number): Promise<void> {
  const { engine } = writer
  let lost: unknown
  for (const change of changes) {
    if (lost) {
      change.reject(lost)
    } else if (!change.usesReserve && isLow(writer)) {
      change.reject(diskFullError())
    } else {
      await whenFree(engine, () => commitAll(writer, takeOnce(change)), { deadline }).then((tell) => tell(), (error: unknown) => {
        if (engine.retryAfterMs(error) !== undefined) lost = engine.toAppError(error)
        change.reject(engine.toAppError(error))
      })
    }
  }
}

/** How many of the waiting changes may run at the same time, from the first one on. */
function numberOfNext(engine: Engine, waiting: Change[]): number {
  if (!engine.pipelines || !waiting[0]?.mayInterleave) return 1
  const other = waiting.findIndex(({ mayInterleave }) => !mayInterleave)
  return other === -1 ? waiting.length : other
}

function takeOnce(change: Change): () => Change[] {
  const changes = [change]
  return () => changes.splice(0)
}

/** Runs changes in one transaction. @returns resolves their promises, and announces their topics */
async function commitAll(writer: Writer, takeChanges: () => Change[]): Promise<() => void> {
  const outcomes: (() => void)[] = []
  const topics = new Set<string>()
  const { engine, newId } = writer
  const { execute } = engine.writer
  let ended: Promise<unknown> = Promise.resolve()
  await writer.turn(() => writer.sql.transaction().execute(async (sql) => {
    const end = openGroupEnd()
    const announce = (topic: string) => { topics.add(topic) }
    const run = async ({ work, resolve }: Change) => {
      const tx: Tx = { sql, execute, engine, now: writer.now(), newId, announce, atEnd: end.add }
      const result = await work(tx)
      outcomes.push(() => resolve(result))
    }
    for (let changes = takeChanges(); changes.length > 0; changes = takeChanges()) {
      if (changes.length === 1) await run(changes[0]!)
      else await settleOrThrow(changes.map(run))
    }
    ended = (await end.send({ sql, execute, engine })).executed
    ended.catch(() => {}) // the commit fails too
    if (!engine.pipelines) await ended
  })).catch(async (error: unknown) => {
    await ended // the error of the statement is the cause
    throw error
  })
  return () => {
    for (const tell of outcomes) tell()
    if (topics.size > 0) writer.commits.emit('committed', topics)
  }
}

interface Repetition {
  /** Whether it may run again at all. */
  mayRepeat?: () => boolean
  /** In milliseconds of `performance.now()`. */
  deadline?: number
}

/** Runs a transaction, again after failures that let it. The event loop is free meanwhile. */
export async function whenFree<T>(
  engine: Engine, run: () => Promise<T>, { mayRepeat = () => true, deadline = performance.now() + maxRepeatMs }: Repetition = {},
): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      const delayMs = engine.retryAfterMs(error)
      if (delayMs === undefined || !mayRepeat() || performance.now() > deadline) throw error
      await pause(delayMs)
    }
  }
}

function isLow({ engine }: Writer): boolean {
  try {
    return engine.reserve.isLow()
  } catch {
    return false // the free space cannot be read: a write without room fails by itself
  }
}

const diskFullError = () => storageFull('The disk of this server is full. Try again later.')

/** Commits are frequent when this many came within this time. */
const manyCommits = 4
const commitsWithinMs = 50

export interface CommitRate {
  recordCommit(): void
  isHigh(): boolean
}

/** Tells whether commits are frequent: the server then is under load. */
export function openCommitRate(): CommitRate {
  const commits = Array<number>(manyCommits).fill(-Infinity)
  return {
    recordCommit() {
      commits.shift()
      commits.push(performance.now())
    },
    isHigh: () => performance.now() - commits[0]! < commitsWithinMs,
  }
}

/** It is not known whether a transaction was committed: it must not run again. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
