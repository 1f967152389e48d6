import { randomFillSync, randomInt } from 'node:crypto'
import { v7 } from 'uuid'

/** Random bytes are drawn many at a time: each draw is a call out of JavaScript. */
const poolSize = 256 * 16

/**
 * Makes UUIDv7 ids that sort in the order they were made, also within one millisecond and when the clock steps back.
 * @param now milliseconds since 1970
 */
export function idSource(now: () => number): () => string {
  const pool = new Uint8Array(poolSize)
  let used = poolSize
  let msecs = 0
  let seq = 0
  return () => {
    const time = now()
    if (time > msecs) {
      msecs = time
      seq = randomInt(2 ** 30)
    } else {
      seq++
    }
    if (used === poolSize) {
      randomFillSync(pool)
      used = 0
    }
    return v7({ msecs, seq, random: pool.subarray(used, used += 16) })
  }
}

/** A text that sorts before every id made at that time or later, and after every older id. @param time milliseconds since 1970 */
export function idBoundary(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}

export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** By type of resource, the prefix of its ids in the classic dialect. */
const prefixes = {
  address: 'addr_', email: 'email_', forwardingAddress: 'fwd_', domain: 'dom_', webhook: 'wh_', attachment: 'att_',
} as const
export type PrefixedType = keyof typeof prefixes

export const prefixedId = (type: PrefixedType, id: string): string => prefixes[type] + id

const uuidLength = 36
/** A UUID with a prefix or without. */
const prefixed = new RegExp(`^(?:${Object.values(prefixes).join('|')})?${uuid.source.slice(1)}`, 'i')

/** The members of paths, queries and bodies that are ids. */
const idMembers = new Set([
  'id', 'addressId', 'emailId', 'attachmentId', 'deliveryId', 'address_id', 'after', 'before', 'fromAddressId', 'forwardToId', 'catchAllId', 'addressIds', 'resourceId',
])

/** @returns a UUID without its prefix, in lower case; any other value itself */
function plainId(value: unknown): unknown {
  return typeof value === 'string' && prefixed.test(value) ? value.slice(-uuidLength).toLowerCase() : value
}

/**
 * Replaces the ids among the members of a path, a query or a body by plain UUIDs in lower case. UUIDs are read in any case and stored in
 * lower case (RFC 9562, section 4). They may have the prefix of a type, of any type.
 */
export function readIds(members: Record<string, unknown>): void {
  for (const name in members) {
    if (!idMembers.has(name)) continue
    const value = members[name]
    if (typeof value === 'string') members[name] = uuid.test(value) ? value.toLowerCase() : plainId(value)
    else if (Array.isArray(value)) members[name] = plainIds(value)
  }
}

/** @returns ids each once, as spellings of one id are no fault; a repeated spelling stays, and is refused */
function plainIds(values: unknown[]): unknown[] {
  const ids = values.map(plainId)
  return new Set(values).size === values.length ? [...new Set(ids)] : ids
}

/** The path of a request, with ids without prefixes. */
export const withoutPrefixes = (path: string): string =>
  path.split('/').map((part) => prefixed.test(part) ? part.slice(-uuidLength) : part).join('/')
