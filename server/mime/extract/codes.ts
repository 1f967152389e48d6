import { mimeLimits } from '../limits.ts'
import { candidatesIn, withAsciiDigits } from './code-candidates.ts'
import type { Candidate } from './code-candidates.ts'
import { codeWord, otherNumber, signInWord } from './code-words.ts'

/**
 * Finds the one-time codes of a mail as a user has to type them, the likeliest first. Each number, or mix of letters and digits, in the
 * form of a code is rated by the words around it.
 */
export function findCodes(subject: string, text: string): string[] {
  const source = withAsciiDigits([subject, text].join('\n\n')) // join makes a flat string, which charCodeAt reads faster
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
  codeWord.lastIndex = 0
  if (from === 'start') return codeWord.exec(text)?.index ?? Infinity
  let distance = Infinity
  while (codeWord.test(text)) distance = text.length - codeWord.lastIndex
  return distance
}

const sentenceEnd = /[.!?;]\s+|[。！？；]|\n\s*\n/g

function lastSentence(text: string): string {
  let start = 0
  sentenceEnd.lastIndex = 0
  while (sentenceEnd.test(text)) start = sentenceEnd.lastIndex
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
