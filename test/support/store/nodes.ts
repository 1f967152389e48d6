import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'
import { testClock } from '../clock.ts'
import type { TestClock } from '../clock.ts'
import { newDatabase } from '../new-database.ts'

export interface NodesWorld extends AsyncDisposable {
  file: string
  clock: TestClock
  /** Opens the database once more, as another node does. */
  open(): Promise<Database>
}

/** A database for several nodes, with one clock. */
export async function openNodesWorld(): Promise<NodesWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-nodes-'))
  const file = join(folder, 'mayfly.db')
  await newDatabase(file)
  const clock = testClock()
  const opened: Database[] = []
  return {
    file, clock,
    async open() {
      const db = await openDatabase(file, clock)
      opened.push(db)
      return db
    },
    async [Symbol.asyncDispose]() {
      for (const db of opened) await db.close()
      await rm(folder, { recursive: true })
    },
  }
}
