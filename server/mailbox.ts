import { domainToASCII, domainToUnicode } from 'node:url'

/** A mailbox that mail can be sent to. */
export interface Mailbox {
  /** `local@domain`. */
  address: string
  /** As the user wrote it. */
  local: string
  /** In lower case, as A-labels. */
  domain: string
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`)
/** A name before `<address>`, without characters of the syntax. */
const name = /^(?:"[^"\\<>\p{C}]*"|[^"\\<>()[\]:;@,\p{C}]*)$/u
const bare = /^[^<>\s]+$/
/** Maximum characters before the @: as many as an alias may have. Other servers have to accept only 64 (RFC 5321, section 4.5.3.1.1). */
const maxLocalLength = 100
/** Maximum characters of a domain (RFC 1035, section 2.3.4, without the final dot). */
const maxDomainLength = 253
/** Maximum characters of an address that `parseMailbox` accepts. */
export const maxAddressLength = maxLocalLength + 1 + maxDomainLength
/** Maximum octets of a sender: a path of 256 has two angle brackets (RFC 5321, section 4.5.3.1.3). */
export const maxSenderBytes = 254
/** Maximum characters of a domain before its conversion to A-labels, which takes time quadratic in the length. */
const maxUnicodeDomainLength = 1_000

/**
 * Parses exactly one mailbox, with or without a name: `ada@example.com`, `Ada <ada@example.com>`. Refuses local parts that need quotes,
 * comments, groups, lists and address literals, and replaces no character by a similar one (homographs): docs/decisions/0010.
 */
export function parseMailbox(text: string): Mailbox | undefined {
  const written = text.trim()
  const [before, inside] = splitNamed(written)
  const plain = withoutQuotes(inside !== undefined && name.test(before) && bare.test(inside) ? inside : written)
  const at = plain.lastIndexOf('@')
  const local = plain.slice(0, at)
  const domain = domainOf(plain.slice(at + 1))
  if (at < 1 || local.length > maxLocalLength || !localPart.test(local) || !domain) return undefined
  return { address: `${local}@${domain}`, local, domain }
}

/** Maximum characters of the email address of an account. */
export const maxAccountEmailLength = 254

/** The email address of an account as it is stored: in lower case, its domain as A-labels. @returns undefined for a text that is none */
export function accountEmail(text: string): string | undefined {
  const address = parseMailbox(text)?.address.toLowerCase()
  return address !== undefined && address.length <= maxAccountEmailLength ? address : undefined
}

/** `"ada"@example.com` is the mailbox `ada@example.com` (RFC 5321, section 4.1.2). Quotes stay around characters that need them. */
function withoutQuotes(address: string): string {
  const [quoted = '', inside = ''] = /^"((?:[^"\\]|\\.)*)"(?=@[^@]*$)/s.exec(address) ?? []
  const local = inside.replace(/\\(.)/gs, '$1')
  return /^[^\s\p{C}"\\()<>[\]:;,@]+$/u.test(local) ? local + address.slice(quoted.length) : address
}

/** Returns the name in a text that `parseMailbox` accepts; empty without a name. */
export const nameIn = (text: string) => splitNamed(text.trim())[0].replace(/^"(.*)"$/, '$1').trim()

/** Splits `name <address>`; the name is empty and the address undefined without angle brackets. */
function splitNamed(text: string): [before: string, inside: string | undefined] {
  const open = text.lastIndexOf('<')
  return open >= 0 && text.endsWith('>') ? [text.slice(0, open).trimEnd(), text.slice(open + 1, -1)] : ['', undefined]
}

/** The local part at which each domain has to accept mail (RFC 5321, section 4.5.1). */
export const postmaster = 'postmaster'

/** A parsed recipient: an alias with or without a tag, in lower case. */
export interface RecipientPath {
  /** The local part without its tag. */
  alias: string
  /** The local part, `alias` or `alias+tag`. */
  local: string
  /** As A-labels. */
  domain: string
}

/** Tags: up to 64 dots and characters of atoms; with SMTPUTF8 also characters beyond ASCII, except controls, bidi controls and spaces. */
const tags = {
  ascii: /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{0,64}$/,
  utf8: /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]|[^\0-\x7f\p{C}\p{Z}\ufffd]){0,64}$/u,
}

/**
 * Parses a recipient of RCPT: `alias@domain`, `alias+tag@domain`, or `postmaster` alone, which is that of the default domain
 * (RFC 5321, section 4.1.1.3).
 * @param options.defaultDomain unlike other domains it may be a single label
 * @param options.allowsUtf8 whether the tag may have characters beyond ASCII (RFC 6531, section 3.3)
 */
export function parseRecipient(
  text: string, { defaultDomain, allowsUtf8 = false }: { defaultDomain: string, allowsUtf8?: boolean },
): RecipientPath | undefined {
  const { alias, local, tag, domain } = splitRecipient(text, defaultDomain)
  const isWellFormed = localPart.test(alias) && (allowsUtf8 ? tags.utf8 : tags.ascii).test(tag)
  return isWellFormed && domain ? { alias, local, domain } : undefined
}

/** The parts of a recipient, whether its local part could be issued or not. The domain is undefined when it is malformed. */
export function splitRecipient(
  text: string, defaultDomain: string,
): Pick<RecipientPath, 'alias' | 'local'> & { tag: string, domain: string | undefined } {
  const path = inLowerCase(withoutQuotes(text))
  const at = path.lastIndexOf('@')
  if (at < 0) return { alias: path, local: path, tag: '', domain: path === postmaster ? defaultDomain : undefined }
  const local = path.slice(0, at)
  const written = path.slice(at + 1).replace(/\.$/, '') // the final dot of DNS names
  const domain = written === defaultDomain ? defaultDomain : domainOf(written)
  const plus = local.indexOf('+')
  return { alias: plus < 0 ? local : local.slice(0, plus), local, tag: plus < 0 ? '' : local.slice(plus + 1), domain }
}

/** A local part without controls and bidi controls; spaces and delimiters are in quotes. */
const senderLocal = /^(?:[^\s\p{C}\p{Z}<>@]+|"(?:[^\p{C}"\\]|\\[^\p{C}])*")$/u
/** The host name of a sender; may also be a single label or an address literal, and have underscores or a final dot. */
const senderHost = /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?|\[[0-9a-f.]+\]|\[ipv6:[0-9a-f:.]+\])$/i

/** The parts of a MAIL or RCPT command: up to the path behind its source route, a local part in quotes, the rest. */
const pathCommand = /^([^:]*:\s*<(?:@[^\s,:@]+(?:,@[^\s,:@]+)*:)?)("(?:[^"\\]|\\.)*"(?=@))?(.*)$/s

/**
 * Reads the path of a MAIL or RCPT command.
 * @returns its address, undefined when it is malformed; and the command with a word in place of a local part in quotes, which may have
 * spaces and delimiters
 */
export function readPath(command: string): { address: string | undefined, plain: string } {
  const [, start = '', quoted = '', rest = ''] = pathCommand.exec(command) ?? []
  const [written] = /^[^\s<>]*(?=>)/.exec(rest) ?? []
  return { address: written === undefined ? undefined : withoutQuotes(quoted + written), plain: quoted ? `${start}quoted${rest}` : command }
}

export type SenderFault = 'too long' | 'malformed'

/**
 * Checks a sender of MAIL. It is only a return path, and many hosts send malformed ones (`user.@example.com`, `root@localhost`,
 * `app@web_1`), so the grammar is wider than that of recipients. Not for the null sender.
 */
export function faultOfSender(text: string): SenderFault | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const written = text.slice(at + 1)
  const domain = domainOf(written) ?? (senderHost.test(written) ? written : undefined)
  if (Buffer.byteLength(`${local}@${domain ?? written}`) > maxSenderBytes) return 'too long'
  return at > 0 && domain && senderLocal.test(local) ? undefined : 'malformed'
}

/**
 * An address in the form in which addresses are compared: in lower case, its domain as A-labels where it is one, without the final dot of
 * DNS names. Also for a filter such as `*@example.com`.
 */
export function comparedAddress(address: string): string {
  const written = domainPart(address)
  const domain = written.replace(/\.$/, '')
  return `${inLowerCase(address.slice(0, address.length - written.length))}${toALabels(domain) ?? inLowerCase(domain)}`
}

/** The forms of an address in which a part of it is found, in lower case: as written, its domain as A-labels, and as U-labels. */
export function addressForms(address: string): string[] {
  const written = address.toLowerCase()
  if (isAscii(written) && !written.includes('xn--')) return [written]
  const compared = comparedAddress(address)
  const domain = domainPart(compared)
  return [...new Set([written, compared, `${compared.slice(0, compared.length - domain.length)}${domainToUnicode(domain) || domain}`])]
}

/** The filters that select mail with an address in its envelope: the whole address, and `*@domain`. */
export function filtersOf(address: string): string[] {
  const whole = comparedAddress(address)
  return whole.includes('@') ? [whole, `*@${domainPart(whole)}`] : [whole]
}

/** Returns the part of an address after the last @. */
export const domainPart = (address: string) => address.slice(address.lastIndexOf('@') + 1)

/**
 * Returns the domain of an address as it may be logged.
 * @returns '' without a domain, and `malformed` for one that may hold a local part, such as that of `a@x!bob`
 */
export function loggedDomain(address: string): string {
  if (!address.includes('@')) return ''
  const written = domainPart(address)
  return senderHost.test(written) && written.length <= maxDomainLength ? written.toLowerCase() : domainOf(written) ?? 'malformed'
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostName = new RegExp(`^(?:${label}\\.)+(?=.*[a-z])${label}$`)

/**
 * Parses the name of a mail domain, in lower case and as A-labels.
 * @returns undefined when it is malformed
 */
export function domainOf(written: string): string | undefined {
  const ascii = toALabels(written)
  if (!ascii || ascii.length > maxDomainLength || !hostName.test(ascii) || /^[\d.]+$/.test(ascii.slice(ascii.lastIndexOf('.') + 1))) return undefined
  return ascii
}

/**
 * Converts a DNS name to lower case and A-labels. Refuses what `domainToASCII` alone would change or drop: full-width letters, soft
 * hyphens, percent-encoded characters, and everything after a slash.
 * @returns undefined for such a name
 */
export function toALabels(written: string): string | undefined {
  if (written.length > maxUnicodeDomainLength) return undefined
  const name = inLowerCase(written)
  const ascii = domainToASCII(name)
  return ascii && (ascii === name || domainToUnicode(ascii) === name) ? ascii : undefined
}

/** Converts upper case, except between ASCII and other letters: the Kelvin sign (U+212A) does not become k. */
export const inLowerCase = (text: string): string => text.replace(/\p{Lu}/gu, (letter) => {
  const lower = letter.toLowerCase()
  return /[a-z]/.test(lower) === /[A-Z]/.test(letter) ? lower : letter
})

export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)
