import { boxesAt, codeInBoxes, firstBox, isBox, isLetter } from './code-boxes.ts'
import type { Candidate } from './code-boxes.ts'
import { isMixedCase, isProse, looksRandom, wordsIn } from './code-letters.ts'
import { passwordsIn } from './code-passwords.ts'
import { wordsForIs } from './code-words.ts'
import { actionWords, openWords, signInWords } from './link-words.ts'
import { amountInOneWord, isAmount, isYear, streetAfter } from './other-numbers.ts'
import { scanHtml } from './scan-html.ts'
import { wordPattern } from './word-pattern.ts'

/** Maximum numbers of a mail that are rated: each takes up to 40 microseconds, regardless of the length of the mail. */
const maxCandidates = 1_000

/** Finds the candidates of a text that are not part of something else, in their order. */
export function candidatesIn(source: string): Candidate[] {
  const candidates: Candidate[] = [...passwordsIn(source), ...wordsIn(source)]
  const maxCount = maxCandidates + candidates.length
  let at = nextStart(source, 0)
  while (at < source.length && candidates.length < maxCount) {
    const boxes = boxesAt(source, at)
    unitPattern.lastIndex = at
    const unit = boxes ?? unitPattern.exec(source)?.[0]
    const candidate = unit ? (boxes ? codeInBoxes : candidateOf)(unit, at) : null
    if (candidate && standsFree(source, candidate)) candidates.push(candidate)
    at = nextStart(source, unit ? at + unit.length : Math.max(at + 1, endOfWord(source, at)))
  }
  return candidates.sort((a, b) => a.start - b.start)
}

/**
 * Returns the index of the next word with which a unit may begin that has the form of a code; the length of the source when there is none.
 * Such a unit has a digit, four capitals, or a capital within small letters. Most words have none of these, and this search passes them ten
 * times as fast as the pattern.
 */
function nextStart(source: string, from: number): number {
  mark.lastIndex = from
  while (mark.test(source)) {
    const at = mark.lastIndex - 1
    if (isBox(source, at)) return firstBox(source, at, from)
    const start = startOfUnit(source, at, from)
    if (start < at ? start >= 0 : mayBeginCode(source, at)) return start
    mark.lastIndex = endOfWord(source, at)
  }
  return source.length
}

const mark = /\d|[A-Z](?=[A-Z-]{3}|\s{1,3}[A-Z]\s|[A-Z][a-z])|[a-z](?=[A-Z])/g

/** Returns the first start of a word before a mark, -1 for none: only letters and hyphens stand between the two. */
function startOfUnit(source: string, mark: number, from: number): number {
  const first = Math.max(from, mark - maxCharsBeforeDigit)
  let start = -1
  for (let at = mark; ; at--) {
    const before = source.charCodeAt(at - 1)
    if (source.charCodeAt(at) !== HYPHEN && !isLetter(before) && !isDigit(before)) start = at
    if (at === first || !(isLetter(before) || before === HYPHEN)) return start
  }
}

/** Whether a word that begins with a mark is long enough for a code, or joined to the next one. */
function mayBeginCode(source: string, at: number): boolean {
  const end = endOfWord(source, at)
  const next = source.charCodeAt(end + 1)
  return end - at >= minCodeChars - 1 || isDigit(next) || (source.charCodeAt(end) === HYPHEN && isLetter(next))
}

const HYPHEN = 0x2d
/** As in `unitPattern`. */
const maxCharsBeforeDigit = 11
const minCodeChars = 4

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

function endOfWord(source: string, from: number): number {
  let at = from
  while (isLetter(source.charCodeAt(at)) || isDigit(source.charCodeAt(at))) at++
  return at
}

/** A comma or a full stop without a space before a time: "482913,5分钟", "482913.5 mins validity". */
const timeAfterCode = String.raw`[.,]\d{1,3} ?(?:分|秒|小?[时時]|天|min|sec|hour)`

/** Groups with spaced hyphens between them, of capitals and digits or of consonants: "7QF2 - M8KA - 43PL". */
function groupsInText(chars: number): string {
  const group = String.raw`(?:(?=[A-Z]{0,4}\d)[A-Z\d]{${chars}}|[B-DF-HJ-NP-TV-XZ]{${chars}})(?![A-Za-z\d])`
  return String.raw`${group}(?:${spacedHyphen}${group}){1,3}`
}
const spacedHyphen = '[ \\t\u00a0]{1,2}[-–—][ \\t\u00a0]{1,2}'
const spacedHyphens = new RegExp(spacedHyphen, 'g')

/** "Is" of Zulu and Xhosa, joined to a number: "ngu-482 913". */
const isOfZulu = '(?:(?:ng[uo]|[yw]i|wu)-)'
const startOfZulu = new RegExp(`^${isOfZulu}`)

/** Digits with single separators between them, or words of letters and digits joined by hyphens, from the start of a word. */
const unitPattern = wordPattern([
  String.raw`(?<![\p{Script=Latin}\d])(?:`,
  String.raw`\d{3}\t(?:[-–]\t)?\d{3}(?![^\n])|${isOfZulu}?\d(?:(?!${timeAfterCode})[ \u00a0\u202f.,:/\-‐-–]?\d){2,24}(?![a-zA-Z\d]|-[a-zA-Z\d])`,
  `|(?=[A-Z\\d]{3,5}[ \\t\u00a0]{1,2}[-–—])(?=[\\d \\t\u00a0–—-]{0,24}[A-Z])(?:${[3, 4, 5].map(groupsInText).join('|')})`,
  String.raw`|(?=[A-Za-z-]{0,11}\d|[A-Z-]{4,12}(?![A-Za-z])|[A-Za-z]{0,10}(?:[a-z][A-Z]|[A-Z]{2}[a-z]))`,
  String.raw`[A-Za-z\d]{1,12}(?:-[A-Za-z\d]{2,12}){0,3}(?![A-Za-z\d_])`,
  ')',
].join(''), 'uy')

const digitShapes = [
  /^\d{4,8}$/, /^\d{3}[ \u00a0\u202f‐-–-]\d{3}$/, /^\d{4}[ \u00a0\u202f‐-–-]\d{4}$/, /^\d{2}([ \u00a0\u202f-])\d{2}(?:\1\d{2}){1,2}$/,
]
/** A date of these years, as a number or in pairs: "26-11-24", "20241126". */
const date = (() => {
  const [day, month, year] = [String.raw`(?:0[1-9]|[12]\d|3[01])`, String.raw`(?:0[1-9]|1[0-2])`, String.raw`[23]\d`]
  const between = '[ \u00a0\u202f-]'
  return new RegExp(`^(?:${day}${between}${month}${between}${year}|${month}${between}${day}${between}${year}|${year}${between}${month}${between}${day}`
    + `|20${year}${month}${day}|${day}${month}20${year})$`)
})()
const digitShapesWithLabel = [date, /^\d{9,10}$/, /^\d{2}[ \u00a0\u202f-]\d{2}$/, /^(?:\d{3}([ \u00a0\u202f-])\d{3}\1\d{3}|\d{5}[ \u00a0\u202f-]\d{5}|\d{3}\t(?:[-–]\t)?\d{3})$/]
/**
 * A code, and after it a small number, a time, an ending of Hungarian or Azerbaijani, or the name of the sender: "482913 10 minutes",
 * "482913 10:45", "482913-as", "482913-dir", "482913-Acme".
 */
const withNumberAfter = /^(\d{6,8})(?:[ .,:]\d{1,2}(?::\d\d)?|-(?:[aeoö]s|t|[ae]l|[dt][iu]r))$/
/**
 * The name of the sender, or "is", before the digits that a user types, "G-553210", or a name behind them,
 * "553210-Acme"; halves of the same length are one code, "ABCD-1234".
 */
const withName = new RegExp(String.raw`^(?:[A-Z][A-Za-z]{0,11}|${wordsForIs})-(\d{4,8})$|^(\d{4,8})-[A-Z][a-z]+[A-Za-z]*$`)
/** More capitals before few digits are rather a part of the code: "PLX-4829". */
const withCapitals = /^([A-Z]{3,12})-(\d{4,5})$/
const numberedPrefix = /^(?:VISA|AMEX|INV|ORD|REF|TKT|PO|SO|RMA|SKU|ID|CVE|ISO|RFC|BUG|CASE|PR|NO|NR|ORDER|TICKET|INVOICE)-/i

function candidateOf(unit: string, start: number): Candidate | null {
  const end = start + unit.length
  const number = unit.replace(startOfZulu, '')
  const needsLabel = digitShapesWithLabel.some((shape) => shape.test(number))
  if (needsLabel || digitShapes.some((shape) => shape.test(number))) {
    return { code: unit.replace(/\D/g, ''), start, end, kind: 'digits', needsLabel }
  }
  const code = withNumberAfter.exec(unit)?.[1]
  if (code) return { code, start, end: start + code.length, kind: 'digits', needsLabel }
  if (numberedPrefix.test(unit)) return null
  if (/[A-Z]/.test(unit) && /\s/.test(unit)) return { code: unit.replace(spacedHyphens, '-'), start, end, kind: 'mixed', needsLabel: false }
  const hasCapitals = withCapitals.test(unit)
  const [, beforeDigits, digits = beforeDigits] = (hasCapitals ? null : withName.exec(unit)) ?? []
  if (digits && unit.length !== digits.length * 2 + 1) return { code: digits, start, end, kind: 'digits', needsLabel: /^[A-Z]/.test(unit) }
  const length = unit.replaceAll('-', '').length
  if (!/[A-Za-z]/.test(unit) || length < minCodeChars || length > 16 || otherForm.test(unit) || amountInOneWord.test(unit)) return null
  if (/\d/.test(unit)) return { code: unit, start, end, kind: 'mixed', needsLabel: hasCapitals || wordWithNumber.test(unit) }
  const isMixed = isMixedCase(unit)
  const isRandom = looksRandom(unit)
  if (unit.includes('-') && (isMixed || (!isRandom && length < minWordChars))) return null
  if (!isRandom && ((!isMixed && !/^[A-Z-]+$/.test(unit)) || isProse(unit) || isButton(unit))) return null
  return { code: unit, start, end, kind: 'letters', needsLabel: isMixed || (!isRandom && length < minWordChars) }
}

/** "ACME-4829" of Acme is 4829, beside "PLX-4829". */
export function withoutSender(code: string, sender: string): string {
  const [, name, digits] = withCapitals.exec(code) ?? []
  return name !== undefined && sender.includes(name.toLowerCase()) ? digits! : code
}

/** Shorter words in capitals are rather headings and acronyms. */
const minWordChars = 6

const isButton = (word: string): boolean => /^(?:SUBMIT|SEND|COPY)/.test(word) || buttonWords.some((words) => word.toLowerCase().search(words) === 0)
const buttonWords = [actionWords, signInWords, openWords]

/** Words with a number at one end: "iPhone15", "24h", "covid19", "VTB24". */
const wordWithNumber = /^(?:[A-Z]?[a-z]+[A-Z]?[a-z]*-?\d{1,4}|\d{1,4}-?[a-z]+|[a-z-]+\d*|[A-Z]{2,3}\d{2})$/
/** Dates and years, sizes, numbers of which only the end is shown, and vouchers. */
const otherForm = /^(?:(?:19|20)\d\d-?(?:yil|ko)|\d{1,2}-[A-Za-z]{3,9}-\d{2,4}|\d{3,4}[xX]\d{3,4}|[xX]{2,}\d{2,6}|x\d{3,4}|(?:SAVE|WELCOME|GET|DEAL|SALE|EXTRA|THANKS|OFF)\d{1,3})$/

/** The characters of a text after its last white space: found from its end, since an expression would search from each character. */
function lastWord(text: string): string {
  let start = text.length
  while (start > 0 && !isSpace.test(text[start - 1]!)) start--
  return text.slice(start)
}

const isSpace = /\s/

/** Whether a candidate is not part of an address, a URL, a price or a longer number. */
function standsFree(source: string, { start, end, kind }: Candidate): boolean {
  let before = source.slice(Math.max(0, start - 4), start)
  let after = source.slice(end, end + 80)
  if (isEmphasized(before, after)) [before, after] = ['', '']
  if (kind === 'digits' && end - start <= 4 && mask.test(before) && !after.startsWith('*')) return false
  const wordBefore = lastWord(source.slice(Math.max(0, start - 100), start))
  const isAfterOther = /[\p{Sc}+%=&/@_\\©]\s?$|\d[.,:]$|[\p{L}\d][.-]$|[^\s:]#$|#\s$/u.test(before)
  if (isAfterOther && !hashBefore.test(source.slice(Math.max(0, start - 16), start)) && !equalsSign.test(before) && !/^\p{L}+=$/u.test(wordBefore)) return false
  if (continuation.test(after)) return false
  if (kind === 'mixed' && end - start <= 5 && (groupAfter.test(after) || groupBefore.test(source.slice(Math.max(0, start - 7), start)))) return false
  if (kind === 'digits' && isOfOther(source, start, end, after)) return false
  const word = wordBefore + (/^\S*/.exec(source.slice(end, end + 60))?.[0] ?? '')
  return !/:\/\/|www\.|[\w.]@[\w.]/i.test(word) && !lineOfFile.test(wordBefore)
}

/** Whether digits are an amount, the year of a date or the number of a house. */
function isOfOther(source: string, start: number, end: number, after: string): boolean {
  const before = source.slice(Math.max(0, start - 20), start)
  return isAmount(before.slice(-12), after) || streetAfter.test(after) || isYear(source.slice(start, end), before, after)
}

/** The first word of the next sentence, and not the end of the name of a file. */
const nextSentence = String.raw`[A-Z][a-z]|(?!PDF|ZIP|JPE?G|PNG|DOCX?|XLSX?|CSV|TXT)[A-Z]{2,12}[ '’]|(?:do|don['’]?t|never|not|please|pls|kindly|valid|expires|it|this|otp|code)[ '’]`
/** The rest of a longer number, an address, a file name or a path. */
const continuation = new RegExp(String.raw`^(?!${timeAfterCode})(?:[.,:/-]\d|[@=&%\\_]|\.(?!${nextSentence})[A-Za-z]|\/\w)`)

/** A group of capitals and digits beside another, which is a part of a code: "XKQ7 M2PD". */
const group = String.raw`(?<![A-Za-z\d-])(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z\d]{4,5}`
const [groupBefore, groupAfter] = [new RegExp(`${group} $`), new RegExp(String.raw`^ ${group}(?![A-Za-z\d-])`)]

/** "Code#482913", "Code # 482913", beside "vscode#4829" and "C#", and the mark of a heading: "# 482913". */
const hashBefore = /(?:^|\s)\p{Lu}\p{L}{1,11} ?# ?$|\n[ \t]{0,3}#{1,6} $/u

/** "code = 482913", beside "code=482913", and a rule of "====" on the line above. */
const equalsSign = /\s= $|=\n$/

/** "app.js:" before the number of a line. */
const lineOfFile = /\.[a-z]{1,4}[:(]$/

/** Whether a number stands between underscores, for emphasis. */
const isEmphasized = (before: string, after: string): boolean => /(?<![\p{L}\d_])_{1,2}$/u.test(before) && /^_{1,2}(?![\p{L}\d_])/u.test(after)

/** The digits of a card or an account that are not shown. */
const mask = /(?:\*{2}|•{2}|x{2})[ -]?$|(?<!\*)\*$|•$|[(\[](?:\.{2,3}|…)$/i

/**
 * The zeros of other scripts: Arabic-Indic, Persian, N'Ko, Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada,
 * Malayalam, Sinhala, Thai, Lao, Tibetan, Burmese, Khmer, Mongolian.
 */
const zerosOfScripts = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66,
  0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810,
]
const digitsOfScripts = zerosOfScripts.map((zero) =>
  `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')
/** Also fullwidth and mathematical letters and digits, and the mark that makes a digit an emoji. */
const otherScripts = new RegExp(String.raw`[${digitsOfScripts}\u20e3\uff0d\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]|\ud835[\udc00-\udfff]`, 'g')

/** Ranges that most texts lack: searching these few takes a seventh of the time. */
const mayBeOtherScript = /[\u0660-\u1819\u20e3\ud835\uff0d-\uff5a]/

/** Letters with few marks, Hangul syllables and kana, in parts. They are normalized one by one: a run of marks takes quadratic time. */
const decomposed = /\p{L}[\u0300-\u036f]{1,3}|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[\u3046-\u30fd][\u3099\u309a]/gu
const mayBeDecomposed = /[\u0300-\u036f\u1161-\u1175\u3099\u309a]/

/** Converts digits of other scripts, and letters and digits in another style, to ASCII, and letters with marks to whole letters. */
export function withAsciiDigits(text: string): string {
  const whole = mayBeDecomposed.test(text) ? text.replace(decomposed, (letter) => letter.normalize()) : text
  if (!mayBeOtherScript.test(whole)) return whole
  return whole.replace(otherScripts, (char) => {
    const code = char.charCodeAt(0)
    const zero = zerosOfScripts.find((first) => code >= first && code < first + 10)
    return zero ? String.fromCharCode(code - zero + 0x30) : char === '\u20e3' ? ' ' : char.normalize('NFKC')
  })
}

/** The text of a mail without HTML tags, dotted leaders and paths of URLs, in which no label is looked for. */
export const searchedText = (text: string): string => withoutPaths(withoutLeaders(withoutMarkup(text)))

/** The text of a page that was sent as plain text, as programs do that leave the type of a mail out. */
const withoutMarkup = (text: string): string => pageTag.test(text) ? scanHtml(text).text : text

/** Dots between the label of a line and its number: "Access code ...... 482913". */
const withoutLeaders = (text: string): string => text.includes('....') || text.includes('. . .') ? text.replace(leaders, ': ') : text

const leaders = /(?<=[\p{L}\p{N})])(?: {1,2}(?:\. ?){4,60}|\.{6,60}):? {0,4}(?=\S)/gu

/** Words in the paths and queries of URLs are no labels: "?token=…". Their characters stay, since distances to labels count. */
const withoutPaths = (text: string): string => text.includes('://') ? text.replace(pathOfUrl, (_, host: string, path: string) => host + '/'.repeat(path.length)) : text

const pathOfUrl = /(:\/\/[^\s/?#]{1,253})([/?#][!-~]*[\w/=-])/g

const pageTag = /<\/(?:html|body|p|b|strong|div|span|td|h[1-6])>/i
