import type { Queries } from '../../../server/store/connection.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { Schema } from '../../../server/store/schema/schema.ts'
import type { TestApp } from '../app.ts'

/** Rows of a table, counted before and after each change of the server's own thread. */
export interface RowWatch {
  /** The number of rows now. */
  count(): Promise<number>
  /** The differences that changes made, without zeros. */
  steps: number[]
}

export const watchRows = (app: TestApp, table: keyof Schema): RowWatch =>
  watchCount(app, ({ sql }) => sql.selectFrom(table).select((all) => all.fn.countAll<number>().as('n')))

export const watchBoundAddresses = (app: TestApp): RowWatch =>
  watchCount(app, ({ sql }) => sql.selectFrom('addresses').select((all) => all.fn.countAll<number>().as('n')).where('is_bound', '=', 1))

interface Count { executeTakeFirstOrThrow(): Promise<{ n: number }> }

export function watchCount({ app }: TestApp, query: (at: Queries) => Count): RowWatch {
  const { commit } = app.db
  const countAt = async (at: Queries) => (await query(at).executeTakeFirstOrThrow()).n
  const steps: number[] = []
  app.db.commit = (work, options) => commit(async (tx) => {
    const before = await countAt(tx)
    const result = await work(tx)
    const step = await countAt(tx) - before
    if (step !== 0) steps.push(step)
    return result
  }, options)
  return { steps, count: () => inTransaction(app.db, countAt) }
}

/** Counts the chunks of mail that the server's own thread inserts: each thread has connections of its own. */
export function watchMainThreadChunks({ app }: TestApp): () => number {
  const { writer } = app.db.engine
  const { execute } = writer
  let chunks = 0
  writer.execute = (sql, parameters) => {
    if (/^insert into "message_chunks"/.test(sql)) chunks++
    return execute(sql, parameters)
  }
  return () => chunks
}
