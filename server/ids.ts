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

/** UUIDs are read in any case and stored in lower case (RFC 9562, section 4). */
export function withLowerCaseIds(members: Record<string, unknown>): object {
  for (const name in members) {
    const value = members[name]
    if (typeof value === 'string' && uuid.test(value)) members[name] = value.toLowerCase()
  }
  return members
}
