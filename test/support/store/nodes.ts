import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'
import { testClock } from '../clock.ts'
import type { TestClock } from '../clock.ts'
import { newDatabase } from '../new-database.ts'

export interface NodesWorld extends AsyncDisposable {
  database: string
  clock: TestClock
  /** Opens the database once more, as another node does. */
  open(): Promise<Database>
}

/** The registered nodes. */
export const nodesOf = (db: Database) => db.sql.selectFrom('nodes').select(['id', 'version', 'started_at as startedAt']).orderBy('id').execute()

/** A database for several nodes, with one clock. */
export async function openNodesWorld(): Promise<NodesWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-nodes-'))
  const database = await newDatabase(join(folder, 'mayfly.db'))
  const clock = testClock()
  const opened: Database[] = []
  return {
    database, clock,
    async open() {
      const db = await openDatabase(database, clock)
      opened.push(db)
      return db
    },
    async [Symbol.asyncDispose]() {
      for (const db of opened) await db.close()
      await rm(folder, { recursive: true })
    },
  }
}
