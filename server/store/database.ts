import { EventEmitter } from 'node:events'
import { statfs } from 'node:fs/promises'
import { Kysely } from 'kysely'
import type { Clock } from '../clock.ts'
import { isDatabaseUrl } from '../config/database-url.ts'
import type { Sources } from '../config/sources-url.ts'
import { idSource } from '../ids.ts'
import { groupCommits, whenFree } from './changes/group-commit.ts'
import type { CommitOptions, Commits, Work, Writer } from './changes/group-commit.ts'
import type { WriteTurn } from './changes/write-turns.ts'
import type { Queries } from './connection.ts'
import type { DatabaseFile, Engine } from './engine.ts'
import { createSqlite } from './engines/sqlite/create.ts'
import { openSqlite } from './engines/sqlite/open.ts'
import { migrate } from './migrate.ts'
import type { MigrateOptions } from './migrate.ts'
import type { Schema } from './schema/schema.ts'
import type { AloneOptions, SharedDatabase } from './shared-database.ts'

export type { Tx } from './engine.ts'

/** Reads what is committed. Changes go through `inTransaction`. */
export interface Database extends Queries, Pick<Writer, 'engine' | 'now' | 'newId' | 'commits'> {
  commit<T>(work: Work<T>, options?: CommitOptions): Promise<T>
  /** The time of the database: that of this process, or of the server that keeps the data for several. */
  clock: Clock
  /** Runs reads in one snapshot. They must not wait for anything else: there is one connection. */
  snapshot<T>(read: (at: Database) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface OpenOptions extends MigrateOptions {
  migrate?: boolean
  sources?: Sources | null
  turn?: WriteTurn
  isMoveTarget?: boolean
}

/**
 * Opens the database and brings its schema up to date. Makes a database that is missing.
 * @param options.migrate false when another thread has brought the schema up to date
 * @param options.sources the store of the sources of mail; null or missing without one
 * @param options.turn waits for this thread's turn to write; needed where several threads of the process write one file
 * @param options.isMoveTarget opens a database of which a move has begun, or begins
 * @param options.signal ends the migrations of an existing database
 * @param options.onProgress gets how many of their statements are done
 */
export async function openDatabase(database: string, clock: Clock, options: OpenOptions = {}): Promise<Database> {
  if (isDatabaseUrl(database)) {
    const { checkPostgres, openPostgres } = await import('./engines/postgres/open.ts') // its driver is loaded where it is used
    if (options.migrate ?? true) await checkPostgres(database, { isMoveTarget: options.isMoveTarget })
    const sources = options.sources ? await (await import('./sources/source-store.ts')).openSourceStore(options.sources) : null
    // the turns are for the one write lock of a file
    return openEngine(openPostgres(database, sources), clock, { ...options, turn: undefined })
  }
  if (options.migrate ?? true) {
    await createSqlite(database, async (unfinished) => (await openEngine(openSqlite(unfinished), clock)).close())
  }
  return openEngine(openSqlite(database), clock, options)
}

/** The time in which a PostgreSQL server has to take connections, when it starts together with this one. */
const maxAwaitMs = 60_000

/**
 * Waits until a PostgreSQL server takes connections: it may start together with this server. A file needs no wait.
 * @param options.onWait gets the reason, once, when a wait begins
 * @throws Error with the way out when it cannot be used, or takes no connections in time
 */
export async function awaitDatabase(
  database: string, options: { signal: AbortSignal, timeoutMs?: number, onWait(reason: string): void },
): Promise<void> {
  if (!isDatabaseUrl(database)) return
  const { awaitPostgres } = await import('./engines/postgres/await.ts')
  await awaitPostgres(database, { timeoutMs: maxAwaitMs, ...options })
}

/** Opens a database with an engine, and brings its schema up to date. */
export async function openEngine(
  engine: Engine,
  processClock: Clock,
  { migrate: mustMigrate = true, turn, signal, onProgress }: OpenOptions = {},
): Promise<Database> {
  const corrected = processClock.isOfMachine && engine.shared ? await correct(engine, engine.shared, processClock) : undefined
  const clock = corrected?.clock ?? processClock
  const writer = new Kysely<Schema>({ dialect: engine.writer.dialect })
  const reader = new Kysely<Schema>({ dialect: engine.reader.dialect })
  const snapshots = new Kysely<Schema>({ dialect: engine.snapshots.dialect })
  // each waiting request adds a listener
  const commits = new EventEmitter<Commits>().setMaxListeners(0)
  const shared = { engine, now: clock.now, newId: idSource(clock.now), commits }
  const db: Database = {
    ...shared,
    clock,
    sql: reader,
    execute: engine.reader.execute,
    commit: groupCommits({ ...shared, sql: writer, turn: turn ?? ((write) => write()) }),
    snapshot: (read) => snapshots.transaction().execute((sql) => read({ ...db, sql, execute: engine.snapshots.execute })),
    async close() {
      corrected?.close()
      await engine.close()
      await Promise.all([reader, snapshots, writer].map((sql) => sql.destroy()))
    },
  }
  try {
    if (mustMigrate) await alone(engine, () => whenFree(engine, () => migrate(writer, engine, clock.now(), { signal, onProgress })))
  } catch (error) {
    await db.close()
    throw error
  }
  return db
}

/** Runs what only one process may do at a time. @see SharedDatabase.alone */
export const aloneAmongNodes = <T>({ engine }: Database, work: AloneWork<T>, options?: AloneOptions): Promise<T> =>
  alone(engine, work, options)

const alone = <T>({ shared }: Engine, work: AloneWork<T>, options?: AloneOptions): Promise<T> =>
  shared ? shared.alone(work, options) : work(new AbortController().signal)

type AloneWork<T> = (lost: AbortSignal) => Promise<T>

/** @throws the error of the first connection, which is closed then */
async function correct(engine: Engine, shared: SharedDatabase, clock: Clock) {
  try {
    return await openServerClock(clock, shared.readTime)
  } catch (error) {
    await engine.close()
    throw error
  }
}

/**
 * Runs a change in a transaction. It is on disk when the promise resolves, and rolled back when it rejects.
 * `work` must not wait for the network or for another transaction: there is one connection. It may run twice: see `groupCommits`.
 */
export function inTransaction<T>(db: Database, work: Work<T>, options?: CommitOptions): Promise<T> {
  return db.commit(work, options)
}

/** For transactions that remove rows or finish accepted work: on a full disk they may use the reserve (`Engine.reserve`). */
export const withReserve = (db: Database): Database =>
  ({ ...db, commit: (work, options) => db.commit(work, { ...options, usesReserve: true }) })

/** Measurements at the opening, and at each renewal; the one with the shortest round trip counts. */
const [firstReads, laterReads] = [5, 3]
const renewalMs = 10_000

/** The time of the server of a database, as this machine's clock has to be corrected to show it. */
interface Offset {
  ms: number
  /** The error is at most half of it. */
  roundTripMs: number
}

/**
 * Corrects the clock of this machine to that of the server: the times that nodes compare, such as those of ids, jobs and beats, come from
 * one clock. The offset is measured again while the clock is open. The corrected time may step back by the error of a measurement.
 * @param readTime reads the time of the server, in milliseconds since 1970
 */
export async function openServerClock(clock: Clock, readTime: () => Promise<number>): Promise<{ clock: Clock, close(): void }> {
  let offset = await measure(clock, readTime, firstReads)
  const renew = async () => {
    const measured = await measure(clock, readTime, laterReads)
    const isWithinError = Math.abs(measured.ms - offset.ms) <= measured.roundTripMs / 2 + 1
    if (!isWithinError || measured.roundTripMs < offset.roundTripMs) offset = measured
  }
  // a server that does not answer leaves the offset as it is: the queries of others report that
  const timer = setInterval(() => { renew().catch(() => {}) }, renewalMs).unref()
  return {
    clock: {
      now: () => clock.now() + offset.ms,
      at: (time, task) => clock.at(time - offset.ms, task),
    },
    close: () => clearInterval(timer),
  }
}

async function measure(clock: Clock, readTime: () => Promise<number>, reads: number): Promise<Offset> {
  let best: Offset | undefined
  for (let i = 0; i < reads; i++) {
    const begun = performance.now()
    const time = await readTime()
    const roundTripMs = performance.now() - begun
    // the server has read its clock in the middle of the round trip
    const measured = { ms: Math.round(time + roundTripMs / 2 - clock.now()), roundTripMs }
    if (!best || measured.roundTripMs < best.roundTripMs) best = measured
  }
  return best!
}

/** Milliseconds for which the free space of the file system is cached, so that it is not read for every mail. */
const cacheMs = 1_000

export interface FreeSpace {
  /** Free bytes of the disk and of the database itself, where removed mail leaves room, less those taken for writes in progress. */
  freeBytes(): Promise<number>
  /** Counts bytes that are about to be written: the file system does not know of them yet. */
  take(bytes: number): void
}

/** Reads the free space of the file system that holds the database; there is always room where no file of this machine does. */
export function freeSpaceOf(file: Pick<DatabaseFile, 'folder' | 'freeBytes'> | null): FreeSpace {
  let askedAt = -Infinity
  let answer: Promise<number> = Promise.resolve(Infinity)
  /** Bytes taken since the last read of the file system, and since the one before it: those may not be written yet. */
  let taken = 0
  let takenBefore = 0
  return {
    async freeBytes() {
      if (file && performance.now() - askedAt > cacheMs) {
        askedAt = performance.now()
        takenBefore = taken
        taken = 0
        answer = statfs(file.folder).then(({ bavail, bsize }) => bavail * bsize + file.freeBytes())
      }
      return Math.max(0, await answer - taken - takenBefore)
    },
    take(bytes) {
      taken += 2 * bytes // once in the log and once in its place
    },
  }
}
