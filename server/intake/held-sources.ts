import type { Envelope } from '../envelope.ts'

/** The source of a published mail that is to be authenticated. */
export interface HeldSource {
  /** Its bytes, in pieces. */
  source: Uint8Array[]
  envelope: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>
  isForwarded: boolean
}

/** Maximum bytes that are held: the sources of further mails are read from the database. */
const maxHeldBytes = 16 * 1024 * 1024
/** Minimum bytes that a source counts as. */
const minCostBytes = 4096

/** Holds sources from their publication to their authentication, so that they need not be read again. */
export interface HeldSources {
  /** @returns false when there is no room */
  reserve(messageId: string, bytes: number): boolean
  /** Holds a source for which there is a reservation. */
  hold(messageId: string, source: HeldSource): void
  /** Removes a source, or the reservation of it. */
  take(messageId: string): HeldSource | undefined
}

export function openHeldSources(maxBytes = maxHeldBytes): HeldSources {
  const costs = new Map<string, number>()
  const sources = new Map<string, HeldSource>()
  let heldBytes = 0
  return {
    reserve(messageId, bytes) {
      const cost = Math.max(bytes, minCostBytes)
      if (heldBytes + cost > maxBytes) return false
      costs.set(messageId, cost)
      heldBytes += cost
      return true
    },
    hold(messageId, source) {
      sources.set(messageId, source)
    },
    take(messageId) {
      const source = sources.get(messageId)
      sources.delete(messageId)
      heldBytes -= costs.get(messageId) ?? 0
      costs.delete(messageId)
      return source
    },
  }
}
