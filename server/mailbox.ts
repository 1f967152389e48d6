import { domainToASCII, domainToUnicode } from 'node:url'

/** One mailbox that mail can be sent to. */
export interface Mailbox {
  /** `local@domain`. */
  address: string
  /** As it was written. */
  local: string
  /** In lower case, as A-labels. */
  domain: string
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`)
/** A name before `<address>`, without anything that has a meaning there. */
const name = /^(?:"[^"\\<>\p{C}]*"|[^"\\<>()[\]:;@,\p{C}]*)$/u
const bare = /^[^<>\s]+$/
/**
 * Maximum characters before the @, as many as an alias of this server has, and of the whole address with a domain of 253. RFC 5321,
 * section 4.5.3.1.1, has other servers accept 64 octets before the @; they may refuse more.
 */
const longest = { local: 100, address: 354 }
/** Maximum characters of a domain before its conversion to A-labels, which takes time quadratic in the length. */
export const maxUnicodeDomainLength = 1_000

/**
 * Reads exactly one mailbox, with a name before it or without: `ada@example.com`, `Ada <ada@example.com>`.
 * Quoted local parts, comments, groups, lists and literal IP addresses are none, and no character is ever replaced
 * by one that looks like it.
 */
export function parseMailbox(text: string): Mailbox | undefined {
  const written = text.trim()
  const [before, inside] = splitNamed(written)
  const plain = inside !== undefined && name.test(before) && bare.test(inside) ? inside : written
  const at = plain.lastIndexOf('@')
  const local = plain.slice(0, at)
  const domain = domainOf(plain.slice(at + 1))
  if (at < 1 || local.length > longest.local || !localPart.test(local) || !domain) return undefined
  const address = `${local}@${domain}`
  return address.length > longest.address ? undefined : { address, local, domain }
}

/** The name before the address of what `parseMailbox` has read; empty when there is none. */
export const nameIn = (text: string) => splitNamed(text.trim())[0].replace(/^"(.*)"$/, '$1').trim()

/** Splits `name <address>`; the name is empty and the address undefined without angle brackets. */
function splitNamed(text: string): [before: string, inside: string | undefined] {
  const open = text.lastIndexOf('<')
  return open >= 0 && text.endsWith('>') ? [text.slice(0, open).trimEnd(), text.slice(open + 1, -1)] : ['', undefined]
}

/** What stands behind the last @ of an address. */
export const domainPart = (address: string) => address.slice(address.lastIndexOf('@') + 1)

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostName = new RegExp(`^(?:${label}\\.)+(?=.*[a-z])${label}$`)

/**
 * The name of a domain in lower case, as A-labels.
 * @returns undefined when it is none, or was written in characters that only look like its own
 */
export function domainOf(written: string): string | undefined {
  if (written.length > maxUnicodeDomainLength) return undefined
  const name = written.replace(/\p{Lu}/gu, lowerCase)
  const ascii = domainToASCII(name)
  if (ascii.length > 253 || !hostName.test(ascii) || /^[\d.]+$/.test(ascii.slice(ascii.lastIndexOf('.') + 1))) return undefined
  return ascii === name || domainToUnicode(ascii) === name ? ascii : undefined
}

/** Except where that is of ASCII and the letter is not: the Kelvin sign becomes k, which it only looks like. */
function lowerCase(letter: string) {
  const lower = letter.toLowerCase()
  return /[a-z]/.test(lower) === /[A-Z]/.test(letter) ? lower : letter
}
