import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { SqliteDialect } from 'kysely'
import type { Connection } from '../../connection.ts'
import type { Ddl, Engine, Locks } from '../../engine.ts'
import { openDiskReserve } from './disk-reserve.ts'
import type { ReserveFile } from './disk-reserve.ts'
import { cannotOpen, isBusy, isFull, toAppError } from './errors.ts'
import { refuseIncomplete } from './file-header.ts'
import { makeShrinkable, openFreePages } from './free-pages.ts'
import { sqliteSearch } from './search/sqlite-search.ts'
import { isServed, openServerLock } from './server-lock.ts'
import { openLogMark, openWriteAheadLog, useWriteAheadLog } from './write-ahead-log.ts'

/** Page caches in kibibytes. SQLite's default is 16 MB, and five threads have three connections each. Only the reader reads much. */
const cacheKibibytes = { reader: 8 * 1024, other: 2 * 1024 }

const openTimeoutMs = 5_000
/** The delay between two attempts to get the write lock of another thread or process. */
const busyRetryMs = 1

/**
 * Opens a SQLite file. `createSqlite` makes it.
 * @throws Error naming the variable when the file cannot be opened, is only a part of a database, or does not keep a commit on disk
 */
export function openSqlite(file: string): Engine {
  refuseIncomplete(file)
  const reserve = openDiskReserve(file)
  try {
    try {
      return open(file, reserve)
    } catch (error) {
      // on a full disk SQLite cannot create its files beside the database, which it needs even for reading
      if (!isFull(error) || !reserve.release()) throw error
      return open(file, reserve)
    }
  } catch (error) {
    throw cannotOpen(file, error, reserve.isSpent() ? 'the disk is full: make room, and start again' : undefined)
  }
}

function open(file: string, reserve: ReserveFile): Engine {
  const writer = openWriter(file)
  const reader = new Sqlite(file, { timeout: openTimeoutMs, readonly: true })
  const snapshots = new Sqlite(file, { timeout: openTimeoutMs, readonly: true })
  const service = new FileService(file, writer, reserve)
  for (const connection of [writer, reader, snapshots]) {
    const kibibytes = connection === reader ? cacheKibibytes.reader : cacheKibibytes.other
    connection.pragma(`cache_size = -${kibibytes}`) // negative: not pages
  }
  writer.pragma('busy_timeout = 0') // a busy database is tried again by `whenFree`: SQLite's own wait blocks the thread

  return {
    reader: toConnection(reader),
    snapshots: toConnection(snapshots),
    pipelines: false,
    mergesUnions: true,
    writer: toConnection(writer),
    ...sqliteDdl,
    locks: noLocks,
    search: sqliteSearch,
    file: {
      folder: dirname(file),
      claim: () => service.claim(),
      expectLog: () => service.expectLog(),
      ...openFreePages(file, writer, reader),
      ...openWriteAheadLog(file, { writer, reader, reserve }),
    },
    shared: null,
    sources: null,
    reserve,
    runForAccount: (_accountId, work, ...args) => work(...args),
    toAppError,
    isFull,
    retryAfterMs: (error) => isBusy(error) ? busyRetryMs : undefined,
    close() {
      const isComplete = service.endLog()
      if (!isComplete) reader.pragma('schema_version') // opens the log
      service.release()
      // a read-only connection cannot remove the log, so the writer is closed last, unless the log has to stay
      for (const connection of isComplete ? [reader, snapshots, writer] : [writer, snapshots, reader]) connection.close()
    },
  }
}

/** The lock of a server on its file, and the mark that the file needs its log. */
class FileService {
  readonly #file: string
  readonly #writer: Sqlite.Database
  readonly #reserve: ReserveFile
  readonly #lock: ReturnType<typeof openServerLock>
  readonly #mark: ReturnType<typeof openLogMark>
  /** Whether this process serves the file. */
  #isServer = false
  /** Whether the file has the mark. */
  #isMarked = false

  constructor(file: string, writer: Sqlite.Database, reserve: ReserveFile) {
    this.#file = file
    this.#writer = writer
    this.#reserve = reserve
    this.#lock = openServerLock(file)
    this.#mark = openLogMark(writer)
  }

  claim(): void {
    this.#lock.claim({ mark: this.#mark.value })
    this.#isServer = true
    this.#whileWaiting(() => this.expectLog())
  }

  #whileWaiting<T>(run: () => T): T {
    this.#writer.pragma(`busy_timeout = ${openTimeoutMs}`)
    try {
      return run()
    } finally {
      this.#writer.pragma('busy_timeout = 0')
    }
  }

  expectLog(): void {
    if (!this.#isServer || this.#isMarked) return
    try {
      this.#isMarked = this.#mark.set()
    } catch (error) {
      if (!isBusy(error) && !isFull(error)) throw error
    }
  }

  /** @returns whether the file will have all data when its last connection is closed */
  endLog(): boolean {
    if (!this.#writer.open) return true
    const clear = () => this.#whileWaiting(() => this.#mark.clear(() => this.#isServer || !isServed(this.#file)))
    return clear() || (this.#reserve.release() && clear())
  }

  release(): void {
    this.#lock.release()
  }
}

function openWriter(file: string): Sqlite.Database {
  const writer = new Sqlite(file, { timeout: openTimeoutMs })
  makeShrinkable(writer)
  useWriteAheadLog(writer)
  writer.pragma('temp_store = MEMORY')
  writer.pragma('foreign_keys = ON')
  // a 250 promises that the mail is on disk; better-sqlite3 is built with NORMAL for WAL, which does not fsync a commit
  writer.pragma('synchronous = FULL')
  for (const [setting, wanted] of [['journal_mode', 'wal'], ['synchronous', 2], ['foreign_keys', 1]] as const) {
    const found = writer.pragma(setting, { simple: true })
    if (found !== wanted) throw new Error(`SQLite refuses ${setting}=${wanted}, it stays ${String(found)}`)
  }
  return writer
}

function toConnection(sqlite: Sqlite.Database): Connection {
  const database = cachingStatements(sqlite)
  return {
    dialect: new SqliteDialect({ database }),
    execute(sql, parameters) {
      const statement = database.prepare(sql)
      if (statement.reader) return { rows: statement.all(parameters) as never[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(parameters).changes) }
    },
  }
}

/** Reuses prepared statements: Kysely prepares a statement for each execution. */
function cachingStatements(sqlite: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement>()
  return {
    close: () => { sqlite.close() },
    prepare(sql: string) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = sqlite.prepare(sqliteSql(sql, !sqlite.readonly))
        if (statements.size >= 500) statements.clear()
        statements.set(sql, statement)
      }
      // on a full disk SQLite rolls back by itself; the error of a second rollback would hide the first one
      return sql === 'rollback' && !sqlite.inTransaction ? sqlite.prepare('select 1') : statement
    },
  }
}

function sqliteSql(sql: string, isWriter: boolean) {
  // a plain `begin` takes the write lock at its first write, and fails if another transaction has committed by then
  if (sql === 'begin' && isWriter) return 'begin immediate'
  // SQLite plans a statement with `order by` again for each set of bound values that it can see, which costs more than the query
  if (/^select .* order by /.test(sql)) return sql.replaceAll('?', 'coalesce(?, null)')
  return sql
}

const sqliteDdl: Ddl = {
  clustered: 'without rowid',
  serial: 'integer primary key autoincrement',
  dayOf: (column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
  refusal: ({ name, before, when = '1', message }) =>
    `create trigger ${name} before ${before} when ${when} begin select raise(abort, '${message}'); end`,
  dropRefusal: ({ name }) => `drop trigger ${name}`,
  afterChange: (table, statement) => ['insert', 'update', 'delete'].map((kind) =>
    `create trigger ${table}_after_${kind} after ${kind} on ${table} begin ${statement}; end`),
  statement: (sql) => sql,
}

/** No locks: a transaction begins with the write lock of the file. */
const noLocks: Locks = { lockEnd() {}, lockName() {}, lockRow() {}, lockRowForShare: () => 'unchanged' }
