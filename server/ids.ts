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

/** The time of a UUIDv7, in milliseconds since 1970. */
export const timeOfId = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** By type of resource, the prefix of its ids in the classic dialect. */
const prefixes = {
  address: 'addr_', email: 'email_', forwardingAddress: 'fwd_', domain: 'dom_', webhook: 'wh_', attachment: 'att_',
} as const
export type PrefixedType = keyof typeof prefixes

export const prefixedId = (type: PrefixedType, id: string): string => prefixes[type] + id

/** By member of paths, queries and bodies that is an id, the type of its resource; `any` where it may be of several. */
export const typesOfIds: Readonly<Record<string, PrefixedType | 'any'>> = {
  id: 'any', addressId: 'address', address_id: 'address', addressIds: 'address', fromAddressId: 'address', catchAllId: 'address', emailId: 'email', inReplyToId: 'email',
  attachmentId: 'attachment', forwardToId: 'forwardingAddress', deliveryId: 'any', after: 'any', before: 'any', resourceId: 'any',
}

/** By part of a path, the type of the resource whose id follows. */
const typesInPaths: Readonly<Record<string, PrefixedType>> = {
  addresses: 'address', emails: 'email', attachments: 'attachment', domains: 'domain', 'forwarding-addresses': 'forwardingAddress', webhooks: 'webhook',
}

const uuidLength = 36

/** @returns a UUID in lower case, without the prefix of its type; any other value itself */
function plainId(value: unknown, type: PrefixedType | 'any'): unknown {
  if (typeof value !== 'string') return value
  const [prefix, id] = [value.slice(0, -uuidLength), value.slice(-uuidLength)]
  const isOfType = prefix === '' || (type === 'any' ? Object.values(prefixes) : [prefixes[type]]).some((known) => known === prefix)
  return isOfType && uuid.test(id) ? id.toLowerCase() : value
}

/**
 * Replaces the ids among the members of a path, a query or a body by plain UUIDs in lower case. UUIDs are read in any case and stored in
 * lower case (RFC 9562, section 4). With the prefix of another type an id stays as it is, and is refused.
 */
export function readIds(members: Record<string, unknown>): void {
  for (const name in members) {
    const type = Object.hasOwn(typesOfIds, name) ? typesOfIds[name] : undefined
    const value = members[name]
    if (name === 'bounds' && typeof value === 'object' && value) readIds(value as Record<string, unknown>)
    if (!type) continue
    if (typeof value === 'string' && uuid.test(value)) members[name] = value.toLowerCase() // as most are
    else members[name] = Array.isArray(value) ? plainIds(value, type) : plainId(value, type)
  }
}

/** @returns ids each once, as spellings of one id are no fault; a repeated spelling stays, and is refused */
function plainIds(values: unknown[], type: PrefixedType | 'any'): unknown[] {
  const ids = values.map((value) => plainId(value, type))
  return new Set(values).size === values.length ? [...new Set(ids)] : ids
}

/** The path of a request, with ids without prefixes. */
export function withoutPrefixes(path: string): string {
  const parts = path.split('/')
  return parts.map((part, i) => {
    const before = parts[i - 1] ?? ''
    return Object.hasOwn(typesInPaths, before) ? plainId(part, typesInPaths[before]!) : part
  }).join('/')
}
