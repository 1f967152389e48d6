import type { Schema } from '../../server/store/schema/schema.ts'
import type { TestApp } from './app.ts'

export interface Found { data: { id: string, subject: string }[], total: number, hasMore: boolean }

/** Searches with the key of the first account, or with the given key. */
export async function search(app: TestApp, q: string, query: Record<string, string> = {}, key = app.key): Promise<Found> {
  const { status, body } = await app.api<Found>('GET', `/emails?${new URLSearchParams({ q, ...query })}`, { key })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

export const subjects = ({ data }: Found) => data.map(({ subject }) => subject)

/** Waits until all mail is indexed. */
export async function indexed(app: TestApp): Promise<void> {
  while (await rowsOf(app, 'email_search_pending') > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}

export async function rowsOf(app: TestApp, table: keyof Schema): Promise<number> {
  const { n } = await app.app.db.sql.selectFrom(table).select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return n
}

/** Number of mails in the index. */
export function indexRows(app: TestApp): number {
  return (app.app.db.execute('select count(*) as n from email_search_docsize', []).rows as unknown as [{ n: number }])[0].n
}
