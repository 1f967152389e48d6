import { statSync } from 'node:fs'
import { systemClock } from '../server/clock.ts'
import { readConfig } from '../server/config.ts'
import { isDatabaseUrl } from '../server/database-path.ts'
import { openDatabase } from '../server/store/database.ts'
import type { Database } from '../server/store/database.ts'
import { CliError } from './cli-error.ts'

/**
 * Runs a command on the database of `MAYFLY_DATABASE`, also while a server has it open.
 * @param options.create creates a missing database; without it, a missing file is an error, such as in the wrong folder
 */
export async function withDatabase<T>(run: (db: Database) => Promise<T>, { create = false } = {}): Promise<T> {
  const db = await openDatabase(create ? readConfig(process.env).database : databaseFile(), systemClock)
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}

/** The file of `MAYFLY_DATABASE`. Other problems of the file are reported when it is opened. @throws CliError when it is missing */
export function databaseFile(): string {
  const { database } = readConfig(process.env)
  if (!isDatabaseUrl(database) && isMissing(database)) throw new CliError(`MAYFLY_DATABASE: there is no file ${database}. Run this in the folder of the server, or name its file.`)
  return database
}

/** Not `existsSync`, which is false also for a file that this user may not see. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
