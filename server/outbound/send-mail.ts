import { unlessAborted, withDeadline } from '../deadline.ts'
import { isPublicAddress } from '../network.ts'
import type { Resolver } from './dns.ts'
import { namesHost } from './mta-sts.ts'
import type { MtaSts } from './mta-sts.ts'
import { mailRoutes, readSmartHost } from './routes.ts'
import type { SessionResult } from './session-result.ts'
import { eightBitCheck, envelopeRefusal, runSession } from './session.ts'
import type { MailServer, MailTimeouts, OutgoingMail, SendOutcome, SessionMail, SessionOptions } from './session.ts'

/** The destination of a mail: the MX hosts of its domain, or a smart host that delivers it further. */
export type MailTarget =
  | {
    kind: 'direct', resolver: Resolver, mtaStsPolicies: MtaSts, domain: string, port: number
    /** Whether mail may go to mail servers at private addresses. */
    allowPrivate: boolean
    /** `isPublicAddress`, except in tests. */
    isPublic?: (ip: string) => boolean
  }
  /** `smtp(s)://user:password@host:port`; user and password may be percent-encoded. @see readSmartHost */
  | { kind: 'smarthost', url: string }

export interface SendOptions {
  /** The host name in EHLO. */
  name: string
  /** `attemptMs` is for the whole attempt. */
  timeouts?: Partial<MailTimeouts & { attemptMs: number }>
  /** Ends the attempt, which is then deferred. */
  signal?: AbortSignal
}

/** For replies shorter than RFC 5321, section 4.5.3.2, recommends: a mail that is deferred is sent again. */
const defaultTimeouts = {
  connectionMs: 30_000, greetingMs: 30_000, idleMs: 60_000, finalReplyMs: 300_000, lastReplyMs: 5_000, quitMs: 2_000, attemptMs: 600_000,
}

/** Maximum IP addresses that one attempt tries. */
const maxAddresses = 6

/**
 * Sends a mail to one recipient. It never rejects, and all its connections and timers are closed when it resolves.
 * @see RFC 5321, section 3.3; RFC 3207, section 4, for STARTTLS, which is used when it is offered; RFC 8461, section 5, for domains that
 * require it
 */
export async function sendMail(target: MailTarget, mail: OutgoingMail, options: SendOptions): Promise<SendOutcome> {
  const refusal = envelopeRefusal(mail)
  if (refusal) return { kind: 'refused', reason: refusal }
  const timeouts = { ...defaultTimeouts, ...options.timeouts }
  const sessionMail: SessionMail = { ...mail, is8Bit: eightBitCheck(mail) }
  return withDeadline({
    timeoutMs: timeouts.attemptMs,
    timeoutReason: 'It took too long to send the mail',
    signal: options.signal,
    abortReason: 'This server was stopped before the mail was sent',
  }, async (signal) => {
    const session: SessionOptions = { name: options.name, timeouts, signal }
    try {
      return await (target.kind === 'direct' ? sendDirect(target, sessionMail, session) : sendBySmartHost(target.url, sessionMail, session))
    } catch (error) {
      if (signal.aborted) return { kind: 'deferred', reason: String(signal.reason) }
      return { kind: 'deferred', reason: 'This server failed to send the mail', fault: error }
    }
  })
}

async function sendDirect(
  { resolver, mtaStsPolicies, domain, port, allowPrivate, isPublic = isPublicAddress }: MailTarget & { kind: 'direct' },
  mail: SessionMail, session: SessionOptions,
): Promise<SendOutcome> {
  const routes = await unlessAborted(mailRoutes(resolver, domain), session.signal)
  if (routes.kind === 'later') return { kind: 'deferred', reason: routes.reason }
  if (routes.kind === 'refused') return routes
  const policy = await mtaStsPolicies.policyOf(domain, session.signal)
  const isEnforced = policy?.mode === 'enforce'
  const failures: (SessionResult & { kind: 'deferred' })[] = []
  let hasPrivateHost = false
  let addressesLeft = maxAddresses
  for (const host of routes.hosts) {
    if (isEnforced && !namesHost(policy, host.name)) {
      failures.push({ kind: 'deferred', cause: 'network', reason: `The MTA-STS policy of ${domain} does not allow its mail server ${host.name}` })
      continue
    }
    const found = await unlessAborted(host.addresses(), session.signal)
    if (found.kind === 'unknown') failures.push({ kind: 'deferred', cause: 'network', reason: found.reason })
    if (found.kind !== 'found') continue
    // sessions connect to the checked addresses: another look-up of the name could return private ones (DNS rebinding)
    const addresses = allowPrivate ? found.records : found.records.filter(isPublic)
    hasPrivateHost ||= addresses.length === 0
    for (const address of addresses) {
      if (addressesLeft-- === 0) return deferral(failures)
      const server: MailServer = { name: host.name, host: address, port, tls: isEnforced ? 'required' : 'offered', isVerified: isEnforced }
      const result = await runSession(server, mail, session)
      if (result.kind !== 'deferred') return result
      failures.push(result)
      // the host may have accepted the mail, so no other host is tried: it could deliver the mail twice
      if (result.cause === 'this-server' || result.cause === 'no-final-reply') return deferral([result])
      if (result.cause === 'reply') break // the other addresses belong to the same host
    }
  }
  if (failures.length > 0) return deferral(failures)
  return { kind: 'refused', reason: `No mail server: those of ${domain} ${hasPrivateHost ? 'are not on the public internet' : 'do not exist'}` }
}

async function sendBySmartHost(url: string, mail: SessionMail, session: SessionOptions): Promise<SendOutcome> {
  const result = await runSession(readSmartHost(url), mail, session)
  return result.kind === 'deferred' ? deferral([result]) : result
}

/** A reply of a host is a better reason than a failed connection to another one. */
function deferral(failures: (SessionResult & { kind: 'deferred' })[]): SendOutcome {
  const { reason } = failures.find(({ cause }) => cause === 'reply') ?? failures[0]!
  return { kind: 'deferred', reason }
}
