import { openExpiringMap } from '../expiring-map.ts'

/** The result of a DNS query. A reply that is not final is not kept: only the callers that wait for it get it. */
export type DnsReply = { isFinal: boolean } & ({ records: unknown[] } | { code: string })

export interface DnsCache {
  /** Returns the kept reply, or that of the query under way for this key, or else that of `ask`. */
  get(key: string, ask: () => Promise<DnsReply>): Promise<DnsReply>
}

/** Maximum characters of a reply that is kept: other name servers choose its length. */
const maxReplyChars = 4096

/**
 * Keeps final replies for a time.
 * @param limits.maxReplies beyond which the oldest is removed
 */
export function openDnsCache({ keepMs, maxReplies }: { keepMs: number, maxReplies: number }): DnsCache {
  const kept = openExpiringMap<DnsReply>(maxReplies)
  const underWay = new Map<string, Promise<DnsReply>>()

  const fetchReply = async (key: string, ask: () => Promise<DnsReply>) => {
    const reply = await ask().finally(() => underWay.delete(key))
    if (reply.isFinal && JSON.stringify(reply).length <= maxReplyChars) kept.set(key, reply, keepMs)
    return reply
  }

  return {
    async get(key, ask) {
      const found = kept.get(key)
      if (found) return found
      const waiting = underWay.get(key) ?? fetchReply(key, ask)
      if (!underWay.has(key)) underWay.set(key, waiting)
      return await waiting
    },
  }
}
