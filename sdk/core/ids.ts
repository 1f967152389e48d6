import { MayflyError } from './errors.ts'

/**
 * Refuses an id that would make a request of another path, such as one with a slash.
 * @param label of the parameter, for the error: `emails.get: id`
 */
export function requireId(id: unknown, label: string): string {
  if (typeof id === 'string' && id.includes('@')) throw new MayflyError(`${label} must be an id, not an email address`)
  if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw new MayflyError(`${label} is missing or malformed`)
  return id
}

/** A position among the mail: an email, its id, a `cursor` of `emails.list`, or a time on the server's clock. */
export type After = string | Date | { readonly id: string }

/** @throws MayflyError when `after` is none of these */
export function toCursor(after: After, operation: string): string {
  const ms = after instanceof Date ? after.getTime() : undefined
  return requireId(ms === undefined ? (after as { id?: string })?.id ?? after : ms >= 0 && ms < 2 ** 48 && firstIdAt(ms), `${operation}: after`)
}

/** The smallest UUIDv7 of a millisecond since 1970: every id made in that millisecond or later is larger. */
export function firstIdAt(ms: number): string {
  return Math.floor(Math.max(0, ms)).toString(16).padStart(12, '0').replace(/.{8}/, '$&-') + '-7000-8000-000000000000'
}
