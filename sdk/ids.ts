import { MayflyError } from './errors.ts'

/**
 * Refuses what would call another path than the one that is meant.
 * @param method such as `emails.get`
 * @param what such as `an email id`
 */
export function needId(id: string, method: string, what: string): string {
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw new MayflyError(`${method} needs ${what}`)
  return id
}

/** A moment in the order of arrival: an email, its id, a `cursor` of `emails.list`, or a time on the server's clock. */
export type After = string | Date | { readonly id: string }

/** @throws MayflyError when it is none */
export function toCursor(after: After, method: string): string {
  if (after instanceof Date) {
    const ms = after.getTime()
    if (!(ms >= 0 && ms < 2 ** 48)) throw new MayflyError(`${method}: after is not a valid Date`)
    return firstIdAt(ms)
  }
  const id = typeof after === 'object' && after !== null ? after.id : after
  return needId(id, method, 'after to be an email, an email id, a cursor or a Date')
}

/** The smallest UUIDv7 of a millisecond since 1970: every id made in that millisecond or later is larger. */
export function firstIdAt(ms: number): string {
  const time = Math.floor(Math.max(0, ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** When a UUIDv7 was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
