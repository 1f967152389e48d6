import { hasLetterOrDigit, isLetter } from './code-boxes.ts'
import type { Candidate } from './code-boxes.ts'
import { wordsForIs } from './code-words.ts'
import { wordPattern } from './word-pattern.ts'

/** Codes that are words, or random letters. */

const word = '[A-Za-z]{3,9}'
/** Two or more, and perhaps a number or a mix behind them: "happy-otter-42". */
const hyphenatedWords = wordPattern(String.raw`${word}(?:-${word}){1,4}(?:(?<=-.{3,9})-(?=[A-Za-z]{0,5}\d)[A-Za-z\d]{1,6})?(?![\p{L}\d_/@.-]{0,30}[\p{L}\d_/@-])`, 'uy')
const wordsAfterLabel = new RegExp(String.raw`[:：][ \t*]{0,4}(?:\n[\s>*_"“'\u0060|\u2500-\u257f]{0,12})?`
  + String.raw`([a-z]{3,10}(?: [a-z]{3,10}){2,5}|[A-Z]{3,9}(?: [A-Z]{3,9}){2,5}|(?<=\n.{0,12})[a-z]{6,10})[ \t*_"”'\u0060|\u2500-\u257f]{0,12}(?=\n|$)`, 'g')
const proseWords = new Set(`the and your you are for with from this that not our out please click here open page app below above see sent attached
  expires expired valid required enter email mail code verify confirm continue back login account into will can has have was who how was all any
  now new one use using within minutes hours only never share anyone hello thanks regards`.split(/\s+/))
/** The state of a code, in a list: "Verification code: sent". */
const stateWords = new Set(`none null ready pending optional invalid incorrect correct wrong missing enabled disabled active inactive attached included follows
  unknown unused hidden delivered failed success successful erforderlich ausstehend gesendet obligatoire requis envoye enviado enviada requerido
  obligatorio pendiente pendente inviato richiesto verzonden vereist`.split(/\s+/))
/** Whether a word is rather one of a sentence or a status than a code. */
export const isProse = (word: string): boolean => [proseWords, stateWords].some((words) => words.has(word.toLowerCase()))

const groups = '(?=[A-Z ]*\\d)[A-Z\\d]{2}(?: [A-Z\\d]{2}){2}(?! [A-Z\\d])|[A-Z\\d]{3} [A-Z\\d]{3}|[A-Z\\d]{4}(?: [A-Z\\d]{4}){1,3}(?! [A-Z]*\\d)'
/** A word in lower case, or groups of capitals and digits, directly after a label or on a line of their own. */
const lettersAfterLabel = wordPattern(String.raw`(?:([:：])|(?<!\p{L})(?:${wordsForIs})(?=\s))[ \t*"“]{0,4}([a-z]{5,10}|${groups})(?![\p{L}\d_@/'’-]|[.:]\w)`
  + String.raw`|\n[ \t]{0,20}([a-z]{5,10}|${groups})(?=[ \t]*(?:\n|$))`, 'gu')
const endOfLine = /[ \t*"”.]{0,4}(?:\n|$)/y

/** Maximum candidates of words in a mail. */
const maxWords = 100

/** Finds words that can be a code: joined by hyphens, or as all of a line that follows a colon. */
export function wordsIn(source: string): Candidate[] {
  const found: Candidate[] = []
  const add = (words: string, start: number) => {
    if (isCompound(words)) return
    if (words.toLowerCase().split(/[ -]/).some((one) => proseWords.has(one))) return
    found.push({ code: words, start, end: start + words.length, kind: /\d/.test(words) ? 'mixed' : 'letters', needsLabel: true })
  }
  wordsAfterLabel.lastIndex = 0
  for (let match = wordsAfterLabel.exec(source); match && found.length < maxWords; match = wordsAfterLabel.exec(source)) {
    add(match[1]!, match.index + match[0].lastIndexOf(match[1]!))
  }
  lettersAfterLabel.lastIndex = 0
  for (let match = lettersAfterLabel.exec(source); match && found.length < maxWords; match = lettersAfterLabel.exec(source)) {
    const [, colon, letters = match[3]!] = match
    const end = endOfLine.lastIndex = lettersAfterLabel.lastIndex
    const isWord = /^[a-z]/.test(letters) && !looksRandom(letters) && !(colon !== undefined && endOfLine.test(source))
    if (isWord || isProse(letters) || !/[A-Za-z]/.test(letters)) continue
    found.push({ code: letters, start: end - letters.length, end, kind: /\d/.test(letters) ? 'mixed' : 'letters', needsLabel: true })
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
export const looksRandom = (letters: string): boolean => isMixedCase(letters) ? letters.length >= 6 && !isName(letters) :
  (rarePair.test(letters) || letters.split('-').every((part) => !vowel.test(part))) && !acronyms.has(letters.toLowerCase())

/** Whether a capital stands within letters, or beside small letters. */
export const isMixedCase = (letters: string): boolean => /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(letters)

/** Whether letters of mixed case have a longer word, or are made of words and acronyms: "timeoutMs", "GitHub", "OpenVPN", "McDonald". */
function isName(letters: string): boolean {
  const parts = letters.match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]/g)!
  if (parts.length > 3) return false
  return parts.some((part) => /^.[a-z]{3}/.test(part) && vowel.test(part)) || (parts.some((part) => /^.[a-z]{2}/.test(part))
    && parts.every((part, i) => part.length === 1 ? i === 0 : vowel.test(part) || part === part.toUpperCase() || part === 'Mc'))
}

/**
 * Whether letters are a code only directly after the label of a one-time code: a short word in capitals, a name, a word in small letters,
 * or groups.
 */
export const mayBeWord = (letters: string, isAlone: boolean): boolean => letters.includes(' ') ? letters === letters.toUpperCase() :
  isMixedCase(letters) ? !looksRandom(letters) : /^[A-Z]{4,5}$/.test(letters) ? !looksRandom(letters) : !isAlone && /^[a-z]+$/.test(letters)

/** Characters of a text that are searched for a name. */
const searchedChars = 20_000

/** Whether a word with a capital follows letters, somewhere: "SNCF Connect". */
export function beginsName(source: string, letters: string): boolean {
  const at = source.slice(0, searchedChars).indexOf(`${letters} `)
  return at >= 0 && /^\p{Lu}\p{Ll}/u.test(source.slice(at + letters.length + 1, at + letters.length + 3))
}

/** A word in letters and digits, which are rather a name: "1Password", "23andMe". */
export const wordInCode = /[A-Za-z]*[aeiou][a-z]*(?<=[A-Za-z][a-z]{2,})/
