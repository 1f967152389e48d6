import { invalidRequest } from '../../errors.ts'

/** A page of mail that a request may skip to, as in the document. */
const maxOffset = 10_000
/** Mails of a list, where the query does not say how many; so have all of these servers. */
const defaultLimit = 50

/** A number of the query, as these APIs read it: another text is ignored, a greater number lowered. */
export function numberIn(query: URLSearchParams, name: string, fallback: number, max: number = maxOffset): number {
  const text = query.get(name) ?? ''
  return /^\d+$/.test(text) ? Math.min(Number(text), max) : fallback
}

/** The part of a list that the query asks for. @param first the name of its offset */
export function pageIn(query: URLSearchParams, first: 'start' | 'skip', maxLimit: number): { offset: number, limit: number } {
  return { offset: numberIn(query, first, 0), limit: numberIn(query, 'limit', defaultLimit, maxLimit) || defaultLimit }
}

/** A list of ids in a body; undefined without one. @param member its name, of which the case does not matter */
export function idsIn(body: Record<string, unknown>, member: string): string[] | undefined {
  const name = Object.keys(body).find((each) => each.toLowerCase() === member.toLowerCase())
  if (name === undefined || body[name] === null) return undefined
  const ids = body[name]
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) throw invalidRequest(`body.${member}`, 'must be a list of texts')
  return ids
}
