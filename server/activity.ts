import type { Logger } from 'pino'
import { minuteMs } from './clock.ts'
import type { Clock } from './clock.ts'
import { loggedDomain } from './mailbox.ts'
import type { Refusal } from './metrics/metrics.ts'

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

/** Maximum lines a minute about refusals to one network. */
const maxLines = 100
/** Maximum networks with a limit of their own; further ones share one. */
const maxNetworks = 200
const otherNetworks = 'others'

interface RefusalLimit {
  /** Counts a refusal. @returns whether it gets a line */
  admits(network: string): boolean
  /** Reports the refusals of this minute that got no line, and ends the timer. */
  close(): void
}

/**
 * Limits the lines about refusals, since a client can cause thousands a second.
 * @param report called at the end of a minute for each network whose refusals were left out, with their number
 */
function openRefusalLimit(clock: Clock, report: (network: string, leftOut: number) => void): RefusalLimit {
  let counts = new Map<string, number>()
  let cancelTimer = () => {}
  const endMinute = () => {
    cancelTimer()
    const ended = counts
    counts = new Map()
    for (const [network, count] of ended) if (count > maxLines) report(network, count - maxLines)
  }
  return {
    admits(network) {
      if (counts.size === 0) cancelTimer = clock.at(clock.now() + minuteMs, endMinute)
      const counted = counts.has(network) || counts.size < maxNetworks ? network : otherNetworks
      const count = (counts.get(counted) ?? 0) + 1
      counts.set(counted, count)
      return count <= maxLines
    },
    close: endMinute,
  }
}

const said = ' said: '

/** The reason of a mail that another server refused or deferred. @param reply its reply as one line, with its codes */
export const replyReason = (host: string, reply: string): string => `${host}${said}${reply}`

/**
 * Removes the text of a reply from a reason, for the log: it may name people in any form, such as `user bob.smith unknown`, `b o b` or the
 * address to which an alias leads. The code and the enhanced status code (RFC 3463, section 2) stay.
 */
function withoutReplyText(reason: string): string {
  const at = reason.indexOf(said)
  if (at < 0) return reason
  const reply = reason.slice(at + said.length)
  return replyReason(reason.slice(0, at), codes.exec(reply)?.[0] ?? 'no code')
}

const codes = /^[2-5]\d\d(?: [245]\.\d{1,3}\.\d{1,3})?(?![^ ])/
