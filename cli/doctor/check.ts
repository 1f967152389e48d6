import type { Config } from '../../server/config.ts'
import type { Resolver } from '../../server/outbound/dns.ts'
import type { Inspection } from '../../server/store/inspect.ts'

export interface Finding {
  status: 'ok' | 'warning' | 'problem'
  found: string
  /** What to do about it. */
  advice: string | null
}

/** What the checks look at. */
export interface CheckContext {
  config: Config
  /** Mail from the internet is to come here: the default domain is one that the DNS can know. */
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

/** Of one connection to a host. */
export const timeoutMs = 5_000

export const ok = (found: string): Finding => ({ status: 'ok', found, advice: null })
export const warning = (found: string, advice: string): Finding => ({ status: 'warning', found, advice })
export const problem = (found: string, advice: string): Finding => ({ status: 'problem', found, advice })

/** A warning: a record that the DNS did not answer for may exist. */
export const notAsked = (what: string, { reason }: { reason: string }): Finding =>
  warning(`${what} could not be asked. ${reason}`, 'Run this again when the DNS answers.')

/** A problem with outgoing mail; a warning while mail is captured, as none leaves this host. */
export const sendingProblem = ({ config }: CheckContext): typeof problem => config.outbound.kind === 'capture' ? warning : problem

export const isPublic = ({ isPublic }: CheckContext): boolean => isPublic

/** Names that the DNS never answers for (RFC 2606, RFC 6761, RFC 6762). */
export const isLocalName = (name: string): boolean => /(^|\.)(localhost|test|example|invalid|local)$/.test(name)

/** Whether a host of a listener or of a URL is this machine alone. */
export const isLoopback = (host: string): boolean => /^(127(\.\d+){3}|\[?::1\]?|(.+\.)?localhost)$/i.test(host)

/** A record of a zone file; strings of it have 255 bytes at most (RFC 1035, section 3.3). */
export const txtRecord = (name: string, text: string): string =>
  `Set ${name}. TXT ${text.match(/.{1,255}/g)!.map((part) => `"${part}"`).join(' ')}`

/** As DNS names are compared. */
export const sameName = (a: string, b: string): boolean => plainName(a) === plainName(b)

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '')
