import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Engine } from '../../engine.ts'
import { toConnection } from './connection.ts'
import { sqliteDdl } from './ddl.ts'
import { openDiskReserve } from './disk-reserve.ts'
import type { ReserveFile } from './disk-reserve.ts'
import { isBusy, isFull, toAppError } from './errors.ts'
import { makeShrinkable, openFreePages } from './free-pages.ts'
import { sqliteSearch } from './search.ts'
import { openServerLock } from './server-lock.ts'
import { openWriteAheadLog, useWriteAheadLog } from './write-ahead-log.ts'

/** Page caches in kibibytes. SQLite's default is 16 MB, and six threads have three connections each. Only the reader reads much. */
const cacheKibibytes = { reader: 8 * 1024, other: 2 * 1024 }

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

function open(file: string, reserve: ReserveFile): Engine {
  mkdirSync(dirname(file), { recursive: true })
  const writer = openWriter(file)
  const reader = new Sqlite(file, { timeout: openTimeoutMs, readonly: true })
  const snapshots = new Sqlite(file, { timeout: openTimeoutMs, readonly: true })
  const serverLock = openServerLock(file)
  // prepared later: the table exists once the schema does
  let sequence: Sqlite.Statement<[string], number> | undefined
  for (const connection of [writer, reader, snapshots]) {
    const kibibytes = connection === reader ? cacheKibibytes.reader : cacheKibibytes.other
    connection.pragma(`cache_size = -${kibibytes}`) // negative: not pages
  }
  writer.pragma('busy_timeout = 0') // a busy database is tried again by `whenFree`: SQLite's own wait blocks the thread
  return {
    reader: toConnection(reader),
    snapshots: toConnection(snapshots),
    writer: toConnection(writer),
    ...sqliteDdl,
    lastSerial(table) {
      sequence ??= reader.prepare<[string], number>('select seq from sqlite_sequence where name = ?').pluck()
      return sequence.get(table) ?? 0
    },
    search: sqliteSearch,
    isExclusive: true,
    folder: dirname(file),
    ...openFreePages(file, writer, reader),
    reserve,
    ...openWriteAheadLog(file, { writer, reader, reserve }),
    toAppError,
    isFull,
    isBusy,
    claim: serverLock.claim,
    close() {
      serverLock.release()
      reader.close()
      snapshots.close()
      writer.close() // last: a read-only connection cannot empty the log
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
