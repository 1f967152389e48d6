import type { Email, EmailChecks, Link } from '../../contract/types.gen.ts'
import { readContent } from '../parse/read-content.ts'
import type { MailContent } from '../parse/read-content.ts'
import { clients, features } from './client-support.gen.ts'
import { otherHostIn } from './link-text.ts'
import { findUsed } from './used-features.ts'
import type { UsedHtml } from './used-features.ts'

type Result = EmailChecks['result']
type WrittenLink = Pick<Link, 'url' | 'text'>

/** Gmail shows the first 102 kB of the HTML of a mail, and a link to the rest. */
const maxHtmlBytes = 102 * 1024

/** The keys of features, with the index of the feature. */
const featureOf = new Map(features.flatMap(([, , , keys], index) => keys.split(' | ').map((key) => [key, index] as const)))

/**
 * Checks a mail for what mail clients, spam filters and readers mind, in time linear in its size.
 * @param email its stored members
 */
export function checkMail(source: Buffer, email: Pick<Email, 'authentication'> & { links: WrittenLink[] }): EmailChecks {
  const content = readContent(source)
  const used = findUsed(content.html, (key) => featureOf.has(key))
  return withResult({
    clients: checkClients(used),
    images: checkImages(used, content.attachments),
    size: checkSize(content.html),
    text: checkText(content),
    unsubscribe: checkUnsubscribe(content.headers),
    authentication: checkAuthentication(email),
    links: checkLinks(email.links),
  })
}

/** Adds how links answered: the first ones, in their order. */
export function withLinkStatus(checks: EmailChecks, statuses: LinkStatus[]): EmailChecks {
  const links = checks.links.links.map((link, index) => {
    const answered = statuses[index]
    return answered ? { ...link, ...answered, result: worstOf([link.result, resultOf(answered)]) } : link
  })
  const result = worstOf([checks.links.result, ...links.map((link) => link.result)])
  return withResult({ ...checks, links: { ...checks.links, links, result } })
}

type LinkStatus = Pick<EmailChecks['links']['links'][number], 'status' | 'redirects' | 'error'>

/** Statuses that programs get of links that a person can open. */
const refusals = [401, 403, 429]

/** A link without an answer fails, unless a limit ended its requests. */
const resultOf = ({ status, redirects }: LinkStatus): Result =>
  status === null ? redirects === null ? 'warn' : 'fail' : refusals.includes(status) ? 'warn' : status >= 400 ? 'fail' : 'pass'

/** Adds the worst result of all checks. */
function withResult(checks: Omit<EmailChecks, 'result'>): EmailChecks {
  const { clients, images, size, text, unsubscribe, authentication, links } = checks
  const all = { clients, images, size, text, unsubscribe, authentication, links }
  return { result: worstOf(Object.values(all).map(({ result }) => result)), ...all }
}

const order: Result[] = ['fail', 'warn', 'pass', 'none']

const worstOf = (results: Result[]): Result => order.find((result) => results.includes(result)) ?? 'none'

function checkClients({ uses }: UsedHtml): EmailChecks['clients'] {
  const counts = new Map<number, number>()
  for (const [key, count] of uses) {
    const index = featureOf.get(key)!
    counts.set(index, (counts.get(index) ?? 0) + count)
  }
  const withSupport = (support: string, letter: string) => clients.filter((_, place) => support[place] === letter).map(([id]) => id)
  const limited = [...counts].sort(([a], [b]) => a - b).map(([index, count]) => {
    const [id, title, support] = features[index]!
    return { id, title, count, partial: withSupport(support, 'a'), unsupported: withSupport(support, 'n') }
  }).filter(({ partial, unsupported }) => partial.length + unsupported.length > 0)
  const resultOf = (client: string): Result =>
    limited.some(({ unsupported }) => unsupported.includes(client)) ? 'fail' : limited.some(({ partial }) => partial.includes(client)) ? 'warn' : 'pass'
  return {
    result: counts.size === 0 ? 'none' : limited.length > 0 ? 'warn' : 'pass',
    support: Object.fromEntries(clients.map(([id]) => [id, counts.size === 0 ? 'none' : resultOf(id)])),
    features: limited,
  }
}

function checkImages({ images }: UsedHtml, attachments: MailContent['attachments']): EmailChecks['images'] {
  const contentIds = new Set(attachments.map(({ contentId }) => contentId))
  const embedded = images.filter(({ src }) => /^cid:/i.test(src))
  const missing = embedded.filter(({ src }) => !contentIds.has(decoded(src.slice('cid:'.length)))).length
    + images.filter(({ src }) => src === '').length
  const [withoutAlt, withoutSize] = [images.filter(({ hasAlt }) => !hasAlt).length, images.filter(({ hasSize }) => !hasSize).length]
  return {
    result: images.length === 0 ? 'none' : missing > 0 ? 'fail' : withoutAlt + withoutSize > 0 ? 'warn' : 'pass',
    total: images.length,
    remote: images.filter(({ src }) => /^(?:https?:)?\/\//i.test(src)).length,
    embedded: embedded.length,
    missing, withoutAlt, withoutSize,
  }
}

/** @param contentId of a URL, in which some characters are percent-encoded (RFC 2392, section 2) */
function decoded(contentId: string): string {
  try {
    return decodeURIComponent(contentId)
  } catch {
    return contentId
  }
}

function checkSize(html: string): EmailChecks['size'] {
  const htmlBytes = Buffer.byteLength(html)
  return { result: htmlBytes === 0 ? 'none' : htmlBytes > maxHtmlBytes ? 'fail' : 'pass', htmlBytes, maxHtmlBytes }
}

function checkText({ text, html }: Pick<MailContent, 'text' | 'html'>): EmailChecks['text'] {
  const [hasText, hasHtml] = [text, html].map((body) => /\S/.test(body)) as [boolean, boolean]
  return { result: hasText ? 'pass' : hasHtml ? 'warn' : 'fail', hasText, hasHtml }
}

/** Maximum of URLs that are shown. */
const maxUnsubscribeUrls = 10

/** @see RFC 2369, section 3.2, and RFC 8058, section 3 */
function checkUnsubscribe(headers: Record<string, string>): EmailChecks['unsubscribe'] {
  const list = headerOf(headers, 'list-unsubscribe')
  const urls = [...(list ?? '').matchAll(/<\s*((?:https?|mailto):[^<>]*)>/gi)].map(([, url]) => url!.replaceAll(/\s/g, '')).slice(0, maxUnsubscribeUrls)
  const post = headerOf(headers, 'list-unsubscribe-post') ?? ''
  const isOneClick = /^\s*list-unsubscribe=one-click\s*$/i.test(post) && urls.some((url) => /^https:/i.test(url))
  return { result: list === undefined ? 'none' : urls.length === 0 ? 'fail' : isOneClick ? 'pass' : 'warn', urls, isOneClick }
}

const headerOf = (headers: Record<string, string>, name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]

function checkAuthentication({ authentication }: Pick<Email, 'authentication'>): EmailChecks['authentication'] {
  if (!authentication) return { result: 'none', spf: null, dkim: null, dmarc: null }
  const { spf, dkim, dmarc } = authentication
  const signed = dkim.find(({ result }) => result === 'pass') ?? dkim[0]
  const results = [spf.result, signed?.result ?? 'none', dmarc.result]
  const hasFailed = results.some((result) => result === 'fail' || result === 'softfail')
  return {
    result: dmarc.result === 'pass' ? 'pass' : hasFailed ? 'fail' : 'warn',
    spf: results[0]!, dkim: results[1]!, dmarc: results[2]!,
  }
}

function checkLinks(links: WrittenLink[]): EmailChecks['links'] {
  const hosts = new Set<string>()
  const checked = links.map(({ url, text }) => {
    const { host = '', protocol } = URL.parse(url) ?? {}
    hosts.add(host)
    const namedHost = otherHostIn(text, host) ?? null
    const isInsecure = protocol === 'http:'
    return { url, result: toResult(isInsecure || namedHost !== null), isInsecure, namedHost, status: null, redirects: null, error: null }
  })
  return {
    result: links.length === 0 ? 'none' : worstOf(checked.map(({ result }) => result)),
    total: links.length,
    insecure: checked.filter(({ isInsecure }) => isInsecure).length,
    mismatched: checked.filter(({ namedHost }) => namedHost !== null).length,
    hosts: [...hosts],
    links: checked,
  }
}

const toResult = (isWarning: boolean): Result => isWarning ? 'warn' : 'pass'
