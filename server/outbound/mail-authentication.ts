import { Readable } from 'node:stream'
import { authenticate } from 'mailauth'
import type { AuthenticateResult } from 'mailauth'
import type { SigningKey } from '../config/config.ts'
import type { Authentication } from '../contract/types.gen.ts'
import { openDeadline, unlessAborted } from '../deadline.ts'
import type { Envelope } from '../envelope.ts'
import { chooseFields, textOf } from './authenticated-fields.ts'
import { toResults, unchecked, withoutSignatures } from './authentication-results.ts'
import type { Lookup } from './dns.ts'
import { readHead } from './mail-head.ts'
import type { RawHeaderField } from './mail-head.ts'

export interface AuthenticatedMail {
  /** Null for a mail that was not received over the network. */
  results: Authentication | null
  /** Header fields of the ARC seal (RFC 8617, section 4); null without a key, and for a mail that cannot be sealed. */
  arc: string | null
}

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
 * Authenticates a received mail by SPF (RFC 7208, section 4), DKIM (RFC 6376, section 6) and DMARC (RFC 9989). Takes time linear in
 * its size, regardless of its content.
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
    const { fields, isUnreadable, hasSignatures, authors } = chooseFields(head)
    const seal = sealKey && !isUnreadable ? toSeal(sealKey) : undefined
    const bytes = seal || hasSignatures ? bytesOf(fields, head.body, until) : bytesOf(authors)
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

/** RFC 5321, section 4.5.3.1, allows 254 characters of a sender and 255 of a name. */
const maxSenderChars = 320
const maxNameChars = 255

/** The bytes for mailauth. @param until the end of the time limit, by `performance.now()` */
async function* bytesOf(fields: RawHeaderField[], body: AsyncIterable<Uint8Array> | Uint8Array[] = [], until = Infinity) {
  yield Buffer.from(textOf(fields), 'latin1')
  for await (const chunk of body) {
    yield chunk
    await new Promise(setImmediate) // lets the checks of other mails continue
    if (performance.now() > until) throw new Error('timeout')
  }
}

/** The key of a seal, as mailauth takes it. */
const toSeal = (key: SigningKey) => ({ signingDomain: key.domain, selector: key.selector, privateKey: key.privateKey })

/** Returns the three header fields of our ARC seal; null when mailauth returned anything else, against header injection. */
function arcOf({ headers }: AuthenticateResult): string | null {
  const fields = headers.split(/\r\n(?![ \t])/).filter((field) => /^ARC-/i.test(field))
  const isWhole = fields.length === 3 && fields.every((field) => /^[^\r\n\0]*(\r\n[ \t][^\r\n\0]*)*$/.test(field))
  return isWhole ? fields.map((field) => `${field}\r\n`).join('') : null
}

/** Of a TXT record and of a name. Other name servers choose the answers, so longer and further records are left out. */
const maxTextChars = 4096
const maxRecords = 100

/** Limits the time of several look-ups together. After it, each fails with ETIMEOUT. */
function limitLookups(lookup: Lookup, timeoutMs: number): { lookup: Lookup, end(): void } {
  const timeoutReason = Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })
  const { signal, end } = openDeadline({ timeoutMs, timeoutReason })
  return {
    end,
    async lookup(name, type) {
      const records = await unlessAborted(lookup(name, type), signal)
      return records.filter((record) => !Array.isArray(record) || record.join('').length <= maxTextChars).slice(0, maxRecords)
    },
  }
}
