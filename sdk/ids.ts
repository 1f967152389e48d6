import { MayflyError } from './errors.ts'

/**
 * Refuses what would call another path than the one that is meant.
 * @param what such as `emails.get: id`
 */
export function needId(id: unknown, what: string): string {
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw new MayflyError(`${what} is missing or malformed`)
  return id
}

/** A moment in the order of arrival: an email, its id, a `cursor` of `emails.list`, or a time on the server's clock. */
export type After = string | Date | { readonly id: string }

/** @throws MayflyError when it is none */
export function toCursor(after: After, operation: string): string {
  const ms = after instanceof Date ? after.getTime() : undefined
  return needId(ms === undefined ? (after as { id?: string })?.id ?? after : ms >= 0 && ms < 2 ** 48 && firstIdAt(ms), `${operation}: after`)
}

/** The smallest UUIDv7 of a millisecond since 1970: every id made in that millisecond or later is larger. */
export function firstIdAt(ms: number): string {
  return Math.floor(Math.max(0, ms)).toString(16).padStart(12, '0').replace(/.{8}/, '$&-') + '-7000-8000-000000000000'
}

/** When a UUIDv7 was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(`${id}`.slice(0, 13).replace('-', ''), 16)
}
