import { Readable } from 'node:stream'
import { authenticate } from 'mailauth'
import type { AuthenticateResult } from 'mailauth'
import type { SigningKey } from '../config.ts'
import type { Authentication } from '../contract/types.gen.ts'
import type { Envelope } from '../envelope.ts'
import { limitLookups } from './limited-lookup.ts'
import type { Lookup } from './limited-lookup.ts'
import { readHead } from './mail-head.ts'
import type { HeaderField } from './mail-head.ts'

export interface Authenticated {
  /** Null for a mail that did not come over the network. */
  results: Authentication | null
  /** Header fields that seal the results (RFC 8617), if the mail is to be sealed and can be. */
  arc: string | null
}

export interface AuthenticationOptions {
  /** Asks the DNS, as `dns.promises.resolve` does. */
  lookup: Lookup
  /** The name by which this host tells what it found. */
  mta: string
  /** Seals the mail for those it is forwarded to. */
  sealKey: SigningKey | null
  /** Milliseconds for all of it; what is not known by then is a temporary error. */
  patience?: number
}

/** What is known of a mail that could not be checked. */
export const unchecked: Authentication = {
  spf: { result: 'temperror', domain: null },
  dkim: [],
  dmarc: { result: 'temperror', domain: null, policy: null },
}

/**
 * Checks who vouches for a received mail: SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 9989).
 * Takes time linear in the size of the mail, whatever is written in it.
 */
export async function authenticateMail(
  source: AsyncIterable<Uint8Array>,
  envelope: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>,
  { lookup, mta, sealKey, patience = 8_000 }: AuthenticationOptions,
): Promise<Authenticated> {
  const isLocal = envelope.remoteAddress === ''
  if (isLocal && !sealKey) return { results: null, arc: null }
  const until = performance.now() + patience
  const limited = limitLookups(lookup, patience)
  try {
    const head = await readHead(source)
    const { fields, isUnreadable, hasHashes } = choose(head.fields, head.isCut)
    const seal = sealKey && !isUnreadable ? toSeal(sealKey) : undefined
    const bytes = bytesOf(fields, seal || hasHashes ? head.body : null, until)
    const result = await authenticate(Readable.from(bytes, { objectMode: false }), {
      ...(isLocal ? nobody : toClient(envelope)),
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
    return { results: isLocal ? null : unchecked, arc: null } // out of time, or more than mailauth can read
  } finally {
    limited.end()
  }
}

/** A mail from this host itself: there is no SPF to check. */
const nobody = { ip: '127.0.0.1', sender: '', helo: '[127.0.0.1]' }

const toClient = ({ sender, helo, remoteAddress }: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>) =>
  ({ ip: remoteAddress, sender: sender.slice(-longestSender), helo: helo.slice(0, longestName) || 'unknown' })

const toSeal = (key: SigningKey) => ({ signingDomain: key.domain, selector: key.selector, privateKey: key.privateKey })

/** Characters; RFC 5321 allows 254 of a sender and 255 of a name. */
const longestSender = 320
const longestName = 255

/** Signatures that are checked at most: those next to the body, which were there first. */
const mostSignatures = 10
/** Fields of a header, characters of one that is taken apart, and of all that name authors. */
const mostFields = 2_000
const longestSignature = 8 * 1024
const longestAuthors = 16 * 1024
/** 50 sets of three fields are the most that RFC 8617 allows. */
const mostArcFields = 150

const isSignature = ({ name }: HeaderField) => name === 'dkim-signature'
const isArc = ({ name }: HeaderField) => name.startsWith('arc-')
const isNameless = ({ name }: HeaderField) => name === ''
const isAuthor = ({ name }: HeaderField) => name === 'from'
const isLong = ({ text }: HeaderField) => text.length > longestSignature
const lengthOf = (fields: HeaderField[]) => fields.reduce((sum, { text }) => sum + text.length, 0)

/** Leaves out what would take mailauth longer than the whole mail is worth. */
function choose(fields: HeaderField[], isCut: boolean) {
  const [, ...below] = fields
  const authors = fields.filter(isAuthor)
  const arc = fields.filter(isArc)
  const isUnreadable = isCut || fields.length > mostFields || lengthOf(authors) > longestAuthors
    || arc.length > mostArcFields || arc.some(isLong) || below.some(isNameless)
  if (isUnreadable) {
    return { fields: lengthOf(authors) > longestAuthors ? [] : authors, isUnreadable, hasHashes: false }
  }
  const checked = new Set(fields.filter((field) => isSignature(field) && !isLong(field)).slice(-mostSignatures))
  return {
    fields: fields.filter((field) => !isNameless(field) && (!isSignature(field) || checked.has(field))),
    isUnreadable,
    hasHashes: checked.size > 0 || arc.length > 0,
  }
}

/** What mailauth reads; without a signature the body says nothing. */
async function* bytesOf(fields: HeaderField[], body: AsyncIterable<Uint8Array> | null, until: number) {
  yield Buffer.from(fields.map(({ text }) => text).join(''), 'latin1')
  if (!body) return
  for await (const chunk of body) {
    yield chunk
    await new Promise(setImmediate) // mails that are checked at the same time have their turn
    if (performance.now() > until) throw new Error('out of time')
  }
}

type Spf = Authentication['spf']['result']
type Dkim = Authentication['dkim'][number]['result']
type Dmarc = Authentication['dmarc']['result']

const spfResults = new Set<string>(['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'] satisfies Spf[])
const dkimResults = new Set<string>(['none', 'neutral', 'pass', 'fail', 'policy', 'temperror', 'permerror'] satisfies Dkim[])
const dmarcResults = new Set<string>(['none', 'pass', 'fail', 'temperror', 'permerror'] satisfies Dmarc[])

/** What mailauth calls neutral, by its comment, and RFC 6376 (section 6.1) does not. */
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
      // several authors of different domains: none of them can be vouched for
      : { result: !dmarcSkipReason || dmarcSkipReason === 'no-author-domain' ? 'none' : 'permerror', domain: null, policy: null },
  }
}

/** The header was not read as far as its signatures. */
const withoutSignatures = (results: Authentication): Authentication =>
  ({ ...results, dkim: [{ result: 'permerror', domain: null, selector: null }] })

const toDkimResult = ({ result, comment }: { result: string, comment?: string }): Dkim =>
  (result === 'neutral' ? failures[comment ?? ''] : undefined) ?? known(dkimResults, result, 'neutral')

const known = <T extends string>(results: Set<string>, result: string, otherwise: T) => results.has(result) ? result as T : otherwise

/** A stranger wrote it: one line, and not too long. */
function clean(text: unknown): string | null {
  if (typeof text !== 'string') return null
  return text.toWellFormed().replace(/[\p{C}\s]/gu, '').slice(0, longestName).toWellFormed() || null
}

function domain(text: unknown): string | null {
  const name = clean(text)
  return name && /^[^.[\]@]+(\.[^.[\]@]+)+$/.test(name) ? name : null
}

/** The three header fields of our seal; null when mailauth made none, or anything that could pass for more than three. */
function arcOf({ headers }: AuthenticateResult): string | null {
  const fields = headers.split(/\r\n(?![ \t])/).filter((field) => /^ARC-/i.test(field))
  const isWhole = fields.length === 3 && fields.every((field) => /^[^\r\n\0]*(\r\n[ \t][^\r\n\0]*)*$/.test(field))
  return isWhole ? fields.map((field) => `${field}\r\n`).join('') : null
}
