import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { SqliteDialect } from 'kysely'
import type { Dialect, QueryResult } from 'kysely'
import { storageFull } from '../errors.ts'
import { openDiskReserve } from './disk-reserve.ts'
import type { DiskReserve } from './disk-reserve.ts'
import { lockHolder } from './lock-holder.ts'
import { sqliteSearch } from './sqlite-search.ts'
import type { SearchIndex } from './sqlite-search.ts'

/** A connection: a dialect for Kysely, and `execute` for compiled queries. */
export interface Connection {
  dialect: Dialect
  execute(sql: string, parameters: readonly unknown[]): QueryResult<never>
}

/** All that differs by engine: connections, settings, SQL, and the meaning of errors. */
export interface Engine {
  /** Read-only: sees committed data, and never waits for a transaction. */
  reader: Connection
  /** Read-only transactions, each with one snapshot. */
  snapshots: Connection
  /** One transaction at a time. */
  writer: Connection
  /** Keeps the rows of a table in the order of its primary key. */
  clustered: string
  /** A primary key that numbers the rows and never reuses a number. */
  serial: string
  /** The day in UTC, YYYY-MM-DD, of a column of milliseconds since 1970. */
  dayOf(column: string): string
  /** A trigger that makes a statement fail. @param trigger.before the statement, such as `delete on audit_logs` */
  refusal(trigger: { name: string, before: string, when?: string, message: string }): string
  /** The last number that a table's `serial` key has given, also when its row is gone; 0 for none. */
  lastSerial(table: string): number
  /** The full-text index of emails. */
  search: SearchIndex
  /** Only one process works on the jobs of this database: a lease found at start belongs to a process that died. */
  isExclusive: boolean
  /** The folder that holds the data, for its free space; null when the data is on another host. */
  folder: string | null
  /** Bytes of free pages, less those by which the file will still grow at the next checkpoint. */
  freeBytes(): number
  /** Free pages beyond those that are kept for new mail; 0 where the file cannot shrink. */
  excessPages(): number
  /** Gives free pages at the end of the file back to the file system, in the running transaction. */
  shrink(pages: number): void
  /** Disk space that is reserved for removals. */
  reserve: DiskReserve
  /** Bytes of the files. */
  size(): { data: number, log: number }
  /** Whether the log is large, or the disk low, and something was committed since the last result of true. */
  isCheckpointDue(): boolean
  /** Moves committed pages from the write-ahead log to the database file. */
  checkpoint(): void
  toAppError(error: unknown): unknown
  /** Whether the error can come from a full disk. */
  isFull(error: unknown): boolean
  /** Another thread or process writes at this moment. */
  isBusy(error: unknown): boolean
  /**
   * Makes this process the only server of the database, until it closes or dies.
   * @throws Error when another process is
   */
  claim(): void
  /** Closes all connections; Kysely would close only those that it has used. */
  close(): void
}

/** Bytes of the write-ahead log: from `worthCheckpoint` on a checkpoint is due, from `maxLogBytes` on a commit makes one. */
const worthCheckpoint = 4 * 1024 * 1024
const maxLogBytes = 256 * 1024 * 1024
/** Bytes of the file of an empty log: it is not truncated further, since growing it again costs time. */
const keptLog = 64 * 1024 * 1024
const pageBytes = 4096
/** Free pages that the file keeps for new mail: this number, or this share of the file if that is more. */
const keptFreePages = 64 * 1024 * 1024 / pageBytes
const keptFreeShare = 0.25
/** The value of `auto_vacuum` that releases free pages on request only. A file that was created without it cannot shrink. */
const incremental = 2

/** Page cache of each connection. SQLite's default is 16 MB, and six threads have three connections each. */
const cacheKibibytes = 8 * 1024

const openTimeoutMs = 5_000

/**
 * Opens a SQLite file, and makes it when it is not there.
 * @throws Error naming the variable when the file cannot be opened or does not keep a commit on disk
 */
export function openSqlite(file: string): Engine {
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
    const reason = reserve.isSpent() ? 'the disk is full: make room, and start again' : (error as Error).message
    throw new Error(`MAYFLY_DATABASE: ${file} cannot be opened, ${reason}`, { cause: error })
  }
}

function open(file: string, reserve: DiskReserve): Engine {
  mkdirSync(dirname(file), { recursive: true })
  const writer = new Sqlite(file, { timeout: openTimeoutMs })
  // takes effect in a new file only; in an existing file it would be a transaction, which may have to wait for the write lock
  if (writer.pragma('page_count', { simple: true }) === 0) writer.pragma(`auto_vacuum = ${incremental}`)
  writer.pragma('journal_mode = WAL')
  // a 250 promises that the mail is on disk; better-sqlite3 is built with NORMAL for WAL, which does not fsync a commit
  writer.pragma('synchronous = FULL')
  writer.pragma('foreign_keys = ON')
  writer.pragma('temp_store = MEMORY')
  writer.pragma(`wal_autocheckpoint = ${maxLogBytes / pageBytes}`)
  writer.pragma(`journal_size_limit = ${keptLog}`)
  for (const [setting, wanted] of [['journal_mode', 'wal'], ['synchronous', 2], ['foreign_keys', 1]] as const) {
    const found = writer.pragma(setting, { simple: true })
    if (found !== wanted) throw new Error(`SQLite refuses ${setting}=${wanted}, it stays ${String(found)}`)
  }
  let lock: Sqlite.Database | undefined
  const canShrink = writer.pragma('auto_vacuum', { simple: true }) === incremental
  const pages = (pragma: 'page_count' | 'freelist_count') => Number(reader.pragma(pragma, { simple: true }))
  const reader = new Sqlite(file, { timeout: openTimeoutMs, readonly: true })
  const snapshots = new Sqlite(file, { timeout: openTimeoutMs, readonly: true })
  // changes with each commit of another connection
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()
  let checkpointedVersion: number | undefined
  // prepared later: the table exists once the schema does
  let sequence: Sqlite.Statement<[string], number> | undefined
  for (const connection of [writer, reader, snapshots]) connection.pragma(`cache_size = -${cacheKibibytes}`) // negative: not pages
  writer.pragma('busy_timeout = 0') // a busy database is tried again by `whenFree`: SQLite's own wait blocks the thread
  return {
    reader: toConnection(reader),
    snapshots: toConnection(snapshots),
    writer: toConnection(writer),
    clustered: 'without rowid',
    serial: 'integer primary key autoincrement',
    dayOf: (column) => `strftime('%Y-%m-%d', ${column} / 1000, 'unixepoch')`,
    refusal: ({ name, before, when = '1', message }) =>
      `create trigger ${name} before ${before} when ${when} begin select raise(abort, '${message}'); end`,
    lastSerial(table) {
      sequence ??= reader.prepare<[string], number>('select seq from sqlite_sequence where name = ?').pluck()
      return sequence.get(table) ?? 0
    },
    search: sqliteSearch,
    isExclusive: true,
    folder: dirname(file),
    freeBytes() {
      const unwritten = pages('page_count') * pageBytes - statSync(file).size
      return pages('freelist_count') * pageBytes - Math.max(0, unwritten)
    },
    excessPages() {
      const kept = Math.max(keptFreePages, Math.ceil(pages('page_count') * keptFreeShare))
      return canShrink ? Math.max(0, pages('freelist_count') - kept) : 0
    },
    shrink(pages) {
      writer.exec(`pragma incremental_vacuum(${pages})`)
    },
    reserve,
    size: () => ({ data: statSync(file).size, log: statSync(`${file}-wal`).size }),
    isCheckpointDue() {
      if (statSync(`${file}-wal`).size <= worthCheckpoint && !reserve.isLow()) return false
      const version = dataVersion.get()!
      const isDue = version !== checkpointedVersion
      checkpointedVersion = version
      return isDue
    },
    checkpoint() {
      if (!writer.open) return
      // the log restarts only when all of it is copied: pages written meanwhile need another, shorter round
      for (let round = 0; round < 5; round++) {
        const [{ log, checkpointed }] = writer.pragma('wal_checkpoint(PASSIVE)') as [{ log: number, checkpointed: number }]
        if (log === checkpointed) return
      }
    },
    toAppError,
    isFull,
    isBusy: (error) => error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'),
    claim() {
      // the operating system releases this lock when the process dies
      lock = new Sqlite(`${file}-server`, { timeout: 0 })
      try {
        lock.exec('begin exclusive')
      } catch (error) {
        const pid = lockHolder(`${file}-server`)
        const other = pid === undefined ? 'another server' : `another server, process ${pid},`
        throw new Error(`MAYFLY_DATABASE: ${other} runs on ${file}. Stop it first, or name another file.`, { cause: error })
      }
    },
    close() {
      lock?.close()
      reader.close()
      snapshots.close()
      writer.close() // last: a read-only connection cannot empty the log
    },
  }
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

function sqliteSql(sql: string, isWriter: boolean) {
  // a plain `begin` takes the write lock at its first write, and fails if another transaction has committed by then
  if (sql === 'begin' && isWriter) return 'begin immediate'
  // SQLite plans a statement with `order by` again for each set of bound values that it can see, which costs more than the query
  if (/^select .* order by /.test(sql)) return sql.replaceAll('?', 'coalesce(?, null)')
  return sql
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

const isFull = (error: unknown) => error instanceof Sqlite.SqliteError && /^SQLITE_(FULL|IOERR|CANTOPEN)/.test(error.code)

function toAppError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const cannotStore = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY)/.test(error.code)
  return cannotStore
    ? Object.assign(storageFull('This server cannot store anything at the moment. Try again later.'), { cause: error })
    : error
}
