import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Engine } from '../../engine.ts'
import { toConnection } from './connection.ts'
import { sqliteDdl } from './ddl.ts'
import { openDiskReserve } from './disk-reserve.ts'
import type { ReserveFile } from './disk-reserve.ts'
import { cannotOpen, isBusy, isFull, toAppError } from './errors.ts'
import { refuseIncomplete } from './file-header.ts'
import { makeShrinkable, openFreePages } from './free-pages.ts'
import { noLocks } from './locks.ts'
import { openLogMark } from './log-mark.ts'
import { sqliteSearch } from './search/sqlite-search.ts'
import { isServed, openServerLock } from './server-lock.ts'
import { openWriteAheadLog, useWriteAheadLog } from './write-ahead-log.ts'

/** Page caches in kibibytes. SQLite's default is 16 MB, and six threads have three connections each. Only the reader reads much. */
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
  const serverLock = openServerLock(file)
  const logMark = openLogMark(writer)
  let isServer = false
  let isMarked = false
  for (const connection of [writer, reader, snapshots]) {
    const kibibytes = connection === reader ? cacheKibibytes.reader : cacheKibibytes.other
    connection.pragma(`cache_size = -${kibibytes}`) // negative: not pages
  }
  writer.pragma('busy_timeout = 0') // a busy database is tried again by `whenFree`: SQLite's own wait blocks the thread

  function whileWaiting<T>(run: () => T): T {
    writer.pragma(`busy_timeout = ${openTimeoutMs}`)
    try {
      return run()
    } finally {
      writer.pragma('busy_timeout = 0')
    }
  }
  function expectLog() {
    if (!isServer || isMarked) return
    try {
      isMarked = logMark.set()
    } catch (error) {
      if (!isBusy(error) && !isFull(error)) throw error
    }
  }
  /** @returns whether the file will have all data when its last connection is closed */
  function endLog(): boolean {
    if (!writer.open) return true
    const clear = () => whileWaiting(() => logMark.clear(() => isServer || !isServed(file)))
    return clear() || (reserve.release() && clear())
  }

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
      claim() {
        serverLock.claim({ mark: logMark.value })
        isServer = true
        whileWaiting(expectLog)
      },
      expectLog,
      ...openFreePages(file, writer, reader),
      ...openWriteAheadLog(file, { writer, reader, reserve }),
    },
    shared: null,
    reserve,
    toAppError,
    isFull,
    retryAfterMs: (error) => isBusy(error) ? busyRetryMs : undefined,
    close() {
      const isComplete = endLog()
      if (!isComplete) reader.pragma('schema_version') // opens the log
      serverLock.release()
      // a read-only connection cannot remove the log, so the writer is closed last, unless the log has to stay
      for (const connection of isComplete ? [reader, snapshots, writer] : [writer, snapshots, reader]) connection.close()
    },
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
