import { systemClock } from '../../../server/clock.ts'
import { openDatabase } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'

/** Opens a database, which a server may have open too, and closes it when the function ends. */
export async function withDatabase<T>(database: string, use: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(database, systemClock, { migrate: false })
  try {
    return await use(db)
  } finally {
    await db.close()
  }
}
