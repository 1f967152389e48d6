import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { logOf } from './file-names.ts'

/**
 * Opens a database, which a server may have open, to read it.
 * @param timeoutMs maximum wait for another connection
 */
export function openReader(file: string, timeoutMs: number): Sqlite.Database {
  // A read-only connection cannot remove the log that it creates. Another one would move the log of a killed server into the file.
  const database = new Sqlite(file, { readonly: existsSync(logOf(file)), fileMustExist: true, timeout: timeoutMs })
  database.pragma('query_only = ON')
  return database
}
