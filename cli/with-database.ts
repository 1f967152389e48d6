import { statSync } from 'node:fs'
import { systemClock } from '../server/clock.ts'
import { readConfig } from '../server/config/config.ts'
import { databaseLabel, isDatabaseUrl } from '../server/config/database-url.ts'
import { refuseWithoutSources } from '../server/domain/source-moves.ts'
import { openDatabase } from '../server/store/database.ts'
import type { Database } from '../server/store/database.ts'
import { inspectDatabase } from '../server/store/inspect.ts'
import { CliError } from './cli-error.ts'

/**
 * Runs a command on the database of `MAYFLY_DATABASE`, also while a server has it open.
 * @param options.create creates a missing database; without it, a missing one is an error, such as in the wrong folder
 * @param options.readsSources whether the command reads sources of mail, and so needs their store
 */
export async function withDatabase<T>(run: (db: Database) => Promise<T>, { create = false, readsSources = false } = {}): Promise<T> {
  const { database, sources } = readConfig(process.env)
  const db = await openDatabase(create ? database : await existingDatabase(), systemClock, { sources: readsSources ? sources : null })
  try {
    if (readsSources) await refuseWithoutSources(db)
    return await run(db)
  } finally {
    await db.close()
  }
}

/**
 * The file or URL of `MAYFLY_DATABASE`. Other problems of a file are reported when it is opened.
 * @throws CliError when it is missing, or has no data of Mayfly
 */
export async function existingDatabase(): Promise<string> {
  const { database } = readConfig(process.env)
  if (!isDatabaseUrl(database)) return existingFile(database)
  const found = await inspectDatabase(database)
  if (found.kind === 'unreachable') throw new CliError(found.reason)
  if (found.kind === 'server' && found.applied.length === 0) {
    throw new CliError(`MAYFLY_DATABASE: ${databaseLabel(database)} is empty. Name the database of the server, or start "mayfly serve", which makes its tables.`)
  }
  return database
}

/**
 * The file of `MAYFLY_DATABASE`, for commands that work on files.
 * @param wayOut a sentence about PostgreSQL
 * @throws CliError with the way out for a database of a PostgreSQL server
 */
export function onlyFile(wayOut: string): string {
  const { database } = readConfig(process.env)
  if (isDatabaseUrl(database)) throw new CliError(`MAYFLY_DATABASE: this command is for a database in a file. ${wayOut}`)
  return database
}

export function existingFile(database: string): string {
  if (isMissing(database)) throw new CliError(`MAYFLY_DATABASE: there is no file ${database}. Run this in the folder of the server, or name its file.`)
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
