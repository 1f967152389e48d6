import type { EventEmitter } from 'node:events'
import type { Kysely } from 'kysely'
import { pause } from '../../deadline.ts'
import { storageFull } from '../../errors.ts'
import type { Schema } from '../schema/schema.ts'
import type { Engine } from '../engine.ts'
import { openGroupEnd } from './group-end.ts'
import type { Tx } from './queries.ts'
import type { WriteTurn } from './write-turns.ts'

export type Work<T> = (tx: Tx) => Promise<T>

export interface CommitOptions {
  /** Whether it may use the reserved disk space: it removes rows, or finishes accepted work. */
  usesReserve?: boolean
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

const maxGroupSize = 128
/** Maximum time of the changes of one commit, which delay all other changes. */
const maxGroupMs = 10
/** Maximum wait for the write lock of another thread or process, and the delay between two attempts. */
const maxBusyMs = 10_000
const busyRetryMs = 1

/**
 * Opens the function that runs changes, each as if in a transaction of its own. Changes that arrive during a commit share the next
 * one, so one fsync serves them all. When a change of a group fails, the group is rolled back and each change runs alone: without
 * failures that costs nothing, while savepoints would.
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
  const takeChange = () => {
    begun ??= performance.now()
    if (group.length >= maxGroupSize || performance.now() - begun > maxGroupMs) return undefined
    const change = waiting.shift()
    if (change) group.push(change)
    return change
  }
  if (isLow(writer)) {
    for (const change of waiting.splice(0)) {
      if (change.usesReserve) waiting.push(change)
      else change.reject(diskFullError())
    }
    if (waiting.length === 0) return
  }
  // once a change has run, the transaction is not repeated as a whole: each change is, below
  const run = () => commitAll(writer, takeChange)
  await whenFree(writer.engine, run, () => group.length === 0).then((tellAll) => tellAll(), async (error: unknown) => {
    if (group.length === 0) group.push(...waiting.splice(0)) // the transaction did not begin
    const hasMoreRoom = writer.engine.isFull(error) && writer.engine.reserve.release()
    if (group.length === 1 && !hasMoreRoom && !writer.engine.isBusy(error)) return group[0]!.reject(writer.engine.toAppError(error))
    for (const change of group) await commitAlone(writer, change)
  })
}

async function commitAlone(writer: Writer, change: Change): Promise<void> {
  if (!change.usesReserve && isLow(writer)) return change.reject(diskFullError())
  await whenFree(writer.engine, () => commitAll(writer, takeOnce(change)))
    .then((tell) => tell(), (error: unknown) => change.reject(writer.engine.toAppError(error)))
}

function takeOnce(change: Change): () => Change | undefined {
  const changes = [change]
  return () => changes.pop()
}

/** Runs changes in one transaction. @returns resolves their promises, and announces their topics */
async function commitAll(writer: Writer, takeChange: () => Change | undefined): Promise<() => void> {
  const outcomes: (() => void)[] = []
  const topics = new Set<string>()
  const { engine, newId } = writer
  const { execute } = engine.writer
  await writer.turn(() => writer.sql.transaction().execute(async (sql) => {
    const end = openGroupEnd()
    const announce = (topic: string) => { topics.add(topic) }
    for (let change = takeChange(); change; change = takeChange()) {
      const { work, resolve } = change
      const tx: Tx = { sql, execute, engine, now: writer.now(), newId, announce, atEnd: end.add }
      const result = await work(tx)
      outcomes.push(() => resolve(result))
    }
    await end.write({ sql, execute, engine })
  }))
  return () => {
    for (const tell of outcomes) tell()
    if (topics.size > 0) writer.commits.emit('committed', topics)
  }
}

/**
 * Runs a transaction, again while another one holds its locks. The event loop is free meanwhile.
 * @param mayRepeat whether it may run again after a failure
 */
export async function whenFree<T>(engine: Engine, run: () => Promise<T>, mayRepeat = () => true): Promise<T> {
  const deadline = performance.now() + maxBusyMs
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!engine.isBusy(error) || !mayRepeat() || performance.now() > deadline) throw error
      await pause(busyRetryMs)
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
