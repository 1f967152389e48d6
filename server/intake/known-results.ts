import type { Authentication } from '../contract/types.gen.ts'
import type { Envelope } from '../envelope.ts'
import { openExpiringMap } from '../expiring-map.ts'

/** Time for which results are used again. The DNS answers behind them may have been kept as long before. */
const keepMs = 60_000
/** The same for results that a failure of the DNS has caused. */
const keepFailedMs = 1_000
const maxResults = 2_000
/** Maximum characters of a key. A mail with a longer one is always checked. */
const maxKeyChars = 1_024

/** Authentication results of mail without signatures: those of another mail of the same client, sender and author are the same. */
export interface KnownResults {
  /** @returns undefined when they are not known */
  find(key: string): Authentication | undefined
  add(key: string, results: Authentication): void
}

export function openKnownResults(): KnownResults {
  const known = openExpiringMap<Authentication>(maxResults)
  return {
    find: known.get,
    add(key, results) {
      const isFailed = results.spf.result === 'temperror' || results.dmarc.result === 'temperror'
      if (key.length <= maxKeyChars) known.set(key, results, isFailed ? keepFailedMs : keepMs)
    },
  }
}

/** @param authors the From fields, as they were received */
export const resultsKey = ({ remoteAddress, helo, sender }: Pick<Envelope, 'remoteAddress' | 'helo' | 'sender'>, authors: string) =>
  JSON.stringify([remoteAddress, helo, sender, authors])
