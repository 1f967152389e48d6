import { systemClock } from '../server/clock.ts'
import { readConfig } from '../server/config.ts'
import { openDatabase } from '../server/store/database.ts'
import type { Database } from '../server/store/database.ts'

/** Runs a command on the database of `MAYFLY_DATABASE`, also while a server has it open. */
export async function withDatabase<T>(run: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(readConfig(process.env).database, systemClock)
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}
