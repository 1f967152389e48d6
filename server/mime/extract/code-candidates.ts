import { unitAfter } from './code-words.ts'

/** A number, or a mix of letters and digits, in the form of a code. */
export interface Candidate { code: string, start: number, end: number, kind: 'digits' | 'mixed' | 'letters' }

/** Maximum numbers of a mail that are rated: each takes up to 40 microseconds, regardless of the length of the mail. */
const maxCandidates = 1_000

/** Finds the candidates of a text that are not part of something else, in their order. */
export function candidatesIn(source: string): Candidate[] {
  const candidates: Candidate[] = []
  let at = nextStart(source, 0)
  while (at < source.length && candidates.length < maxCandidates) {
    unitPattern.lastIndex = at
    const unit = unitPattern.exec(source)?.[0]
    const candidate = unit ? candidateOf(unit, at) : null
    if (candidate && standsFree(source, candidate)) candidates.push(candidate)
    at = nextStart(source, unit ? at + unit.length : endOfWord(source, at))
  }
  return candidates
}

/**
 * Returns the index of the next word with which a unit may begin that has the form of a code; the length of the source when there is none.
 * Few words have digits or only capitals, and this loop rejects a word ten times as fast as the pattern.
 */
function nextStart(source: string, from: number): number {
  let at = from
  while (at < source.length) {
    const code = source.charCodeAt(at)
    if (isDigit(code)) {
      if (mayBeginCode(source, at)) break
      at = endOfWord(source, at)
    } else if (isLetter(code)) {
      const end = endOfLetters(source, at)
      const next = source.charCodeAt(end)
      const mayHaveDigit = (isDigit(next) || next === HYPHEN) && end - at < maxWordChars
      if (mayHaveDigit || (end - at >= minCapitals && isUpperCase(source, at, minCapitals))) break
      at = isDigit(next) ? endOfWord(source, end) : end
    } else {
      at++
    }
  }
  return at
}

/** Whether a word that begins with a digit is long enough for a code, or joined to the next one. */
function mayBeginCode(source: string, at: number): boolean {
  const end = endOfWord(source, at)
  if (end - at >= minCodeChars) return true
  const next = source.charCodeAt(end + 1)
  const separator = source.charCodeAt(end)
  return isDigit(next) || (separator === HYPHEN && isLetter(next))
}

const HYPHEN = 0x2d
/** The length of a word and the number of capitals in `unitPattern`. */
const maxWordChars = 12
const minCapitals = 6
const minCodeChars = 4

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

function endOfLetters(source: string, from: number): number {
  let at = from
  while (isLetter(source.charCodeAt(at))) at++
  return at
}

function endOfWord(source: string, from: number): number {
  let at = from
  while (isLetter(source.charCodeAt(at)) || isDigit(source.charCodeAt(at))) at++
  return at
}

function isUpperCase(source: string, from: number, count: number): boolean {
  for (let at = from; at < from + count; at++) if (source.charCodeAt(at) > 0x60) return false
  return true
}

/** Digits with single separators between them, or words of letters and digits joined by hyphens, from the start of a word. */
const unitPattern = new RegExp([
  String.raw`(?<![\p{Script=Latin}\d])(?:`,
  String.raw`\d(?:[ \u00a0\u202f.,:/\-‐-–]?\d){2,24}(?![a-zA-Z\d]|-[a-zA-Z\d])`,
  String.raw`|(?=[A-Za-z-]{0,11}\d|[A-Z-]{6,12}(?![A-Za-z]))`,
  String.raw`[A-Za-z\d]{1,12}(?:-[A-Za-z\d]{2,12}){0,3}(?![A-Za-z\d_])`,
  ')',
].join(''), 'uy')

const digitShapes = [
  /^\d{4,8}$/, /^\d{3}[ \u00a0\u202f‐-–-]\d{3}$/, /^\d{4}[ \u00a0\u202f‐-–-]\d{4}$/,
  /^\d{2}([ \u00a0\u202f-])\d{2}\1\d{2}$/, /^\d(?:[ \u00a0]\d){3,7}$/, /^\d(?:-\d){3,7}$/,
]
/** A code and a small number after it: "482913 10 minutes". */
const withNumberAfter = /^(\d{6,8})[ .,:]\d{1,2}$/

function candidateOf(unit: string, start: number): Candidate | null {
  const end = start + unit.length
  if (digitShapes.some((shape) => shape.test(unit))) {
    return { code: unit.replace(/\D/g, ''), start, end, kind: 'digits' }
  }
  const code = withNumberAfter.exec(unit)?.[1]
  if (code) return { code, start, end: start + code.length, kind: 'digits' }
  const digits = /^[A-Z]-(\d{4,8})$/.exec(unit)?.[1]
  if (digits) return { code: digits, start, end, kind: 'digits' }
  const length = unit.replaceAll('-', '').length
  if (!/[A-Za-z]/.test(unit) || length < 4 || length > 16) return null
  if (/\d/.test(unit)) return wordOrDate.test(unit) ? null : { code: unit, start, end, kind: 'mixed' }
  return { code: unit, start, end, kind: 'letters' }
}

/** Words with a number at one end ("iPhone15", "24h", "covid19"), dates and sizes. */
const wordOrDate = new RegExp(String.raw`^(?:[A-Z]?[a-z]+[A-Z]?[a-z]*-?\d{1,4}|\d{1,4}-?[a-z]+|[a-z-]+\d*`
  + String.raw`|\d{1,2}-[A-Za-z]{3,9}-\d{2,4}|\d{3,4}x\d{3,4})$`)

/** Whether a candidate is not part of an address, a URL, a price or a longer number. */
function standsFree(source: string, { start, end, kind }: Candidate): boolean {
  const before = source.slice(Math.max(0, start - 2), start)
  const after = source.slice(end, end + 12)
  if (/[$€£¥₹₽₩₪₺฿+#%=&/@_\\©]\s?$|\d[.,:]$|[\p{L}\d][.-]$/u.test(before)) return false
  if (/^(?:[.,:/-]\d|[@=&%\\_]|\.[a-z]|\/\w)/i.test(after)) return false
  if (kind === 'digits' && unitAfter.test(after.toLowerCase())) return false
  const word = (/\S*$/.exec(source.slice(Math.max(0, start - 100), start))?.[0] ?? '')
    + (/^\S*/.exec(source.slice(end, end + 60))?.[0] ?? '')
  return !/:\/\/|www\.|[\w.]@[\w.]/i.test(word)
}

/** The zeros of other scripts: fullwidth, Arabic-Indic, Persian, Devanagari, Bengali, Thai. */
const zerosOfScripts = [0xff10, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]
const otherScripts = new RegExp('[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59'
  + '\uff0d\uff21-\uff3a\uff41-\uff5a]', 'g')

/** Converts digits of other scripts and fullwidth letters to ASCII; each character keeps its position. */
export function withAsciiDigits(text: string): string {
  return text.replace(otherScripts, (char) => {
    const code = char.charCodeAt(0)
    const zero = zerosOfScripts.find((first) => code >= first && code < first + 10)
    return String.fromCharCode(zero ? code - zero + 0x30 : code - 0xfee0)
  })
}
