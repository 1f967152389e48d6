import type { QueryResult } from 'kysely'
import type { Queries } from '../changes/queries.ts'
import type { Engine } from '../engine.ts'
import { filterTerms, scopeOf } from './search-index.ts'

/** A part of the index: mails of an owner that are not deleted, with numbers from `above` (exclusive) up to `upTo`. */
export interface ListRange {
  ownerNumber: number
  above: number
  upTo?: number
  /** Maximum length of the list. */
  limit?: number
}

/** Where the index is read: the last commit, a snapshot or a transaction. */
export type IndexReader = Pick<Queries, 'execute'> & { engine: Engine }

/** Numbers of the mails with a term, the lowest first. Takes time linear in their number. */
export async function numbersWith({ engine, execute }: IndexReader, term: string, range: ListRange): Promise<number[]> {
  const { ownerNumber, above, upTo = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER } = range
  const { oldestSql, matchText } = engine.search
  return parseNumbers(await execute(oldestSql, [matchText(scopeOf(ownerNumber, 0), [term], []), above, upTo, limit]))
}

/** Numbers of the newest mails with a term, the highest first. Faster than `numbersWith`, which has to find the first of them. */
export async function newestWith({ engine, execute }: IndexReader, term: string, { ownerNumber, above }: ListRange): Promise<number[]> {
  const { newestSql, matchText } = engine.search
  return parseNumbers(await execute(newestSql, [matchText(scopeOf(ownerNumber, 0), [term], []), above]))
}

const parseNumbers = ({ rows: [row] }: QueryResult<never>) => JSON.parse((row as unknown as { numbers: string }).numbers) as number[]

/** Numbers of all mails: each has one of the two types. */
export async function allNumbers(reader: IndexReader, range: ListRange): Promise<number[]> {
  const received = await numbersWith(reader, filterTerms({ type: 'received' })[0]!, range)
  const sent = await numbersWith(reader, filterTerms({ type: 'sent' })[0]!, range)
  if (sent.length === 0) return received
  return [...received, ...sent].sort((a, b) => a - b).slice(0, range.limit)
}
