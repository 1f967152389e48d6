import Sqlite from 'better-sqlite3'
import { noMark } from './file-header.ts'
import { syncFile } from './sync.ts'

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
    database.pragma(`user_version = ${noMark}`)
    const [found] = database.pragma('integrity_check(1)') as [{ integrity_check: string }]
    if (found.integrity_check !== 'ok') throw new Error(`it is damaged: ${found.integrity_check}`)
    const orphans = database.pragma('foreign_key_check') as { table: string, parent: string }[]
    if (orphans.length > 0) throw new Error(`it is damaged: ${orphans.length} rows refer to rows that are missing`)
    counted = count(database)
  } finally {
    database.close()
  }
  syncFile(file)
  return counted
}
