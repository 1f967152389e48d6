import { v7 } from 'uuid'
import { randomInt } from 'node:crypto'

/**
 * Makes UUIDv7 ids that sort in the order they were made, also within one millisecond and when the clock steps back.
 * @param now milliseconds since 1970
 */
export function idSource(now: () => number): () => string {
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
    return v7({ msecs, seq })
  }
}

/** The time an id of ours was made, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
