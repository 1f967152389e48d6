import type { Authentication } from '../contract/types.gen.ts'
import type { AcceptedMessage, Envelope } from '../envelope.ts'
import { openExpiringMap } from '../expiring-map.ts'
import type { SharedRange, SharedSources } from './shared-sources.ts'

/** A published mail that is to be authenticated from memory. */
export interface HeldMail {
  /** The bytes that its results depend on: all of the mail, or the From fields of one without signatures, in latin1. */
  source: SharedRange | string
  envelope: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>
  isForwarded: boolean
  /** The key of its results in `known-results`, if others can have the same; null otherwise. */
  resultsKey: string | null
}

/** Maximum mails that are held. Further ones are read from the database when they are authenticated. */
const maxMails = 4_096

/** Holds mails from their publication to their authentication, so that they need not be read again. */
export interface HeldMails {
  hasRoom(): boolean
  /** @param authors the From fields of a mail without signatures; null for another one */
  hold(message: AcceptedMessage, source: { range: SharedRange, authors: string | null, isForwarded: boolean }): void
  find(messageId: string): HeldMail | undefined
  /** Forgets a mail that is authenticated. */
  release(messageId: string): void
}

export function openHeldMails(sources: SharedSources): HeldMails {
  const mails = new Map<string, HeldMail>()
  return {
    hasRoom: () => mails.size < maxMails,
    hold({ id, envelope }, { range, authors, isForwarded }) {
      const isUnsigned = authors !== null && !isForwarded // the seal of a mail that is forwarded signs its body
      if (isUnsigned) sources.remove(id)
      const { sender, helo, remoteAddress } = envelope
      mails.set(id, {
        source: isUnsigned ? authors : range,
        envelope: { sender, helo, remoteAddress },
        isForwarded,
        resultsKey: isUnsigned ? resultsKey(envelope, authors) : null,
      })
    },
    find: (messageId) => mails.get(messageId),
    release(messageId) {
      sources.remove(messageId)
      mails.delete(messageId)
    },
  }
}

/** Time for which results are used again. The DNS answers behind them may have been kept as long before. */
const lifetimeMs = 60_000
/** The same for results that a failure of the DNS has caused. */
const failedLifetimeMs = 1_000
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
      if (key.length <= maxKeyChars) known.set(key, results, isFailed ? failedLifetimeMs : lifetimeMs)
    },
  }
}

/** @param authors the From fields, as they were received */
export const resultsKey = ({ remoteAddress, helo, sender }: Pick<Envelope, 'remoteAddress' | 'helo' | 'sender'>, authors: string) =>
  JSON.stringify([remoteAddress, helo, sender, authors])
