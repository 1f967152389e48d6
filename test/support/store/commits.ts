import type { Schema } from '../../../server/store/schema/schema.ts'
import type { TestApp } from '../app.ts'
import { rowsNow } from './raw-sql.ts'

/** Rows of a table, counted when the watch begins and after each commit that announces something. */
export interface RowWatch {
  /** The number of rows now. */
  count(): number
  /** The differences of the counts, without zeros. */
  steps: number[]
  /** Forgets the steps until now. */
  restart(): void
}

export const watchRows = (app: TestApp, table: keyof Schema): RowWatch =>
  watchCount(app, app.app.db.sql.selectFrom(table).select((all) => all.fn.countAll<number>().as('n')))

export const watchBoundAddresses = (app: TestApp): RowWatch =>
  watchCount(app, app.app.db.sql.selectFrom('addresses').select((all) => all.fn.countAll<number>().as('n')).where('is_bound', '=', 1))

interface Countable { compile(): { sql: string, parameters: readonly unknown[] } }

/** Reads between two commits: without waiting, so that no other commit comes first. */
export function watchCount({ app }: TestApp, query: Countable): RowWatch {
  const { sql, parameters } = query.compile()
  const count = () => rowsNow<{ n: number }>(app.db, sql, parameters)[0]!.n
  const steps: number[] = []
  let before = count()
  app.db.commits.on('committed', () => {
    const now = count()
    if (now !== before) steps.push(now - before)
    before = now
  })
  return {
    count, steps,
    restart() {
      steps.length = 0
      before = count()
    },
  }
}

/**
 * Counts the chunks of mail that the main thread inserts. A temporary trigger fires for the writes of its own connection alone, and each
 * thread has a connection of its own.
 */
export function watchMainThreadChunks({ app }: TestApp): () => number {
  const { writer } = app.db.engine
  rowsNow(writer, 'create temp table main_thread_chunks (message_id text)')
  rowsNow(writer, 'create temp trigger watch_chunks after insert on main.message_chunks '
    + 'begin insert into main_thread_chunks values (new.message_id); end')
  return () => rowsNow<{ n: number }>(writer, 'select count(*) as n from main_thread_chunks')[0]!.n
}
