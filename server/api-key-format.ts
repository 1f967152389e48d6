import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The value of an API key: `svc_live_` or `svc_test_`, 27 random characters and a checksum of 6. */
const wellFormed = /^svc_(live|test)_[0-9A-Za-z]{33}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62 ** 27 is more than 2 ** 160. */
const secretLength = 27
const checksumLength = 6
/** Characters of a key that are stored, and shown in lists: `svc_live_` and 4 of the 27 random ones. */
const prefixLength = 13

export function newApiKey(mode: 'live' | 'test'): string {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(digits.length)]).join('')
  const start = `svc_${mode}_${secret}`
  return start + checksum(start)
}

/** @returns undefined for a malformed or mistyped key, which the checksum recognizes without a query */
export function modeOfApiKey(key: string): 'live' | 'test' | undefined {
  const [, mode] = wellFormed.exec(key) ?? []
  return checksum(key.slice(0, -checksumLength)) === key.slice(-checksumLength) ? mode as 'live' | 'test' | undefined : undefined
}

export const prefixOfApiKey = (key: string): string => key.slice(0, prefixLength)

function checksum(text: string) {
  let rest = crc32(text)
  let shown = ''
  for (let i = 0; i < checksumLength; i++) {
    shown = digits[rest % 62] + shown
    rest = Math.floor(rest / 62)
  }
  return shown
}

/** Patterns of secrets. The captured prefix is kept, the rest is masked. `%5f` and `%3d` are percent-encoded `_` and `=`. */
const secrets = [
  // API keys
  /(svc(?:_|%5f)(?:live|test)(?:_|%5f))[\w%+=-]+/gi,
  // secrets of webhooks, in base64
  /(whsec(?:_|%5f))[\w%+/=-]+/gi,
  // tokens of verification links, in a query or alone
  /(\btoken=)[\w%-]+/gi,
  /(?<![\w-])()[\w-]{43}(?![\w-])/g,
  // the signature of a return path
  /(\bbounce(?:=|%3d)[0-9a-f]{32}(?:=|%3d)[0-9a-z]{1,6}(?:=|%3d))[0-9a-f]+/gi,
  // passwords in URLs
  /(:\/\/[^\s:@/"]*:)[^\s/"]+(?=@)/g,
]

/** Masks secrets in text for the log and the audit log: paths, headers and errors may contain them. @param maxLength of the result */
export function maskSecrets(text: string, maxLength = Infinity): string {
  let masked = text
  for (const secret of secrets) masked = masked.replaceAll(secret, '$1…')
  return masked.slice(0, maxLength)
}
