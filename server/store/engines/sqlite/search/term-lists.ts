import type { QueryResult } from 'kysely'
import type { Queries } from '../../../connection.ts'
import { filterTerms } from '../../../search/searched-mail.ts'
import { matchText, newestSql, oldestSql, scopeOf } from './fts.ts'

/** A part of the index: mails of an owner that are not deleted, with numbers from `above` (exclusive) up to `upTo`. */
export interface ListRange {
  ownerNumber: number
  above: number
  upTo?: number
  /** Maximum length of the list. */
  limit?: number
}

/** Numbers of the mails with a term, the lowest first. Takes time linear in their number. */
export async function numbersWith({ execute }: Queries, term: string, range: ListRange): Promise<number[]> {
  const { ownerNumber, above, upTo = Number.MAX_SAFE_INTEGER, limit = Number.MAX_SAFE_INTEGER } = range
  return parseNumbers(await execute(oldestSql, [matchText(scopeOf(ownerNumber, false), [term]), above, upTo, limit]))
}

/** Numbers of the newest mails with a term, the highest first. Faster than `numbersWith`, which has to find the first of them. */
export async function newestWith({ execute }: Queries, term: string, { ownerNumber, above }: ListRange): Promise<number[]> {
  return parseNumbers(await execute(newestSql, [matchText(scopeOf(ownerNumber, false), [term]), above]))
}

const parseNumbers = ({ rows: [row] }: QueryResult<never>) => JSON.parse((row as unknown as { numbers: string }).numbers) as number[]

/** Numbers of all mails: each has one of the two types. */
export async function allNumbers(reader: Queries, range: ListRange): Promise<number[]> {
  const received = await numbersWith(reader, filterTerms({ type: 'received' })[0]!, range)
  const sent = await numbersWith(reader, filterTerms({ type: 'sent' })[0]!, range)
  if (sent.length === 0) return received
  return [...received, ...sent].sort((a, b) => a - b).slice(0, range.limit)
}
