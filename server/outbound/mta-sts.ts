import type { MtaStsMode } from '../config/config.ts'
import { policyPath } from '../config/mta-sts-policy.ts'
import { unlessAborted, withDeadline } from '../deadline.ts'
import { openExpiringMap } from '../expiring-map.ts'
import { isPublicTarget } from '../network.ts'
import type { DnsAnswer, Resolver } from './dns.ts'
import { findTarget, TargetError } from './webhook-target.ts'
import { reasonOf, requestOnce } from './webhook.ts'

/** How mail for a domain is protected on its way to the MX hosts. */
export interface MtaStsPolicy {
  mode: MtaStsMode
  /** Names of MX hosts; `*.example.com` has one label before it. */
  mx: string[]
  maxAgeSeconds: number
}

/** The policies of other domains. */
export interface MtaSts {
  /** @returns undefined without a policy, or when it cannot be fetched. It never rejects, unless the signal aborts. */
  policyOf(domain: string, signal: AbortSignal): Promise<MtaStsPolicy | undefined>
}

export interface MtaStsOptions {
  resolver: Resolver
  /** Whether policies may be at private addresses. */
  allowPrivate: boolean
  /** 443, except in tests. */
  port?: number
  timeoutMs?: number
  /** Ends requests. */
  closing?: AbortSignal
}

const maxPolicies = 10_000
/** RFC 8461, section 3.3: a host that did not answer is left alone for some minutes. */
const retryMs = 300_000

/** Fetches policies when mail goes to a domain, and keeps them in memory for as long as they say. */
export function openMtaSts(options: MtaStsOptions): MtaSts {
  const { resolver } = options
  const kept = openExpiringMap<{ id: string, policy: MtaStsPolicy }>(maxPolicies)
  /** Domains with the id of a policy that could not be fetched. */
  const failed = openExpiringMap<true>(maxPolicies)
  const underWay = new Map<string, Promise<MtaStsPolicy | undefined>>()

  async function find(domain: string): Promise<MtaStsPolicy | undefined> {
    const record = await findPolicyId(resolver, domain)
    const found = kept.get(domain)
    // a record that is gone does not end a policy: an attacker could hide it
    if (record.kind !== 'found' || found?.id === record.id || failed.get(`${domain} ${record.id}`)) return found?.policy
    const { policy } = await fetchPolicy(domain, options)
    if (policy) kept.set(domain, { id: record.id, policy }, policy.maxAgeSeconds * 1000)
    else failed.set(`${domain} ${record.id}`, true, retryMs)
    return policy ?? found?.policy
  }

  return {
    policyOf(domain, signal) {
      const finding = underWay.get(domain) ?? find(domain).finally(() => underWay.delete(domain))
      underWay.set(domain, finding)
      return unlessAborted(finding, signal)
    },
  }
}

type PolicyId = { kind: 'found', id: string } | { kind: 'invalid', records: string[] } | Exclude<DnsAnswer<string>, { kind: 'found' }>

export const policyRecordName = (domain: string): string => `_mta-sts.${domain}`
export const policyHost = (domain: string): string => `mta-sts.${domain}`
export const policyUrl = (domain: string): string => `https://${policyHost(domain)}${policyPath}`

/** Reads the record that says that a domain has a policy, and which. @see RFC 8461, section 3.1 */
export async function findPolicyId(resolver: Resolver, domain: string): Promise<PolicyId> {
  const found = await resolver.txt(policyRecordName(domain))
  if (found.kind !== 'found') return found
  const records = found.records.filter((text) => /^v=STSv1[ \t]*;/.test(text))
  if (records.length === 0) return { kind: 'none' }
  const id = records.length > 1 ? undefined : records[0]!.split(';').map((field) => /^id=([a-z0-9]{1,32})$/i.exec(field.trim())?.[1]).find(Boolean)
  return id === undefined ? { kind: 'invalid', records } : { kind: 'found', id }
}

type FetchedPolicy = { policy: MtaStsPolicy } | { policy: undefined, reason: string }

/** Fetches the policy of a domain, over TLS with a valid certificate and without redirects. @see RFC 8461, section 3.3 */
export async function fetchPolicy(domain: string, options: MtaStsOptions): Promise<FetchedPolicy> {
  const { resolver, allowPrivate, port = 443, timeoutMs = 10_000, closing } = options
  let text = ''
  try {
    const url = URL.parse(`https://${policyHost(domain)}:${port}${policyPath}`)
    if (!url) throw new TargetError('The domain is no name of a host.')
    const timeoutReason = new TargetError(`There was no answer within ${timeoutMs / 1000} seconds.`)
    await withDeadline({ timeoutMs, timeoutReason, signal: closing, abortReason: new TargetError('This server was stopped.') }, async (signal) => {
      const addresses = await unlessAborted(findTarget(resolver, url, allowPrivate ? () => true : isPublicTarget), signal)
      await requestOnce(url, addresses, { method: 'GET', headers: { accept: 'text/plain' }, signal }, async ({ statusCode, headers, body }) => {
        body.on('error', () => {}) // of one that is not read
        if (statusCode !== 200) throw new TargetError(`It answers ${statusCode}.`)
        if (!/^text\/plain\b/i.test(String(headers['content-type']))) throw new TargetError('It is not text/plain.')
        text = await body.text()
      })
    })
    return { policy: parsePolicy(text) }
  } catch (error) {
    return { policy: undefined, reason: reasonOf(error) }
  }
}

/** Above a year, RFC 8461, section 3.2, allows none. */
const maxMaxAge = 31_557_600

/** @throws TargetError when the text is no policy */
function parsePolicy(text: string): MtaStsPolicy {
  const fields = text.split('\n').map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()] as const
  })
  const first = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? ''
  const mx = fields.filter(([name, value]) => name === 'mx' && value !== '').map(([, value]) => value.toLowerCase().replace(/\.$/, ''))
  const [mode, age] = [first('mode'), first('max_age')]
  if (first('version') !== 'STSv1' || !isMode(mode) || !/^\d{1,10}$/.test(age) || mode !== 'none' && mx.length === 0) {
    throw new TargetError('It is no policy of the version STSv1.')
  }
  return { mode, mx, maxAgeSeconds: Math.min(Number(age), maxMaxAge) }
}

const isMode = (text: string): text is MtaStsMode => text === 'enforce' || text === 'testing' || text === 'none'

/** Whether a policy names an MX host. @see RFC 8461, section 4.1 */
export function namesHost({ mx }: Pick<MtaStsPolicy, 'mx'>, host: string): boolean {
  const name = host.toLowerCase()
  return mx.some((pattern) => pattern === name || pattern.startsWith('*.') && name.replace(/^[^.]+/, '*') === pattern)
}
