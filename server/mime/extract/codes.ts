import { mimeLimits } from '../limits.ts'
import { codeWord, otherNumber, signInWord, unitAfter } from './code-words.ts'

/**
 * Finds the one-time codes of a mail as a user has to type them, the likeliest first. Each number, or mix of letters and digits, in the
 * form of a code is rated by the words around it.
 */
export function findCodes(subject: string, text: string): string[] {
  const source = withAsciiDigits(`${subject}\n\n${text}`)
  const scores = new Map<string, number>()
  for (const candidate of candidatesIn(source)) {
    const score = rate(source, candidate)
    if (score < minScore) continue
    const known = scores.get(candidate.code)
    // a code that is repeated is more likely
    scores.set(candidate.code, known === undefined ? score : Math.max(known, score) + 5)
  }
  return [...scores].sort((a, b) => b[1] - a[1]).slice(0, mimeLimits.codes).map(([code]) => code)
}

const minScore = 30
/** Maximum numbers of a mail that are rated: each takes up to 40 microseconds, regardless of the length of the mail. */
const maxCandidates = 1_000

interface Candidate { code: string, start: number, end: number, kind: 'digits' | 'mixed' | 'letters' }

function* candidatesIn(source: string): Generator<Candidate> {
  let count = 0
  for (const match of source.matchAll(unitPattern)) {
    const candidate = candidateOf(match[0], match.index)
    if (!candidate || !standsFree(source, candidate)) continue
    yield candidate
    if (++count === maxCandidates) return
  }
}

/** Digits with single separators between them, or words of letters and digits joined by hyphens. */
const unitPattern = new RegExp([
  String.raw`(?=[A-Za-z\d])(?<![\p{Script=Latin}\d])(?:`,
  String.raw`\d(?:[ \u00a0\u202f.,:/\-‐-–]?\d){2,24}(?![a-zA-Z\d]|-[a-zA-Z\d])`,
  String.raw`|(?=[A-Za-z-]{0,11}\d|[A-Z-]{6,12}(?![A-Za-z]))`,
  String.raw`[A-Za-z\d]{1,12}(?:-[A-Za-z\d]{2,12}){0,3}(?![A-Za-z\d_])`,
  ')',
].join(''), 'gu')

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

/** Rates a candidate by its sentence or, when it has a line of its own, by the lines around it. */
function rate(source: string, candidate: Candidate): number {
  const { start, end, code, kind } = candidate
  const before = lastSentence(source.slice(Math.max(0, start - 140), start)).toLowerCase()
  const after = firstSentence(source.slice(end, end + 90)).toLowerCase()
  const isAlone = standsAlone(source, start, end)
  const distanceBefore = distanceToCodeWord(before, 'end')
  const distanceAfter = distanceToCodeWord(after, 'start')
  if (isOtherNumber(before) && distanceBefore > 2) return 0

  let score = 0
  if (distanceBefore < Infinity) score = 60 - distanceBefore / 2 + (distanceBefore <= 12 ? 15 : 0)
  if (distanceAfter < Infinity) score = Math.max(score, 55 - distanceAfter / 2)
  if (score === 0 && kind === 'digits' && signInWord.test(after.slice(0, 30))) score = 40
  if (isAlone) score = Math.max(score, rateLine(source, candidate))
  if (score === 0) return 0
  return score + shapeBonus(code, kind, isAlone, distanceBefore)
}

/** Rates a candidate on a line of its own by the words in the lines before and after it. */
function rateLine(source: string, { start, end, kind }: Candidate): number {
  const above = source.slice(Math.max(0, start - 300), start).toLowerCase()
  const below = source.slice(end, end + 200).toLowerCase()
  if (isOtherNumber(above)) return 0
  const distanceAbove = distanceToCodeWord(above, 'end')
  if (distanceAbove < Infinity) return 70 - distanceAbove / 10
  const distanceBelow = distanceToCodeWord(below, 'start')
  if (distanceBelow < Infinity) return 55 - distanceBelow / 10
  if (kind !== 'digits') return 0
  if (signInWord.test(above)) return 45
  const subject = source.slice(0, source.indexOf('\n\n')).toLowerCase()
  return distanceToCodeWord(subject, 'end') < Infinity ? 50 : signInWord.test(subject) ? 40 : 0
}

function shapeBonus(code: string, kind: Candidate['kind'], isAlone: boolean, distance: number): number {
  if (kind === 'letters') return isAlone ? 0 : -60
  if (kind === 'mixed') return isAlone || distance <= 25 ? 0 : -40
  const isYear = /^(?:19|20)\d\d$/.test(code)
  if (isYear) return distance <= 12 ? -15 : -50
  return code.length === 6 ? 8 : code.length === 4 || code.length === 8 ? 2 : 3
}

/** Maximum characters from the beginning of a label to its number. */
const maxLabelChars = 64

const isOtherNumber = (before: string) => otherNumber.test(before.slice(-maxLabelChars))

/** Counts the characters between the start or the end of a text and the nearest word for a code in it; Infinity without such a word. */
function distanceToCodeWord(text: string, from: 'start' | 'end'): number {
  let distance = Infinity
  for (const match of text.matchAll(codeWord)) {
    const end = match.index + match[0].length
    distance = from === 'end' ? text.length - end : Math.min(distance, match.index)
  }
  return distance
}

const sentenceEnd = /[.!?;]\s+|[。！？；]|\n\s*\n/g

function lastSentence(text: string): string {
  let start = 0
  for (const match of text.matchAll(sentenceEnd)) start = match.index + match[0].length
  return text.slice(start)
}

function firstSentence(text: string): string {
  const end = text.search(sentenceEnd)
  return end < 0 ? text : text.slice(0, end)
}

const decoration = String.raw`[\s>*_~=|"'“”„«»‹›\[\]【】「」『』().:：\-–—•#]*`
const onlyDecoration = new RegExp(`^${decoration}$`, 'u')

function standsAlone(source: string, start: number, end: number): boolean {
  const before = source.slice(Math.max(0, start - 60), start)
  const after = source.slice(end, end + 60)
  const lineStart = before.lastIndexOf('\n')
  const lineEnd = after.indexOf('\n')
  if (lineStart < 0 && start > 60) return false
  if (lineEnd < 0 && source.length - end > 60) return false
  return onlyDecoration.test(before.slice(lineStart + 1))
    && onlyDecoration.test(lineEnd < 0 ? after : after.slice(0, lineEnd))
}

/** The zeros of other scripts: fullwidth, Arabic-Indic, Persian, Devanagari, Bengali, Thai. */
const zerosOfScripts = [0xff10, 0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]
const otherScripts = new RegExp('[\uff10-\uff19\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59'
  + '\uff0d\uff21-\uff3a\uff41-\uff5a]', 'g')

/** Converts digits of other scripts and fullwidth letters to ASCII; each character keeps its position. */
function withAsciiDigits(text: string): string {
  return text.replace(otherScripts, (char) => {
    const code = char.charCodeAt(0)
    const zero = zerosOfScripts.find((first) => code >= first && code < first + 10)
    return String.fromCharCode(zero ? code - zero + 0x30 : code - 0xfee0)
  })
}
