import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import { loggedDomain } from './mailbox.ts'
import type { Refusal } from './metrics/metrics.ts'
import { openRefusalLimit } from './refusal-limit.ts'
import { withoutReplyText } from './reply-reason.ts'

interface Accepted {
  kind: 'accepted'
  /** The ids of its emails; none for a delivery report. */
  ids: string[]
  /** The sender in MAIL; empty for the null sender. */
  from: string
  addresses: string[]
  /** IP address of the client; empty for a mail that did not come over the network. */
  remoteAddress: string
  tls: boolean
  bytes: number
  ms: number
}

export interface Refused {
  kind: 'refused'
  stage: 'connection' | 'sender' | 'recipient' | 'mail'
  reason: Refusal
  /** The code of the reply; `lost` when the client was gone before it. */
  outcome: number | 'lost'
  text: string
  /** The sender, which may be malformed; empty for the null sender and without one. */
  from: string
  addresses: string[]
  remoteAddress: string
  /** The lines about refusals are limited for each network. */
  network: string
  bytes: number
  ms: number
}

interface Delivered {
  kind: 'delivered'
  /** The id of the delivery. */
  id: string
  /** The kind of mail; `verification` is the mail with the link that confirms a forwarding address. */
  mail: 'sent' | 'forward' | 'verification'
  outcome: 'sent' | 'captured' | 'deferred' | 'refused'
  attempt: number
  reason?: string
  addresses: string[]
  ms: number
}

interface Posted {
  kind: 'webhook'
  /** The id of the delivery. */
  id: string
  webhook: string
  event: string
  outcome: 'succeeded' | 'failed'
  /** The status of the answer; null without one. */
  status: number | null
  reason?: string
  ms: number
}

/** An event of a mail or of a webhook. */
export type ActivityEvent = Accepted | Refused | Delivered | Posted

/** The kinds of events, and the notice that lines were left out. */
export type ActivityNotice = ActivityEvent | { kind: 'left-out', network: string, refusals: number }

export interface Activity {
  /** Writes a line to the log, at the level info, and passes the event to the listeners. */
  record(event: ActivityEvent): void
  /** @returns a function that ends this */
  listen(listener: (event: ActivityNotice) => void): () => void
  close(): void
}

/** Maximum ids of emails and domains of recipients in a line: a mail can have 100 recipients. */
const maxListed = 10

/**
 * Follows what happens to mail and webhooks. A line costs about 5 microseconds, and nothing while neither the log nor a listener takes it.
 */
export function openActivity(log: Logger, clock: Clock): Activity {
  const listeners = new Set<(event: ActivityNotice) => void>()
  const isTaken = () => listeners.size > 0 || log.isLevelEnabled('info')
  const refusals = openRefusalLimit(clock, (network, leftOut) => {
    log.info({ kind: 'left-out', network, refusals: leftOut }, 'more refusals to this network, without a line each')
    for (const listener of listeners) listener({ kind: 'left-out', network, refusals: leftOut })
  })
  return {
    record(event) {
      if (!isTaken() || event.kind === 'refused' && !refusals.admits(event.network)) return
      log.info(lineOf(event), event.kind === 'refused' ? event.stage : titles[event.kind])
      for (const listener of listeners) listener(event)
    },
    listen(listener) {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
    close: refusals.close,
  }
}

const titles = { accepted: 'mail', delivered: 'delivery', webhook: 'webhook' }

/**
 * An event as the log has it: of addresses the domains alone, because local parts identify people (docs/decisions/0024). Texts of refusals
 * are constants.
 */
function lineOf(event: ActivityEvent): object {
  const ms = Math.round(event.ms * 100) / 100
  if (event.kind === 'webhook') return { ...event, ms }
  const { addresses, ...rest } = event
  const to = { recipients: addresses.length, domains: domainsOf(addresses) }
  if (rest.kind === 'delivered') return { ...rest, ...to, ms, ...rest.reason !== undefined && { reason: withoutReplyText(rest.reason) } }
  const { from, ...mail } = rest
  const envelope = { senderDomain: loggedDomain(from), ...to, ms }
  return mail.kind === 'refused' ? { ...mail, ...envelope } : { ...mail, ids: mail.ids.slice(0, maxListed), outcome: 250, ...envelope }
}

/** One domain is the most frequent case by far. */
const domainsOf = (addresses: string[]): string[] => addresses.length === 1
  ? [loggedDomain(addresses[0]!)]
  : [...new Set(addresses.map(loggedDomain))].slice(0, maxListed)
