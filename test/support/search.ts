import type { TestApp } from './app.ts'

export interface Found { data: { id: string, subject: string }[], total: number, hasMore: boolean }

/** Searches with the key of the first account, or with the given key. */
export async function search(app: TestApp, q: string, query: Record<string, string> = {}, key = app.key): Promise<Found> {
  const { status, body } = await app.api<Found>('GET', `/emails?${new URLSearchParams({ q, ...query })}`, { key })
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
  return body
}

export const subjects = ({ data }: Found) => data.map(({ subject }) => subject)
