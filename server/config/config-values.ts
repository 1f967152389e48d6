import { isIP } from 'node:net'
import { accountEmail, domainOf } from '../mailbox.ts'

/** The checks of single values of settings. Each throws an Error for a value that it does not take. */

export const optional = <T>(check: (text: string) => T) => (value: string): T | null => value === '' ? null : check(value)

export const list = <Part extends string>(check: (part: string) => Part) => (value: string): Part[] =>
  value.split(',').map((part) => part.trim()).filter(Boolean).map(check)

export function origin(value: string) {
  const isOrigin = /^https?:\/\/(\[[\da-f:.]+\]|[\w-]+(\.[\w-]+)*)(:\d+)?$/.test(value) && URL.canParse(value) && new URL(value).origin === value
  if (isOrigin || value === '*') return value
  throw new Error(`"${value}" is not an origin such as https://app.example.com; name each one, or * for all`)
}

export function alias(value: string) {
  if (/^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?$/i.test(value)) return value.toLowerCase()
  throw new Error(`"${value}" is not an alias, the part of an address before the @, such as concierge`)
}

export function dnsServer(value: string) {
  const [, host, port = '53'] = /^\[([^\]]+)\](?::(\d+))?$/.exec(value) ?? /^([\d.]+)(?::(\d+))?$/.exec(value) ?? [null, value]
  if (isIP(host ?? '') === 0 || Number(port) < 1 || Number(port) > 65_535) throw new Error(`"${value}" is not an IP address, with a port or without`)
  return value
}

export function network(value: string) {
  const [address = '', bits, ...more] = value.split('/')
  const maxBits = { 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (maxBits < 0 || more.length > 0 || bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > maxBits)) {
    throw new Error(`"${value}" is not an IP address, or a network such as 10.0.0.0/8 or fd00::/8`)
  }
  return value
}

export function headerName(value: string) {
  if (/^[a-z][\w-]*$/i.test(value)) return value.toLowerCase()
  throw new Error(`"${value}" is not the name of one header, such as X-Forwarded-For, Forwarded or X-Real-IP`)
}

export const whole = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new Error(`"${value}" is not a whole number from ${min} to ${max}`)
  }
  return number
}

export const port = whole(0, 65_535)

export const oneOf = <Allowed extends string>(...allowed: Allowed[]) => (value: string): Allowed => {
  const found = allowed.find((each) => each === value)
  if (found === undefined) throw new Error(`"${value}" is none of ${allowed.join(', ')}`)
  return found
}

export const flag = (value: string) => oneOf('true', 'false')(value) === 'true'

/** Its answers are trusted because they come from it: over TLS, or on this machine. */
const trustedUrl = (whose: string, example: string) => (value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isOwnMachine = url?.protocol === 'http:' && /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname)
  if (url && !url.search && !url.hash && !url.username && (url.protocol === 'https:' || isOwnMachine)) return value
  throw new Error(`is not the https URL of ${whose}, such as ${example}, without a password and a query`)
}

export const issuer = trustedUrl('a provider', 'https://accounts.google.com')

export const letsEncrypt = 'https://acme-v02.api.letsencrypt.org/directory'
export const acmeDirectory = trustedUrl('a certificate authority', letsEncrypt)

/** Characters of a URI alone: a line break would add a field to security.txt. */
export function contact(value: string) {
  if (/^(?:https:\/\/|mailto:[^@]+@)[!-~]+$/i.test(value) && URL.canParse(value)) return value
  throw new Error(`"${value}" is not an https URL, or mailto: and an address, such as mailto:security@example.com`)
}

export function hostName(value: string) {
  const name = value.toLowerCase()
  if (name.length > 253 || !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(name)) {
    throw new Error(`"${value}" is not a host name such as mail.example.com`)
  }
  return name
}

export function httpUrl(value: string) {
  if (!URL.canParse(value) || !/^https?:\/\//i.test(value)) {
    throw new Error(`"${value}" is not an http or https URL such as https://mail.example.com`)
  }
  const { href, pathname, username, password, search, hash } = new URL(value)
  if (username || password) throw new Error('the URL has a user name or a password, which links would show; leave them out')
  if (search || hash) throw new Error(`"${value}" has a query or a fragment; leave it out`)
  const decoded = pathname.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  if (/^\/(api|assets|compatible|docs)(\/|$)/.test(decoded)) throw new Error(`"${value}" has a path of the server itself; use another, such as /mayfly`)
  return href.replace(/\/+$/, '')
}

/** The addresses that may create an account by signing in: none, all, or those at these mail domains. */
export type SignUp = 'closed' | 'open' | readonly string[]

/** @throws Error for a value that is none of these */
export function signUp(value: string): SignUp {
  if (value === 'closed' || value === 'open') return value
  const domains = list(mailDomain)(value)
  if (domains.length > 0) return domains
  throw new Error('takes closed, open, or mail domains such as example.com, separated by commas')
}

function mailDomain(value: string): string {
  const domain = domainOf(value)
  if (domain) return domain
  throw new Error(`"${value}" is not closed, open, or a mail domain such as example.com`)
}

export function emailAddress(value: string): string {
  const email = accountEmail(value)
  if (email !== undefined) return email
  throw new Error(`"${value}" is not an email address such as ada@example.com`)
}
