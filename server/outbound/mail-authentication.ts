import { Readable } from 'node:stream'
import { authenticate } from 'mailauth'
import type { AuthenticateResult } from 'mailauth'
import type { SigningKey } from '../config.ts'
import type { Authentication } from '../contract/types.gen.ts'
import type { Envelope } from '../envelope.ts'
import { unchecked } from './authenticated-mail.ts'
import type { AuthenticatedMail } from './authenticated-mail.ts'
import { limitLookups } from './limited-lookup.ts'
import type { Lookup } from './limited-lookup.ts'
import { readHead } from './mail-head.ts'
import type { RawHeaderField } from './mail-head.ts'

export interface AuthenticationOptions {
  /** Queries the DNS, as `dns.promises.resolve` does. */
  lookup: Lookup
  /** Name of this host in the results. */
  mta: string
  /** Seals a mail that is to be forwarded. */
  sealKey: SigningKey | null
  /** For the whole check; results that are not known by then are `temperror`. */
  timeoutMs?: number
}

/**
 * Authenticates a received mail by SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989). Takes time linear in the size of the mail,
 * regardless of its content.
 */
export async function authenticateMail(
  source: AsyncIterable<Uint8Array>,
  envelope: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>,
  { lookup, mta, sealKey, timeoutMs = 8_000 }: AuthenticationOptions,
): Promise<AuthenticatedMail> {
  const isLocal = envelope.remoteAddress === ''
  if (isLocal && !sealKey) return { results: null, arc: null }
  const until = performance.now() + timeoutMs
  const limited = limitLookups(lookup, timeoutMs)
  try {
    const head = await readHead(source)
    const { fields, isUnreadable, hasHashes } = chooseFields(head.fields, head.isCut)
    const seal = sealKey && !isUnreadable ? toSeal(sealKey) : undefined
    const bytes = bytesOf(fields, seal || hasHashes ? head.body : null, until)
    const result = await authenticate(Readable.from(bytes, { objectMode: false }), {
      ...(isLocal ? localClient : toClient(envelope)),
      mta,
      resolver: limited.lookup as never,
      disableBimi: true,
      disableArc: !seal,
      rejectRsaSha1: true,
      ...(seal && { seal }),
    })
    if (isLocal) return { results: null, arc: arcOf(result) }
    const results = toResults(result)
    return { results: isUnreadable ? withoutSignatures(results) : results, arc: seal ? arcOf(result) : null }
  } catch {
    return { results: isLocal ? null : unchecked, arc: null } // a timeout, or an error of mailauth
  } finally {
    limited.end()
  }
}

/** The client of a mail from this host itself, which has no SPF result. */
const localClient = { ip: '127.0.0.1', sender: '', helo: '[127.0.0.1]' }

const toClient = ({ sender, helo, remoteAddress }: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>) =>
  ({ ip: remoteAddress, sender: sender.slice(-maxSenderChars), helo: helo.slice(0, maxNameChars) || 'unknown' })

const toSeal = (key: SigningKey) => ({ signingDomain: key.domain, selector: key.selector, privateKey: key.privateKey })

/** RFC 5321 allows 254 characters of a sender and 255 of a name. */
const maxSenderChars = 320
const maxNameChars = 255

/** Maximum DKIM signatures that are checked: the last ones in the header, which were added first. */
const maxSignatures = 10
const maxFields = 2_000
/** Of one DKIM signature, and of one ARC field. */
const maxSignatureChars = 8 * 1024
/** Of all From fields. */
const maxAuthorsChars = 16 * 1024
/** RFC 8617, section 4.2.1, allows 50 sets of three fields. */
const maxArcFields = 150

const isSignature = ({ name }: RawHeaderField) => name === 'dkim-signature'
const isArc = ({ name }: RawHeaderField) => name.startsWith('arc-')
const isNameless = ({ name }: RawHeaderField) => name === ''
const isAuthor = ({ name }: RawHeaderField) => name === 'from'
const isLong = ({ text }: RawHeaderField) => text.length > maxSignatureChars
const lengthOf = (fields: RawHeaderField[]) => fields.reduce((sum, { text }) => sum + text.length, 0)

/** Leaves out fields that would take mailauth too long. */
function chooseFields(fields: RawHeaderField[], isCut: boolean) {
  const [, ...below] = fields
  const authors = fields.filter(isAuthor)
  const arc = fields.filter(isArc)
  const isUnreadable = isCut || fields.length > maxFields || lengthOf(authors) > maxAuthorsChars
    || arc.length > maxArcFields || arc.some(isLong) || below.some(isNameless)
  if (isUnreadable) {
    return { fields: lengthOf(authors) > maxAuthorsChars ? [] : authors, isUnreadable, hasHashes: false }
  }
  const checked = new Set(fields.filter((field) => isSignature(field) && !isLong(field)).slice(-maxSignatures))
  return {
    fields: fields.filter((field) => !isNameless(field) && (!isSignature(field) || checked.has(field))),
    isUnreadable,
    hasHashes: checked.size > 0 || arc.length > 0,
  }
}

/** The bytes for mailauth. @param body null when there is no signature, because then it is not needed */
async function* bytesOf(fields: RawHeaderField[], body: AsyncIterable<Uint8Array> | null, until: number) {
  yield Buffer.from(fields.map(({ text }) => text).join(''), 'latin1')
  if (!body) return
  for await (const chunk of body) {
    yield chunk
    await new Promise(setImmediate) // lets the checks of other mails continue
    if (performance.now() > until) throw new Error('timeout')
  }
}

type Spf = Authentication['spf']['result']
type Dkim = Authentication['dkim'][number]['result']
type Dmarc = Authentication['dmarc']['result']

const spfResults = new Set<string>(['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'] satisfies Spf[])
const dkimResults = new Set<string>(['none', 'neutral', 'pass', 'fail', 'policy', 'temperror', 'permerror'] satisfies Dkim[])
const dmarcResults = new Set<string>(['none', 'pass', 'fail', 'temperror', 'permerror'] satisfies Dmarc[])

/** Results that mailauth reports as neutral, by its comment, but RFC 6376, section 6.1, defines otherwise. */
const failures: Record<string, Dkim> = {
  'body hash did not verify': 'fail',
  'no key': 'permerror',
  'unknown key version': 'permerror',
  'unknown key type': 'permerror',
  'invalid public key': 'permerror',
  'inappropriate hash algorithm': 'permerror',
  'key not for email': 'permerror',
}

function toResults({ spf, dkim, dmarc, dmarcSkipReason }: AuthenticateResult): Authentication {
  const signatures = dkim.results.filter(({ signingDomain }) => signingDomain !== undefined)
  return {
    spf: { result: known(spfResults, spf ? spf.status.result : 'none', 'temperror'), domain: domain(spf && spf.domain) },
    dkim: signatures.map(({ status, signingDomain, selector }) => ({
      result: toDkimResult(status), domain: clean(signingDomain), selector: clean(selector),
    })),
    dmarc: dmarc
      ? { result: known(dmarcResults, dmarc.status.result, 'none'), domain: clean(dmarc.status.header?.['from']), policy: clean(dmarc.policy) }
      // a mail with authors of several domains has no DMARC result
      : { result: !dmarcSkipReason || dmarcSkipReason === 'no-author-domain' ? 'none' : 'permerror', domain: null, policy: null },
  }
}

/** For a mail whose signatures were not checked, because its header exceeds a limit. */
const withoutSignatures = (results: Authentication): Authentication =>
  ({ ...results, dkim: [{ result: 'permerror', domain: null, selector: null }] })

const toDkimResult = ({ result, comment }: { result: string, comment?: string }): Dkim =>
  (result === 'neutral' ? failures[comment ?? ''] : undefined) ?? known(dkimResults, result, 'neutral')

const known = <T extends string>(results: Set<string>, result: string, otherwise: T) => results.has(result) ? result as T : otherwise

/** Cleans text that a sender or a name server has chosen: one line of limited length. */
function clean(text: unknown): string | null {
  if (typeof text !== 'string') return null
  return text.toWellFormed().replace(/[\p{C}\s]/gu, '').slice(0, maxNameChars).toWellFormed() || null
}

function domain(text: unknown): string | null {
  const name = clean(text)
  return name && /^[^.[\]@]+(\.[^.[\]@]+)+$/.test(name) ? name : null
}

/** Returns the three header fields of our ARC seal; null when mailauth returned anything else, against header injection. */
function arcOf({ headers }: AuthenticateResult): string | null {
  const fields = headers.split(/\r\n(?![ \t])/).filter((field) => /^ARC-/i.test(field))
  const isWhole = fields.length === 3 && fields.every((field) => /^[^\r\n\0]*(\r\n[ \t][^\r\n\0]*)*$/.test(field))
  return isWhole ? fields.map((field) => `${field}\r\n`).join('') : null
}
