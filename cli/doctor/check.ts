import type { Config } from '../../server/config/config.ts'
import type { Resolver } from '../../server/outbound/dns.ts'
import type { Inspection } from '../../server/store/inspect.ts'

export interface Finding {
  status: 'ok' | 'warning' | 'problem'
  found: string
  /** The remedy. */
  advice: string | null
}

/** The input of the checks. */
export interface CheckContext {
  config: Config
  /** Whether the server is to receive mail from the internet: the default domain is a name of the public DNS. */
  isPublic: boolean
  resolver: Resolver
  database: Inspection
  /** Milliseconds since 1970. */
  now: number
}

export interface Check {
  name: string
  /** Without it, the check is for every server. */
  appliesTo?: (context: CheckContext) => boolean
  run: (context: CheckContext) => Promise<Finding | Finding[]>
}

/** For one connection to a host. */
export const timeoutMs = 5_000

export const ok = (found: string): Finding => ({ status: 'ok', found, advice: null })
export const warning = (found: string, advice: string): Finding => ({ status: 'warning', found, advice })
export const problem = (found: string, advice: string): Finding => ({ status: 'problem', found, advice })

/** A warning: the record may exist, but the DNS lookup failed. */
export const notAsked = (what: string, { reason }: { reason: string }): Finding =>
  warning(`${what} could not be asked. ${reason}`, 'Run this again when the DNS answers.')

/** A problem with outgoing mail; only a warning in capture mode, in which no mail leaves this host. */
export const sendingProblem = ({ config }: CheckContext): typeof problem => config.outbound.kind === 'capture' ? warning : problem

export const isPublic = ({ isPublic }: CheckContext): boolean => isPublic

/** Names that are never in the public DNS (RFC 2606, RFC 6761, RFC 6762). */
export const isLocalName = (name: string): boolean => /(^|\.)(localhost|test|example|invalid|local)$/.test(name)

/** Whether the host of a listener or of a URL is reachable from this machine only. */
export const isLoopback = (host: string): boolean => /^(127(\.\d+){3}|\[?::1\]?|(.+\.)?localhost)$/i.test(host)

/** A record of a zone file; its strings have at most 255 bytes (RFC 1035 §3.3). */
export const txtRecord = (name: string, text: string): string =>
  `Set ${name}. TXT ${text.match(/.{1,255}/g)!.map((part) => `"${part}"`).join(' ')}`

/** Normalizes a DNS name for comparisons. */
export const sameName = (a: string, b: string): boolean => plainName(a) === plainName(b)

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '')
