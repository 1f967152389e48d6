import type { Authentication } from '../contract/types.gen.ts'
import type { AcceptedMessage, Envelope } from '../envelope.ts'
import { openExpiringMap } from '../expiring-map.ts'
import type { SharedRange, SharedSources } from './shared-sources.ts'

/** The parts of an envelope on which authentication results depend. */
type Sender = Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>

/** A published mail that is to be authenticated from memory. */
export interface HeldMail {
  /** The bytes that its results depend on: all of the mail, or the From fields of one without signatures, in latin1. */
  source: SharedRange | string
  envelope: Sender
  isForwarded: boolean
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
      mails.set(id, { source: isUnsigned ? authors : range, envelope: { sender, helo, remoteAddress }, isForwarded })
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
const maxSenders = 2_000
/** Maximum characters of a sender and its authors. A mail with longer ones is always checked. */
const maxChars = 1_024

/** The results of a mail without signatures, and its From fields. */
export interface KnownAuthentication {
  authors: string
  results: Authentication
}

/** The last results of senders: those of the next mail without signatures that has the same From fields are the same. */
export interface KnownResults {
  find(sender: Sender): KnownAuthentication | undefined
  add(sender: Sender, known: KnownAuthentication): void
}

export function openKnownResults(): KnownResults {
  const known = openExpiringMap<KnownAuthentication>(maxSenders)
  return {
    find: (sender) => known.get(nameOf(sender)),
    add(sender, { authors, results }) {
      const name = nameOf(sender)
      const isFailed = results.spf.result === 'temperror' || results.dmarc.result === 'temperror'
      if (name.length + authors.length <= maxChars) known.set(name, { authors, results }, isFailed ? failedLifetimeMs : lifetimeMs)
    },
  }
}

const nameOf = ({ remoteAddress, helo, sender }: Sender) => JSON.stringify([remoteAddress, helo, sender])
