import { stat } from 'node:fs/promises'
import { systemClock } from '../server/clock.ts'
import { readConfig } from '../server/config.ts'
import { openDatabase } from '../server/store/database.ts'
import type { Database } from '../server/store/database.ts'
import { CliError } from './cli-error.ts'

/**
 * Runs a command on the database of `MAYFLY_DATABASE`, also while a server has it open.
 * @param options.create makes the database when there is none; without it, a command called in another folder says so
 */
export async function withDatabase<T>(run: (db: Database) => Promise<T>, { create = false } = {}): Promise<T> {
  const { database } = readConfig(process.env)
  if (!create) await stat(database).catch(explain(database))
  const db = await openDatabase(database, systemClock)
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}

/** What else is wrong with a file is told by who opens it. */
const explain = (database: string) => ({ code }: NodeJS.ErrnoException) => {
  if (code === 'ENOENT') {
    throw new CliError(`MAYFLY_DATABASE: there is no file ${database}. Run this in the folder of the server, or name its file.`)
  }
}
