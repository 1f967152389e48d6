import { mimeLimits } from '../limits.ts'
import type { Candidate } from './code-boxes.ts'
import { candidatesIn, withAsciiDigits } from './code-candidates.ts'
import {
  changeWord, codeWord, enterAbove, enterAfter, enterBefore, enterBelow, link, linkAfter, oneTimeWord, passwordWord, saleWord, shopWord,
  signInWord,
} from './code-words.ts'
import { otherNumber, postalAddress } from './other-numbers.ts'

/**
 * Finds the one-time codes of a mail as a user has to type them, the likeliest first. Each number, or mix of letters and digits, in the
 * form of a code is rated by the words around it.
 */
export function findCodes(subject: string, text: string): string[] {
  const source = withAsciiDigits([subject, text].join('\n\n')) // join makes a flat string, which charCodeAt reads faster
  const scores = new Map<string, number>()
  let lastEnd = 0
  for (const candidate of candidatesIn(source)) {
    const score = rate(source, candidate, lastEnd)
    if (score < minScore) continue
    lastEnd = candidate.end
    const known = scores.get(candidate.code)
    // a code that is repeated is more likely
    scores.set(candidate.code, known === undefined ? score : Math.max(known, score) + 5)
  }
  return [...scores].sort((a, b) => b[1] - a[1]).slice(0, mimeLimits.codes).map(([code]) => code)
}

const minScore = 30

/**
 * Rates a candidate by its sentence or, when it has a line of its own, by the lines around it.
 * @param lastEnd the end of the code before it: a label leads to the first number after it, and to those of a list
 */
function rate(source: string, candidate: Candidate, lastEnd: number): number {
  const { start, end, needsLabel } = candidate
  if (isCutOut(source, candidate)) return 0
  const isInList = !/\p{L}{3}/u.test(source.slice(lastEnd, Math.min(start, lastEnd + 300)))
  const labelStart = isInList ? 0 : lastEnd
  const before = lastSentence(source.slice(Math.max(labelStart, start - 140), start)).toLowerCase()
  const after = firstSentence(source.slice(end, end + 90)).toLowerCase()
  const isAlone = standsAlone(source, start, end)
  const label = labelBefore(before)
  if ((isOtherNumber(before) && !label.isLinked) || saleWord.test(before) || saleWord.test(after)) return 0
  const distanceAfter = distanceToLabelAfter(after)

  let score = 0
  if (label.distance < Infinity && (label.isLinked || !needsLabel)) score = 60 - label.distance / 2 + (label.distance <= 12 ? 15 : 0)
  if (distanceAfter < Infinity && (!needsLabel || isNamedAfter(candidate, after, distanceAfter))) {
    score = Math.max(score, 55 - distanceAfter / 2)
  }
  const request = score === 0 && !needsLabel ? rateRequest(source, candidate, before, after) : 0
  score ||= request
  if (isAlone) score = Math.max(score, rateLine(source, candidate, labelStart))
  if (score === 0) return 0
  return score + shapeBonus(candidate, { isAlone, label, distance: request > 0 ? 0 : label.distance })
}

/** Whether a candidate is a part of a password with symbols, or the PIN of a telephone conference, which ends with `#`. */
const isCutOut = (source: string, { start, end }: Candidate): boolean =>
  /^(?:#(?!\w)|[!@$%^&*]\w)/.test(source.slice(end, end + 2)) || /\w[!@$%^&*]$/.test(source.slice(Math.max(0, start - 2), start))

/** Rates a number that is to be entered, or that stands before a word for signing in. */
function rateRequest(source: string, { kind, code, start }: Candidate, before: string, after: string): number {
  if (shopWord.test(before) || shopWord.test(after)) return 0
  if (!enterBefore.test(before) && !enterAfter.test(after)) return kind === 'digits' && isForSignInAfter(source, start, after) ? 40 : 0
  const isForSigningIn = [after, before, subjectOf(source)].some((text) => signInWord.test(text))
  return isForSigningIn && kind !== 'letters' ? 48 : kind === 'digits' && code.length >= 6 ? 42 : 0
}

/** Whether a bare number stands before a word for signing in, but does not count it: "1024 login attempts". */
function isForSignInAfter(source: string, start: number, after: string): boolean {
  const distance = after.slice(0, 30).search(signInWord)
  return /\d/.test(source.charAt(start)) && distance >= 0 && !(distance === 1 && after.startsWith(' '))
}

/** Rates a candidate on a line of its own by the words in the lines before and after it. */
function rateLine(source: string, candidate: Candidate, labelStart: number): number {
  const { start, end, code, kind, needsLabel } = candidate
  const above = source.slice(Math.max(labelStart, start - 300), start).toLowerCase()
  if (isOtherNumber(above) || (kind === 'digits' && postalAddress.test(above.slice(-120)))) return 0
  const label = labelBefore(above, true)
  if (label.distance < (needsLabel ? 80 : Infinity)) return 70 - label.distance / 10
  const below = source.slice(end, end + 200).toLowerCase()
  const distanceBelow = distanceToLabelAfter(below)
  if (needsLabel && !isNamedAfter(candidate, below, distanceBelow)) return 0
  if (distanceBelow < Infinity) return kind === 'letters' && numberBelow.test(below) ? 0 : 55 - distanceBelow / 10
  if (kind !== 'digits') return 0
  if (signInWord.test(above) || (code.length >= 6 && enterAbove.test(above) && !shopWord.test(above))) return 45
  if (enterBelow.test(below) && signInWord.test(below) && !shopWord.test(below)) return 45
  const subject = subjectOf(source)
  return labelBefore(subject).distance < Infinity ? 50 : signInWord.test(subject) ? 40 : 0
}

/** A number to which a label below a word, such as the name of the sender, leads. */
const numberBelow = /\n\s*\d[\d -]{3}/

/** A longer subject is cut: it is searched for each candidate. */
const maxSubjectChars = 300

function subjectOf(source: string): string {
  const start = source.slice(0, maxSubjectChars)
  const end = start.indexOf('\n\n')
  return (end < 0 ? start : start.slice(0, end)).toLowerCase()
}

function shapeBonus(
  { kind, needsLabel, code }: Candidate, { isAlone, label, distance }: { isAlone: boolean, label: Label, distance: number },
): number {
  if (kind === 'letters') return isAlone || needsLabel ? 0 : label.isNamed ? -20 : -60
  if (kind === 'mixed') return isAlone || distance <= 25 ? 0 : -40
  const isYear = /^(?:19|20)\d\d$/.test(code)
  if (isYear) return isAlone || label.isNamed ? -15 : -100 // "clean code in 2026"
  return code.length === 6 ? 8 : code.length === 4 || code.length === 8 ? 2 : 3
}

/** Maximum characters from the beginning of a label to its number. */
const maxLabelChars = 64

const isOtherNumber = (before: string) => otherNumber.test(before.slice(-maxLabelChars))

interface Label {
  /** Characters from the word for a code to the end of the text, 0 where it is linked; Infinity without such a word. */
  distance: number
  /** Whether nothing but a word such as "is" follows it. */
  isLinked: boolean
  /** Whether a word or a colon links it, so that "code" is no other word before a number. */
  isNamed: boolean
}

/** Finds the last word for a code in a text. @param isAlone whether the number has a line of its own */
function labelBefore(text: string, isAlone = false): Label {
  let distance = Infinity
  codeWord.lastIndex = 0
  while (codeWord.test(text)) distance = text.length - codeWord.lastIndex
  const password = passwordLabelBefore(text, isAlone)
  distance = Math.min(distance, password)
  const between = distance < Infinity ? text.slice(text.length - distance) : ''
  const isLinked = distance < Infinity && link.test(between)
  return { distance: isLinked ? 0 : distance, isLinked, isNamed: isLinked && between.trim() !== '' }
}

/** A password is a code when the number follows at once, or when it is sent for one use. */
function passwordLabelBefore(text: string, isAlone: boolean): number {
  let end = -1
  passwordWord.lastIndex = 0
  while (passwordWord.test(text)) end = passwordWord.lastIndex
  if (end < 0) return Infinity
  const start = Math.max(0, end - 40)
  const between = text.slice(end)
  if (oneTimeWord.test(text.slice(start, end + 30))) return between.length
  const isLinked = link.test(between) && !between.includes('?') && (isAlone || !between.includes('\n'))
  return isLinked && !changeWord.test(text.slice(start, end)) ? between.length : Infinity
}

/** Counts the characters up to the first word for a code in a text, unless that word leads to another number; Infinity without one. */
function distanceToLabelAfter(text: string): number {
  codeWord.lastIndex = 0
  const match = codeWord.exec(text)
  if (match) return leadsToNumber(text.slice(codeWord.lastIndex)) ? Infinity : match.index
  passwordWord.lastIndex = 0
  const password = passwordWord.exec(text)
  if (!password) return Infinity
  const between = text.slice(0, password.index)
  const isCode = oneTimeWord.test(between) || (between.length <= 30 && linkAfter.test(between) && !changeWord.test(between))
  return isCode ? password.index : Infinity
}

function leadsToNumber(text: string): boolean {
  const digit = text.search(/\d/)
  return digit >= 0 && digit <= 24 && link.test(text.slice(0, digit)) && /^[\d \u00a0-]{4}/.test(text.slice(digit))
}

const isNamedAfter = ({ kind }: Candidate, after: string, distance: number): boolean =>
  kind !== 'letters' && distance <= 30 && linkAfter.test(after)

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

const hasWord = /[\p{L}\d]/u
const numberOfItem = /^\P{L}{0,4}?\b\d{1,2}[.)]\s/u

function standsAlone(source: string, start: number, end: number): boolean {
  const before = source.slice(Math.max(0, start - 60), start)
  const after = source.slice(end, end + 60)
  const lineStart = before.lastIndexOf('\n')
  const lineEnd = after.indexOf('\n')
  if (lineStart < 0 && start > 60) return false
  if (lineEnd < 0 && source.length - end > 60) return false
  return !hasWord.test(before.slice(lineStart + 1).replace(numberOfItem, '')) && !hasWord.test(lineEnd < 0 ? after : after.slice(0, lineEnd))
}
