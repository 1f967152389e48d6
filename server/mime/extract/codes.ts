import { CODE_WORD, ENTRY_WORD, OTHER_NUMBER, UNIT_BEHIND } from './code-words.ts'
import { LIMITS } from '../limits.ts'

/**
 * The one-time codes of a mail as a user has to type them, best first; [] when there are none. Every number
 * or mix of letters and digits of a fitting shape is rated by the words around it.
 */
export function findCodes(subject: string, text: string): string[] {
  const source = withAsciiDigits(`${subject}\n\n${text}`)
  const scores = new Map<string, number>()
  for (const candidate of candidatesIn(source)) {
    const score = rate(source, candidate)
    if (score < THRESHOLD) continue
    const known = scores.get(candidate.code)
    // A code that is told twice is the likelier one.
    scores.set(candidate.code, known === undefined ? score : Math.max(known, score) + 5)
  }
  return [...scores].sort((a, b) => b[1] - a[1]).slice(0, LIMITS.codes).map(([code]) => code)
}

const THRESHOLD = 30
/** Each takes up to 40 microseconds, regardless of the length of the mail. */
const MAX_CANDIDATES = 1_000

interface Candidate { code: string; start: number; end: number; kind: 'digits' | 'mixed' | 'letters' }

function* candidatesIn(source: string): Generator<Candidate> {
  let count = 0
  for (const match of source.matchAll(UNIT)) {
    const candidate = candidateOf(match[0], match.index)
    if (!candidate || !standsFree(source, candidate)) continue
    yield candidate
    if (++count === MAX_CANDIDATES) return
  }
}

// Digits with single separators between them, or words of letters and digits joined by dashes.
const UNIT = new RegExp([
  String.raw`(?=[A-Za-z\d])(?<![\p{Script=Latin}\d])(?:`,
  String.raw`\d(?:[ \u00a0\u202f.,:/\-‐-–]?\d){2,24}(?![a-zA-Z\d]|-[a-zA-Z\d])`,
  String.raw`|(?=[A-Za-z-]{0,11}\d|[A-Z-]{6,12}(?![A-Za-z]))`,
  String.raw`[A-Za-z\d]{1,12}(?:-[A-Za-z\d]{2,12}){0,3}(?![A-Za-z\d_])`,
  ')',
].join(''), 'gu')

const SHAPES = [
  /^\d{4,8}$/, /^\d{3}[ \u00a0\u202f‐-–-]\d{3}$/, /^\d{4}[ \u00a0\u202f‐-–-]\d{4}$/,
  /^\d{2}([ \u00a0\u202f-])\d{2}\1\d{2}$/, /^\d(?:[ \u00a0]\d){3,7}$/, /^\d(?:-\d){3,7}$/,
]
// A code and a small number behind it: "482913 10 minutes".
const WITH_NUMBER_BEHIND = /^(\d{6,8})[ .,:]\d{1,2}$/

function candidateOf(unit: string, start: number): Candidate | null {
  const end = start + unit.length
  if (SHAPES.some((shape) => shape.test(unit))) {
    return { code: unit.replace(/\D/g, ''), start, end, kind: 'digits' }
  }
  const code = WITH_NUMBER_BEHIND.exec(unit)?.[1]
  if (code) return { code, start, end: start + code.length, kind: 'digits' }
  const digits = /^[A-Z]-(\d{4,8})$/.exec(unit)?.[1]
  if (digits) return { code: digits, start, end, kind: 'digits' }
  const length = unit.replaceAll('-', '').length
  if (!/[A-Za-z]/.test(unit) || length < 4 || length > 16) return null
  if (/\d/.test(unit)) return NO_CODE.test(unit) ? null : { code: unit, start, end, kind: 'mixed' }
  return { code: unit, start, end, kind: 'letters' }
}

// Words with a number at an end ("iPhone15", "24h", "covid19"), dates and sizes.
const NO_CODE = new RegExp(String.raw`^(?:[A-Z]?[a-z]+[A-Z]?[a-z]*-?\d{1,4}|\d{1,4}-?[a-z]+|[a-z-]+\d*`
  + String.raw`|\d{1,2}-[A-Za-z]{3,9}-\d{2,4}|\d{3,4}x\d{3,4})$`)

/** No part of an address, a URL, a price or a longer number. */
function standsFree(source: string, { start, end, kind }: Candidate): boolean {
  const before = source.slice(Math.max(0, start - 2), start)
  const after = source.slice(end, end + 12)
  if (/[$€£¥₹₽₩₪₺฿+#%=&/@_\\©]\s?$|\d[.,:]$|[\p{L}\d][.-]$/u.test(before)) return false
  if (/^(?:[.,:/-]\d|[@=&%\\_]|\.[a-z]|\/\w)/i.test(after)) return false
  if (kind === 'digits' && UNIT_BEHIND.test(after.toLowerCase())) return false
  const word = (/\S*$/.exec(source.slice(Math.max(0, start - 100), start))?.[0] ?? '')
    + (/^\S*/.exec(source.slice(end, end + 60))?.[0] ?? '')
  return !/:\/\/|www\.|[\w.]@[\w.]/i.test(word)
}

/** Rates a candidate by the sentence it stands in or, when it has a line of its own, by the lines around. */
function rate(source: string, candidate: Candidate): number {
  const { start, end, code, kind } = candidate
  const before = lastSentence(source.slice(Math.max(0, start - 140), start)).toLowerCase()
  const after = firstSentence(source.slice(end, end + 90)).toLowerCase()
  const isAlone = standsAlone(source, start, end)
  const said = nearness(before, true)
  const saidAfter = nearness(after, false)
  if (isOtherNumber(before) && (said?.distance ?? 99) > 2) return 0

  let score = 0
  if (said) score = 60 - said.distance / 2 + (said.distance <= 12 ? 15 : 0)
  if (saidAfter) score = Math.max(score, 55 - saidAfter.distance / 2)
  if (score === 0 && kind === 'digits' && ENTRY_WORD.test(after.slice(0, 30))) score = 40
  if (isAlone) score = Math.max(score, rateLine(source, candidate))
  if (score === 0) return 0
  return score + shapeBonus(code, kind, isAlone, said?.distance ?? 99)
}

/** The rating of a candidate on a line of its own by what the lines before and behind speak of. */
function rateLine(source: string, { start, end, kind }: Candidate): number {
  const above = source.slice(Math.max(0, start - 300), start).toLowerCase()
  const below = source.slice(end, end + 200).toLowerCase()
  if (isOtherNumber(above)) return 0
  const said = nearness(above, true)
  if (said) return 70 - said.distance / 10
  const saidBelow = nearness(below, false)
  if (saidBelow) return 55 - saidBelow.distance / 10
  if (kind !== 'digits') return 0
  if (ENTRY_WORD.test(above)) return 45
  const subject = source.slice(0, source.indexOf('\n\n')).toLowerCase()
  return nearness(subject, true) ? 50 : ENTRY_WORD.test(subject) ? 40 : 0
}

function shapeBonus(code: string, kind: Candidate['kind'], isAlone: boolean, distance: number): number {
  if (kind === 'letters') return isAlone ? 0 : -60
  if (kind === 'mixed') return isAlone || distance <= 25 ? 0 : -40
  const isYear = /^(?:19|20)\d\d$/.test(code)
  if (isYear) return distance <= 12 ? -15 : -50
  return code.length === 6 ? 8 : code.length === 4 || code.length === 8 ? 2 : 3
}

/** Maximum characters from the beginning of a label to its number. */
const MAX_LABEL = 64

const isOtherNumber = (before: string) => OTHER_NUMBER.test(before.slice(-MAX_LABEL))

/** The word for a code that is nearest to the candidate, and the characters between the two. */
function nearness(text: string, isBefore: boolean): { distance: number } | null {
  let distance = Infinity
  for (const match of text.matchAll(CODE_WORD)) {
    const end = match.index + match[0].length
    distance = isBefore ? text.length - end : Math.min(distance, match.index)
  }
  return distance === Infinity ? null : { distance }
}

const SENTENCE_END = /[.!?;]\s+|[。！？；]|\n\s*\n/g

function lastSentence(text: string): string {
  let start = 0
  for (const match of text.matchAll(SENTENCE_END)) start = match.index + match[0].length
  return text.slice(start)
}

function firstSentence(text: string): string {
  const end = text.search(SENTENCE_END)
  return end < 0 ? text : text.slice(0, end)
}

const DECORATION = String.raw`[\s>*_~=|"'“”„«»‹›\[\]【】「」『』().:：\-–—•#]*`
const ONLY_DECORATION = new RegExp(`^${DECORATION}$`, 'u')

function standsAlone(source: string, start: number, end: number): boolean {
  const before = source.slice(Math.max(0, start - 60), start)
  const after = source.slice(end, end + 60)
  const lineStart = before.lastIndexOf('\n')
  const lineEnd = after.indexOf('\n')
  if (lineStart < 0 && start > 60) return false
  if (lineEnd < 0 && source.length - end > 60) return false
  return ONLY_DECORATION.test(before.slice(lineStart + 1))
    && ONLY_DECORATION.test(lineEnd < 0 ? after : after.slice(0, lineEnd))
}

// Where the digits of a script start: fullwidth, Arabic-Indic, Persian, Devanagari, Bengali, Thai.
const ZEROS = [0xff10, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]
const FOREIGN = new RegExp('[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59'
  + '\uff0d\uff21-\uff3a\uff41-\uff5a]', 'g')

/** Digits of other scripts, and fullwidth letters, as ASCII; each character stays at its place. */
function withAsciiDigits(text: string): string {
  return text.replace(FOREIGN, (char) => {
    const code = char.charCodeAt(0)
    const zero = ZEROS.find((first) => code >= first && code < first + 10)
    return String.fromCharCode(zero ? code - zero + 0x30 : code - 0xfee0)
  })
}
