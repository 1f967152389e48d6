import { closeSync, fsyncSync, openSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { headerMark } from './file-header.ts'

/**
 * Checks a copy of a database that no other process has open, and makes it a single file: without a log, and expecting none.
 * The file is on disk when this returns.
 * @param count counts rows
 * @throws Error when the copy is damaged
 */
export function sealCopy<T>(file: string, count: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(file, { fileMustExist: true })
  let counted: T
  try {
    database.pragma('journal_mode = DELETE')
    database.pragma(`user_version = ${headerMark.complete}`)
    const [found] = database.pragma('integrity_check(1)') as [{ integrity_check: string }]
    if (found.integrity_check !== 'ok') throw new Error(`it is damaged: ${found.integrity_check}`)
    const orphans = database.pragma('foreign_key_check') as { table: string, parent: string }[]
    if (orphans.length > 0) throw new Error(`it is damaged: ${orphans.length} rows refer to rows that are missing`)
    counted = count(database)
  } finally {
    database.close()
  }
  syncPath(file)
  return counted
}

/** Writes a file, or the names in a folder, to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
