/** A number, or a mix of letters and digits, in the form of a code. */
export interface Candidate {
  code: string
  start: number
  end: number
  kind: 'digits' | 'mixed' | 'letters'
  /** Whether it is a code only when a label leads to it: it has the form of a phone number, a size or a word. */
  needsLabel: boolean
}

/** Codes of which each character, or each half, stands in a box or a line of its own, and codes that are words. */

/** More boxes are a calendar or a scale. They are read together, and are no code. */
const maxBoxes = 10
/** Maximum characters between two boxes. */
const maxSeparatorChars = 12

const separator = String.raw`[\s|\u200b-\u200d\u2500-\u257f\ufe0f·•*_\-–—]{1,${maxSeparatorChars}}`
const lineBreak = String.raw`[ \t|\u200b-\u200d\u2500-\u257f-]{0,6}\n[\s|\u200b-\u200d\u2500-\u257f-]{0,6}`
const end = String.raw`(?![\p{Script=Latin}\d])`

/** Not the first word of a sentence below the boxes: "O código", "5 minutes". */
const noWord = String.raw`(?!(?<=\n[^\p{L}\d\n]{0,4}[A-Za-z\d])[ \t|]{1,8}\p{L}{2})`

const boxPattern = new RegExp([
  String.raw`[A-Z\d](?:${separator}[A-Z\d]${end}${noWord}){3,200}`,
  String.raw`[a-z\d](?:${lineBreak}[a-z\d]${end}${noWord}){3,200}`,
  String.raw`\d{3}(?:[ \t]{0,3}[-–—·•][ \t]{0,3}|${lineBreak})\d{3}${end}(?![ .,:/-]{1,3}\d)`,
  String.raw`\d{4}[ \t]{1,3}[-–—·•][ \t]{1,3}\d{4}${end}(?![ .,:/-]{1,3}\d)`,
].join('|'), 'uy')

/** Returns the boxes that begin at an index, with what stands between them. */
export function boxesAt(source: string, at: number): string | undefined {
  let boxEnd = at + 1
  while (boxEnd - at < 4 && isAlphanumeric(source.charCodeAt(boxEnd))) boxEnd++
  if (!isSeparator(source.charCodeAt(boxEnd))) return undefined
  boxPattern.lastIndex = at
  return boxPattern.exec(source)?.[0]
}

/** Returns the code in boxes, null for too many. @param unit a result of `boxesAt` @param start its index */
export function codeInBoxes(unit: string, start: number): Candidate | null {
  const code = unit.replace(/[^A-Za-z\d]/g, '')
  if (code.length > maxBoxes) return null
  const kind = !/\D/.test(code) ? 'digits' : /\d/.test(code) ? 'mixed' : 'letters'
  return { code, start, end: start + unit.length, kind, needsLabel: code.length > 8 || /\d{3}\s*\n/.test(unit) }
}

/** Whether a letter or digit of ASCII stands before a separator, and has no letter or digit before it. */
export const isBox = (source: string, at: number): boolean =>
  isSeparator(source.charCodeAt(at + 1)) && isAlphanumeric(source.charCodeAt(at)) && !hasLetterOrDigit(source, at - 1)

/** Whether a character that ends at an index is a letter or a digit. */
function hasLetterOrDigit(source: string, at: number): boolean {
  const code = source.charCodeAt(at)
  if (code < 0x80) return isAlphanumeric(code)
  const isLowSurrogate = code >= 0xdc00 && code < 0xe000
  return letterOrDigit.test(source.slice(isLowSurrogate ? at - 1 : at, at + 1))
}

export const letterOrDigit = /[\p{L}\d]/u
const isAlphanumeric = (code: number) => isLetter(code) || (code >= 0x30 && code <= 0x39)
/** As in `separator`. */
const separators = new Set([...' \t\r\n\u00a0|\ufe0f·•*_-–—'].map((char) => char.charCodeAt(0)))
const isSeparator = (code: number) => separators.has(code) || (code >= 0x2000 && code <= 0x200d) || (code >= 0x2500 && code <= 0x257f)

/** Returns the first of the boxes that stand before a box. @param from the first index that may be returned */
export function firstBox(source: string, box: number, from: number): number {
  let first = box
  for (let count = 1; count < maxBoxes; count++) {
    let at = first - 1
    while (at >= from && first - at <= maxSeparatorChars && isSeparator(source.charCodeAt(at))) at--
    if (at < from || at === first - 1 || !isBox(source, at)) return first
    if (source.slice(at, first).includes('\n') && wordBefore.test(source.slice(Math.max(0, at - 8), at))) return first
    first = at
  }
  return first
}

/** The beginning of a line that ends with a letter: "Option A". */
const wordBefore = /\p{L}{2}[ \t|]{1,6}$/u

const word = '[A-Za-z]{3,9}'
const hyphenatedWords = new RegExp(String.raw`${word}(?:-${word}){1,4}(?![\p{L}\d_/@.-]{0,30}[\p{L}\d_/@-])`, 'uy')
const wordsAfterLabel = new RegExp(String.raw`[:：][ \t*]{0,4}(?:\n[\s>*_"“'\u0060|\u2500-\u257f]{0,12})?`
  + String.raw`([a-z]{3,10}(?: [a-z]{3,10}){2,5}|[A-Z]{3,9}(?: [A-Z]{3,9}){2,5}|(?<=\n.{0,12})[a-z]{6,10})[ \t*_"”'\u0060|\u2500-\u257f]{0,12}(?=\n|$)`, 'g')
const proseWords = new Set(`the and your you are for with from this that not our out please click here open page app below above see sent attached
  expires expired valid required enter email mail code verify confirm continue back login account into will can has have was who how was all any
  now new one use using within minutes hours only never share anyone hello thanks regards`.split(/\s+/))
/** Maximum candidates of words in a mail. */
const maxWords = 100

/** Finds words that can be a code: joined by hyphens, or as all of a line that follows a colon. */
export function wordsIn(source: string): Candidate[] {
  const found: Candidate[] = []
  const add = (words: string, start: number) => {
    if (isCompound(words)) return
    if (words.toLowerCase().split(/[ -]/).some((one) => proseWords.has(one))) return
    found.push({ code: words, start, end: start + words.length, kind: 'letters', needsLabel: true })
  }
  wordsAfterLabel.lastIndex = 0
  for (let match = wordsAfterLabel.exec(source); match && found.length < maxWords; match = wordsAfterLabel.exec(source)) {
    add(match[1]!, match.index + match[0].lastIndexOf(match[1]!))
  }
  for (let hyphen = source.indexOf('-'); hyphen >= 0 && found.length < maxWords; hyphen = source.indexOf('-', hyphen + 1)) {
    let start = hyphen
    while (hyphen - start < 10 && isLetter(source.charCodeAt(start - 1))) start--
    if (hyphen - start < 3 || hyphen - start > 9 || hasLetterOrDigit(source, start - 1) || /[-/.@_]/.test(source.charAt(start - 1))) continue
    hyphenatedWords.lastIndex = start
    const words = hyphenatedWords.exec(source)?.[0]
    if (!words) continue
    add(words, start)
    hyphen = start + words.length - 1
  }
  return found
}

/** Whether two words joined by a hyphen are prose, such as "open-source", or halves in capitals, which are candidates already. */
function isCompound(words: string): boolean {
  const [first = '', second, third] = words.split('-')
  return second !== undefined && third === undefined
    && (words === words.toUpperCase() || !(looksRandom(words) || (first.length === second.length && first.length > 3)))
}

const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

/**
 * Codes of letters alone are made of random letters, often of consonants only (RFC 8628, section 6.1), and are beside capitals of headings
 * and acronyms. Random letters have pairs that words do not have: of the words of 4,700 documents in English, at most three have each pair.
 */
const rarePair = new RegExp([
  'b[kqwx]', 'c[wx]', 'd[qxz]', 'f[bhjkpqvwxz]', 'g[jkqvx]', 'h[fghqvxz]', 'j[cglmnqtvxyz]', 'k[cqvxz]', 'l[qx]', 'm[jqwxz]', 'nx', 'p[jqvxz]',
  'q[a-tv-z]', 'r[qx]', 'tq', 'u[qw]', 'v[bdfhjkpqtvwxz]', 'w[cgjpquvwxz]', 'x[fgjklqrvwz]', 'y[hjqx]', 'z[cdfgjnpqrvwx]', '[^aeiouy-]{5}',
].join('|'), 'i')
const vowel = /[aeiouy]/i
/** Of the internet and of programs. */
const acronyms = new Set(`
  http https html xhtml smtp lmtp crlf csrf ssrf gdpr hsts dhcp pkce pkcs spdx xslt scss ntfs nfkc tldr rsvp gmbh msrp hdmi wwdc psst nsfw lgtm
  gprs lgpl whatwg msdn msvc llvm nginx wysiwyg hmac ftps rtfm vpns sdks pdfs urls dvds cdss tvs dns dnssec jpeg jwts`.split(/\s+/))

/** Whether letters, with or without hyphens, are no words. */
export const looksRandom = (letters: string): boolean =>
  (rarePair.test(letters) || letters.split('-').every((part) => !vowel.test(part))) && !acronyms.has(letters.toLowerCase())

/** Characters of a text that are searched for a name. */
const searchedChars = 20_000

/** Whether a word with a capital follows letters, somewhere: "SNCF Connect". */
export function beginsName(source: string, letters: string): boolean {
  const at = source.slice(0, searchedChars).indexOf(`${letters} `)
  return at >= 0 && /^\p{Lu}\p{Ll}/u.test(source.slice(at + letters.length + 1, at + letters.length + 3))
}

/** A word in letters and digits, which are rather a name: "1Password", "23andMe". */
export const wordInCode = /[A-Za-z]*[aeiou][a-z]*(?<=[A-Za-z][a-z]{2,})/
