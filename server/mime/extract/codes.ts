import { mimeLimits } from '../limits.ts'
import type { Candidate } from './code-boxes.ts'
import { candidatesIn, searchedText, withAsciiDigits, withoutSender } from './code-candidates.ts'
import { headingOf, isNextOfList, standsAlone } from './code-columns.ts'
import {
  hasPrefix, hasPurpose, labelAfter, labelBefore, leadsOnFromName,
  leadsOnFromPurpose, leadsToOwnCode, leadsToPassword, leadsToPrefixed, linkAfterPrefix, namesOwnCode,
} from './code-labels.ts'
import { isAboutCode, kindOf } from './code-kinds.ts'
import type { Label } from './code-labels.ts'
import { beginsName, isMixedCase, looksRandom, mayBeWord, wordInCode } from './code-letters.ts'
import { isPartOfPassword } from './code-passwords.ts'
import {
  abbreviations, asksForDigits, codeElsewhere, codeWord, demonstrative, enterAbove, enterAfter, enterBefore, enterBelow, enterItBelow,
  enterWith, expiredAfter, expiredBefore, expiryWord, greeting, isForAccount, linkAfter, linkAtEnd,
  linkWordAtEnd, oneTimeContext, oneTimeName, presents,
  requestWord, scanWord, shopWord, signInSubject, signInWord, verificationCode, wordsForIs,
} from './code-words.ts'
import { isAskedInBody } from './code-subjects.ts'
import { endOfLast, lastLine } from './last-match.ts'
import {
  countAfter, countedCodes, isEndOfNumber, isListed,
  isOtherNumber, isTicketId, pluralAfter, postalAddress,
} from './other-numbers.ts'
import { isOfPurchase } from './purchase-codes.ts'
import { wordPattern } from './word-pattern.ts'

/** Scores by the place of the words that make a number a code, less a part of the distance to them, and by the form of the number. */
const scores = {
  min: 30,
  column: 75, labelBefore: 60, labelNear: 15, labelAfter: 55, labelAbove: 70, labelBelow: 55, labelInSubject: 50,
  requestToSignIn: 48, requestAbove: 45, longRequest: 42, signInSubject: 40,
  password: 75, repeated: 5, oneTimeName: 10,
  sixDigits: 8, evenDigits: 2, otherDigits: 3, year: -10, yearInProse: -100, mixedInProse: -40, namedWord: -20, wordInProse: -60,
}

/**
 * Finds the one-time codes of a mail as a user has to type them, the likeliest first. Each number, or mix of letters and digits, in the
 * form of a code is rated by the words around it.
 * @param sender name and address, in lower case: "Acme code" is that of the sender
 * @param text the text part, or the text of the HTML part with tabs between the cells of tables
 */
export function findCodes(subject: string, text: string, sender = ''): string[] {
  const source = withAsciiDigits([subject, searchedText(text)].join('\n\n')) // join makes a flat string, which charCodeAt reads faster
  const found = new Map<string, number>()
  const ofUnknownKind = new Map<string, number>()
  let last: Found | undefined
  for (const candidate of candidatesIn(source)) {
    const lastEnd = last?.candidate.end ?? 0
    if (candidate.start < lastEnd) continue
    const isNext = last !== undefined && isNextOfList(source, last.candidate, candidate)
      && !isAfterNumber.test(source.slice(candidate.end, candidate.end + 12))
    const score = isNext ? last!.score : rate(source, candidate, lastEnd)
    if (score < scores.min || isEndOfNumber(source, candidate)) continue
    let kind = isNext ? last!.kind : kindOf(source, candidate, sender)
    if (!isNext && kind !== 'personal' && isAskedInBody(source, candidate)) kind = 'personal'
    last = { candidate, score, kind }
    if (kind === 'other') continue
    const list = kind === 'unknown' ? ofUnknownKind : found
    const code = withoutSender(candidate.code, sender)
    const known = list.get(code)
    list.set(code, known === undefined ? score : Math.max(known, score) + scores.repeated)
  }
  const rated = found.size === 0 && ofUnknownKind.size > 0 && isAboutCode(subject, source) ? ofUnknownKind : found
  const codes = [...rated].sort((a, b) => b[1] - a[1]).map(([code]) => code)
  const firstOfDigits = codes.findIndex((code) => /^\d+$/.test(code))
  return codes.filter((code, i) => firstOfDigits < 0 || i < firstOfDigits || !acronym.test(code)).slice(0, mimeLimits.codes)
}

interface Found { candidate: Candidate, score: number, kind: ReturnType<typeof kindOf> }

/** Letters that are rather the name of the sender, where there is a likelier code of digits. */
const acronym = /^[A-Z]{4,5}$/

/**
 * Rates a candidate by its sentence or, when it has a line of its own, by the lines around it.
 * @param lastEnd the end of the code before it: a label leads to the first number after it, and to those of a list
 */
function rate(source: string, candidate: Candidate, lastEnd: number): number {
  const { start, end, needsLabel, kind, code } = candidate
  if (isPartOfPassword(source, candidate) || isTicketId(source, candidate)) return 0
  const heading = headingOf(source, candidate)
  if (heading) return heading === 'code' && kind !== 'letters' ? scores.column : 0
  const isRandom = kind === 'letters' && looksRandom(code)
  if (kind !== 'digits' && kind !== 'password' && mayBeWord(code, true) && !linkAtEnd.test(source.slice(Math.max(0, start - 24), start).toLowerCase())) return 0
  if (kind === 'letters' && beginsName(source, code)) return 0
  const isWord = kind === 'letters' && !isRandom && !needsLabel
  const between = source.slice(lastEnd, Math.min(start, lastEnd + 300))
  const isInList = !isWord && !/\p{L}{3}|\p{L}[:：]/u.test(between) && !isAfterNumber.test(source.slice(end, end + 12))
  const labelStart = isInList ? 0 : lastEnd
  const above = source.slice(Math.max(labelStart, start - 140), start)
  const after = firstSentence(source.slice(end, end + 90)).toLowerCase()
  const isAlone = standsAlone(source, start, end)
  const sentence = isAlone ? lastSentence(above) : sentenceOver(above, after)
  const before = sentence.toLowerCase()
  if (kind === 'password') return leadsToPassword(isAlone ? `${above.trimEnd().toLowerCase()} ` : before) ? scores.password : 0
  const context = () => `${before}\n${after}\n${subjectOf(source)}`
  if (kind !== 'digits' && mayBeWord(code, isAlone) && !isNamedAtOnce(source, candidate, isAlone)) return 0
  const label = labelBefore(before, context)
  if (label.isLinked ? countedCodes.test(before.slice(-30)) : !hasPurpose(sentence, label) && isOtherNumber(before)) return 0
  const distanceAfter = labelAfter(after, context)
  const mayBeOfPurpose = label.distance < Infinity && !(label.isLinked && !before.endsWith('(')) && distanceAfter === Infinity
  if (kind === 'digits' ? mayBeOfPurpose && leadsOnFromPurpose(after, label) : leadsOnFromName(after)) return 0
  if (countAfter.test(after) || (!label.isNamed && pluralAfter.test(after))) return 0
  const isHashed = hashAtEnd.test(source.slice(Math.max(0, start - 2), start))

  let score = 0
  const isLikeName = kind === 'letters' || (kind === 'mixed' && wordInCode.test(code)) // "Your code for HSBC is …"
  const isPrefixed = hasPrefix(source, candidate)
  const isLedTo = label.isLinked || (isLikeName ? label.leadsTo && !/(?<!\p{L})on $/u.test(before) : !needsLabel || (isPrefixed && leadsToPrefixed(before, after, label)))
  if (label.distance < Infinity && (isHashed ? label.isNamed : isLedTo)) {
    score = scores.labelBefore - countedDistance(label, sentence, kind) / 2 + (label.distance <= 12 || label.leadsTo ? scores.labelNear : 0)
  }
  const isNamed = (isNamedAfter(after, distanceAfter) || (isPrefixed && distanceAfter < 20 && linkAfterPrefix.test(after))) && !(isHashed && after.startsWith(':'))
  if (distanceAfter < Infinity && (isNamed ? kind !== 'letters' || isRandom : kind === 'digits' && !needsLabel && !isHashed)) {
    score = Math.max(score, scores.labelAfter - distanceAfter / 2)
  }
  const request = score === 0 && !needsLabel && !isHashed ? rateRequest(source, candidate, before, after) : 0
  score ||= request
  if (score === 0 && kind === 'digits' && !needsLabel && !isHashed && presents(before) && labelBefore(subjectOf(source), null).distance < Infinity) {
    score = scores.labelInSubject
  }
  const isSubject = start === 0 && kind !== 'digits' // the name of the sender
  if (isAlone && !isSubject) score = Math.max(score, rateLine(source, candidate, labelStart))
  if (score === 0 || expiredAfter.test(after) || expiredBefore.test(before)) return 0
  const ownBefore = before.trim() || lastSentence(above.trimEnd()).toLowerCase()
  if (isOfPurchase(source, candidate, { subject: subjectOf(source), before: ownBefore, after })) return 0
  const isOwn = kind === 'mixed' && !isLikeName && !needsLabel && leadsToOwnCode(before, label)
  if (oneTimeName.test(ownBefore) || (isNamed && oneTimeName.test(after))) score += scores.oneTimeName
  return score + shapeBonus(candidate, { isAlone, label, distance: request > 0 ? 0 : label.distance, isRandom, isNamed, isOwn })
}

/** The mark of the number of an issue or an order, or of a merge request: "#4821", "(!4821)". */
const hashAtEnd = /#$|(?<![\p{L}\d])!$/u

/** "118822 is your ticket". */
const isAfterNumber = new RegExp(`^ (?:${wordsForIs}) `)

/** Whether a label leads directly to a word at the end of a sentence, in a mail about one-time codes, in a text with small letters. */
function isNamedAtOnce(source: string, { start, end, code }: Candidate, isAlone: boolean): boolean {
  const subject = subjectOf(source)
  const above = source.slice(Math.max(start > subject.length ? subject.length : 0, start - 140), start)
  const sentence = lastSentence(isAlone ? above.trimEnd() : above)
  const text = sentence.toLowerCase()
  if (!/\p{Ll}{2}|\p{Lo}/u.test(sentence) || !(oneTimeContext.test(`${text}\n${subject}`) || (/\d/.test(code) && namesOwnCode(text)))) return false
  if (isMixedCase(code) && !verificationCode.test(text) && !enterAbove.test(text)) return false
  const label = labelBefore(text, null, isAlone)
  if (isAlone) return /[:：]$/.test(text) ? label.distance < Infinity : label.isLinked && !/[.!]$/.test(text)
  return label.isNamed && /^\P{L}{0,2}(?:[.,;!)]|\s*(?:\n|$))/u.test(source.slice(end, end + 8))
}

/**
 * The distance to a label, the same for all that lead to their numbers over the words of a line, so that these do not rank codes of equal
 * evidence: "Code for your old address: 482913", "Code for the new one: 604815".
 */
function countedDistance({ distance, leadsTo }: Label, before: string, kind: Candidate['kind']): number {
  const isPurpose = distance > 0 && distance <= (kind === 'digits' ? 60 : 25) && leadsTo && !before.slice(-distance).trimEnd().includes('\n')
  return isPurpose ? 10 : distance
}

/** Rates a number that is to be entered. */
function rateRequest(source: string, candidate: Candidate, before: string, after: string): number {
  const { kind, code } = candidate
  if ((shopWord.test(before) || shopWord.test(after)) && !verificationCode.test(`${before}\n${after}`)) return 0
  if (isAskedInBody(source, candidate)) return scores.requestToSignIn
  const isOfDigits = asksForDigits(before)
  const isEntered = [enterBefore.test(before), enterAfter.test(after), before.trim() === '' && enterItBelow.test(after), enterWith.test(`${before}*${after}`)]
  if (!isOfDigits && !isEntered.includes(true)) return 0
  const isCodeLike = kind === 'digits' || (kind === 'letters' && looksRandom(code))
  const isForSigningIn = isForAccount(`${before}\n${after}`) || signInWord.test(subjectOf(source))
  if (isForSigningIn && (isCodeLike || kind === 'mixed')) return scores.requestToSignIn
  return isCodeLike && (isOfDigits || code.length >= 6) ? scores.longRequest : 0
}

/** Rates a candidate on a line of its own by the words in the lines before and after it. */
function rateLine(source: string, candidate: Candidate, labelStart: number): number {
  const { start, end, code, kind, needsLabel } = candidate
  const above = source.slice(Math.max(labelStart, start - 300), start).replace(itemAtEnd, '\n').toLowerCase()
  const textBelow = source.slice(end, end + 200)
  const below = textBelow.toLowerCase()
  const context = () => `${above}\n${below}\n${subjectOf(source)}`
  const label = labelBefore(above, context, true)
  if ((isOtherNumber(above) && !hasPurpose(above, label)) || (kind === 'digits' && isInAddress(above))) return 0
  if (label.distance < (needsLabel ? 80 : Infinity)) return scores.labelAbove - countedDistance(label, above, kind) / 10
  const distanceBelow = labelAfter(below, context)
  if (needsLabel && !isNamedAfter(below, distanceBelow)) return 0
  const isRandom = kind === 'letters' && looksRandom(code)
  const subject = subjectOf(source)
  const isLabeled = isOtherNumber(above.replace(/\n\s*$/, '')) || hasOtherLabel(above, subject)
  if (distanceBelow < Infinity && (!isLabeled || namesAbove(textBelow, distanceBelow))) {
    return kind === 'letters' && numberBelow.test(below) ? 0 : scores.labelBelow - distanceBelow / 10
  }
  const isOfDigits = asksForDigits(`${lastLine(above)}\n`)
  if (kind === 'mixed' && !needsLabel && isOfDigits && [above, subject].some((text) => signInWord.test(text))) return scores.requestAbove
  if (kind === 'mixed' && !needsLabel && enterBefore.test(lastLine(above)) && !shopWord.test(above)) return scores.requestAbove
  if ((kind !== 'digits' && !isRandom) || isListed(above, below) || (isLabeled && !/\n\s*\n\s*$/.test(above))) return 0
  const isRequestBelow = enterBelow.test(below) && signInWord.test(below) && !shopWord.test(below)
  if (isRequestBelow && (!isLabeled || demonstrative.test(below))) return scores.requestAbove
  if (kind === 'digits' && labelBefore(subject, null).distance < Infinity) return scores.labelInSubject
  if (isLabeled) return 0
  const isRequest = isOfDigits || (code.length >= 6 && enterAbove.test(above))
  if (signInWord.test(above) || (isRequest && !shopWord.test(above))) return scores.requestAbove
  return kind === 'digits' && signInSubject.test(subject) ? scores.signInSubject : 0
}

/** Whether the sentence below a number names it as the code, and not a code that is elsewhere: "This code expires", "Enter the code". */
function namesAbove(below: string, distance: number): boolean {
  const text = below.trimStart()
  const sentence = firstSentence(text).toLowerCase()
  const at = distance - (below.length - text.length)
  if (at >= sentence.length || scanWord.test(sentence)) return false
  if (isNamedAfter(sentence, at) || expiryWord.test(sentence) || demonstrative.test(sentence.slice(0, at + 16))) return true
  if (codeElsewhere.test(sentence)) return false
  return at <= 12 || [enterBelow, requestWord, caption].some((words) => words.test(sentence))
}

/** A few words, with that for a code at their end. */
const caption = /^(?:\P{L}{0,4}\p{L}{1,20}){1,4}\P{L}{0,4}$/u

/** Whether the line above is one of a postal address, and not that of a label: "Code sent via email". */
function isInAddress(above: string): boolean {
  const line = lastLine(above)
  return postalAddress.test(above.slice(-120)) && !linkWordAtEnd.test(line) && endOfLast(codeWord, line) < 0
}

/** Whether a few words stand in the line above: none for signing in, no name in such a subject, no greeting. "Device\n482913". */
function hasOtherLabel(above: string, subject: string): boolean {
  const [, label, gap] = /(?:^|\n)[ \t]*(\p{L}[\p{L}\p{M} .'’/-]{1,24}?)[ \t]*(\n{1,2})[ \t]*$/u.exec(above) ?? []
  if (label === undefined) return false
  if (/\b(?:id|name|no\.)$/.test(label)) return true
  if (gap === '\n\n' && (greeting.test(label) || (subject.includes(label) && signInWord.test(subject)))) return false
  return !signInWord.test(label) && !enterAbove.test(label) && !/[.!]$/.test(label)
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

interface Place { isAlone: boolean, label: Label, distance: number, isRandom: boolean, isNamed: boolean, isOwn: boolean }

function shapeBonus({ kind, needsLabel, code }: Candidate, { isAlone, label, distance, isRandom, isNamed, isOwn }: Place): number {
  if (kind === 'letters') return isAlone || needsLabel || isRandom ? 0 : label.isNamed ? scores.namedWord : scores.wordInProse
  if (kind === 'mixed') return isAlone || isNamed || isOwn || distance <= 25 ? 0 : scores.mixedInProse
  const isYear = /^(?:19|20)\d\d$/.test(code)
  if (isYear) return isAlone || isNamed || distance === 0 || label.leadsTo ? scores.year : scores.yearInProse // "clean code in 2026"
  return code.length === 6 ? scores.sixDigits : code.length === 4 || code.length === 8 ? scores.evenDigits : scores.otherDigits
}

const isNamedAfter = (after: string, distance: number): boolean => distance <= 45 && linkAfter.test(after)

/** Months after the day of a date, "27. November". */
const months = 'Jan|Feb|Mär|Mar|Apr|Ma[ijy]|Jun|Jul|Aug|Sep|Okt|Oct|Nov|De[cz]|Led|Úno|Bře|Dub|Kvě|Čer|Srp|Zář|Říj|Lis|Pro'
const inAnyCase = (words: string) => words.replace(/(?<!\\p?)\p{Ll}/gu, (letter) => `[${letter}${letter.toUpperCase()}]`)

/**
 * A full stop ends no sentence behind an abbreviation or the day of a date, or behind a short word or number where a small letter follows:
 * "28.11. lautet", "Acme Blvd. is".
 */
const sentenceEnd = wordPattern([
  String.raw`(?:[.!](?:(?<!(?<!\p{L})(?:${inAnyCase(abbreviations)})[.!]|(?<!\d)\d{1,2}\.(?= (?:\d|${months}))`,
  String.raw`|(?<![\p{L}\d])(?:\p{L}{1,4}|\d{1,2})[.!](?=[ \t]+\p{Ll}))|(?=[ \t]*\n))|[?;])`,
  String.raw`(?![ \t]+(?:${wordsForIs})\s)\s+|[。！？；।۔។။።]|\n\s*\n`,
].join(''), 'gu')

/**
 * The sentence before a number. If the number begins its paragraph and the paragraph above is its label, the last sentence of that one:
 * "Your code:\n\n482913 (valid today)".
 */
function sentenceOver(above: string, after: string): string {
  const sentence = lastSentence(above)
  if (sentence.trim() !== '' || /^\s*\d/.test(after)) return sentence
  const paragraph = lastSentence(above.trimEnd())
  const text = paragraph.toLowerCase()
  const isHeading = labelBefore(text, null).isLinked && (/^\s?[^\p{L}\p{N}\s]/u.test(after) || expiryWord.test(after))
  return linkWordAtEnd.test(text) || isHeading ? `${paragraph}\n` : sentence
}

const lastSentence = (text: string): string => text.slice(Math.max(0, endOfLast(sentenceEnd, text)))

function firstSentence(text: string): string {
  const end = text.search(sentenceEnd)
  return end < 0 ? text : text.slice(0, end)
}

/** "2. " */
const itemAtEnd = /\n[^\p{L}\p{N}\n]{0,4}\d{1,2}[.)][ \t]+$/u
