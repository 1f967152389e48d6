import {
  articleAtEnd, changeWord, codeWord, demonstrative, enterAnywhere, expiryWord, link, linkAfter, linkAtEnd,
  linkWordAtEnd, oneTimeContext, oneTimeWord,
  ownCodeBefore, passwordWord, paymentWord, programWord, signInWord, stems, wordsForIs,
} from './code-words.ts'
import type { Candidate } from './code-boxes.ts'
import { ageWord } from './code-changes.ts'
import { endsWithKind, hasKind, namesPurpose } from './code-kinds.ts'
import { endOfLast } from './last-match.ts'
import { isAmount, isOtherNumber } from './other-numbers.ts'
import { wordPattern } from './word-pattern.ts'

/** A word for a code before a number. */
export interface Label {
  /** Characters from the word for a code to the end of the text, 0 where it is linked; Infinity without such a word. */
  distance: number
  /** Whether nothing but a word such as "is" follows it. */
  isLinked: boolean
  /** Whether a word such as "is", or a colon, stands directly before the number. */
  leadsTo: boolean
  /** Whether a word or a colon links it, so that "code" is no other word before a number. */
  isNamed: boolean
}

/**
 * Finds the last word for a code in a text.
 * @param context returns the sentence and the subject, which tell whether "code" is that of a program; null when it is not
 * @param isAlone whether the number has a line of its own
 */
export function labelBefore(text: string, context: (() => string) | null, isAlone = false): Label {
  const end = endOfLast(codeWord, text)
  let distance = end < 0 || context !== null && isProgramCode(text, end, context) ? Infinity : text.length - end
  distance = Math.min(distance, passwordLabelBefore(text, isAlone))
  const between = distance < Infinity ? text.slice(text.length - distance) : ''
  const isLinked = distance < Infinity && link.test(between)
  if (!isLinked && ownNumber.test(between) && leadsToNumber(between)) return noLabel
  return { distance: isLinked ? 0 : distance, isLinked, leadsTo: linkAtEnd.test(between), isNamed: isLinked && /[^ \n]/.test(between) }
}

const noLabel: Label = { distance: Infinity, isLinked: false, leadsTo: false, isNamed: false }

/** The number of a label, and the end of its cell, a word or an empty line: the next one is in no list with it. "Code: 048291\nTime: " */
const ownNumber = wordPattern(
  String.raw`^[\p{L}\p{M} '’-]{0,30}\t\d[\d -]{3,}\n|^[^\d(（\[【]{0,40}\d[\d -]{3}(?!年)[^]*(?:\p{L}{3}|\n\s*\n)`, 'u')

const isOrColon = String.raw`(?:[:：]|(?:${wordsForIs}))[^\p{L}\p{N}]{0,8}`
/** "for Line: ", " to sign in to Line is ". */
const nameOfSender = wordPattern(
  String.raw`^(?: \p{Ll}[\p{L}’'-]{0,20}){0,6} (?:[\p{Lu}\d][\p{L}\d.&'’*/-]{0,24}(?: |(?=[:：]))){1,4}${isOrColon}$`, 'u')
const inPurpose = String.raw`[^\n\d:：.,;]{1,40}`
const wordsForPurpose = stems('for für pour para per voor do dla pro pre для за на za pentru för till? untuk για để cho')
/** "for your order: ", "to confirm your phone number is ". */
const purpose = wordPattern(String.raw`^(?: [\p{L}\p{M}]{1,20}){0,3} (?:`
  + String.raw`(?:${wordsForPurpose}) ${inPurpose}[:：]\s{0,8}`
  + String.raw`|(?:ל|ل)${inPurpose}[:：]\s{0,8}`
  + String.raw`|to (?:\p{L}{2,12} ){1,3}(?:your|the|this|an?|my) ${inPurpose}(?: ${isOrColon}|[:：]\s{0,8}|\n\s{0,8}))$`, 'iu')

/** " đăng nhập tài khoản: ", " تفعيل الحساب: ", with a word for the kind of code. */
const labelToColon = /^ [^\n\d:：.,;]{1,32}[:：]\s{0,8}$/u

/** Whether a label says for whom or what the number is, so that other words in it are no label. @param text as it is written */
export function hasPurpose(text: string, { distance }: Label): boolean {
  if (distance === 0 || distance === Infinity) return false
  const between = text.slice(-distance)
  return [nameOfSender, purpose, ageWord].some((words) => words.test(between))
    || (labelToColon.test(between) && hasKind(between))
}

const leadsOn = wordPattern(String.raw`^(?: [\p{L}.&]{1,20}){0,3} ?${isOrColon}\d{4}`, 'u')
const datePart = /^[^\d]*\d{1,8}[./-]\d/

/** Whether a text after a part of a name leads to the code: "HSBC Bank is 4829". A date is none. */
export const leadsOnFromName = (after: string): boolean => leadsOn.test(after) && !datePart.test(after) && !expiryWord.test(after)

/**
 * Whether a text after a number of the purpose of a code leads to the code, over amounts, too: "code for card 4417, 12.99 EUR: 482913".
 * After a number to which a colon or "is" leads, only another word for a code does.
 */
export function leadsOnFromPurpose(after: string, { leadsTo }: Label): boolean {
  return [...after.matchAll(laterNumber)].some(({ 0: number, index }) => {
    const between = after.slice(0, index)
    const isLedTo = leadsTo || between.includes('\n') ? labelBefore(between, null).isLinked : linkAtEnd.test(between)
    return isLedTo && !isAmount(between, after.slice(index + number.length)) && !expiryWord.test(between) && !isOtherNumber(between)
  })
}
const laterNumber = /(?<!\d[.,:/-]?)\d(?:[ -]?\d){3,9}(?![.,:/-]?\d)/g

/**
 * Whether "code" in a text before a number may be that of a program: its sentence is not about signing in, and neither "is", a colon nor
 * the end of its line leads to the number, nor is it the code of the reader, such as "your code".
 */
function isProgramCode(text: string, end: number, context: () => string): boolean {
  const between = text.slice(end)
  if (plainLink.test(between) && !nameInProgram.test(text.slice(Math.max(0, end - 12), end))) return false // as most are
  const word = programWord.exec(text.slice(Math.max(0, end - 10), end))?.[0]
  if (!word || /^\p{L}/u.test(between)) return false
  const before = text.slice(Math.max(0, end - word.length - 40), end - word.length)
  if ((/[._]$/.test(before) && !nameOfCode.test(before)) || /^(?:[(_]|\.\w)/.test(between)) return true // "app.code", "code.js", "code()"
  return !isLedTo(word, before, between) && !endsWithKind(between) && !oneTimeContext.test(context())
}

const plainLink = /^(?:: ?| (?:is|ist|est|es):? )$/
const nameInProgram = /[._]\p{L}+$/u
/** "verification_code". */
const nameOfCode = wordPattern(String.raw`(?<!\p{L})(?:otp|pin|(?:${signInWord.source})\p{L}{0,10})_$`, 'u')

/** Whether the words around "code" say that the number behind it is the code. */
function isLedTo(word: string, before: string, between: string): boolean {
  if (link.test(between)) return linkAtEnd.test(between) || !/[a-z]/.test(word) || beginsLine.test(before) || ownCodeBefore.test(before)
  if (linkWordAtEnd.test(between) && !between.trimEnd().includes('\n')) return true
  return linkAtEnd.test(between) && (ownCodeBefore.test(before) || (restOfCell.test(between) && beginsLine.test(before)))
}

const restOfCell = /^[^\n]*\t$/
const beginsLine = /(?:^|\n)[^\p{L}\p{N}\n]*$/u

/**
 * Whether a text names the code of the reader, and a colon or "is" at its end leads to it from any distance: "Use this code to sign in to
 * Acme: ". In the passive, it is rather about another thing: "Your code was used on this device: ".
 */
export function leadsToOwnCode(text: string, { distance }: Label): boolean {
  if (distance === 0 || distance === Infinity || !linkWordAtEnd.test(text) || passive.test(text.slice(-distance))) return false
  return namesPurpose(text.slice(-distance)) || isOwnCode(text.slice(0, -distance)) || oneTimeContext.test(text) || paymentWord.test(text)
}

/** "G-482913", whose prefix is no part of the code, and "PLX-4829". */
export const hasPrefix = (source: string, { start, end }: Candidate): boolean => /^[A-Z][A-Za-z]*-\d{4,8}$/.test(source.slice(start, end))

/** Whether a label leads to such a code, also over its purpose: "enter the code of confirmation G-482913", "kod weryfikacyjny to …". */
export function leadsToPrefixed(before: string, after: string, { distance, leadsTo }: Label): boolean {
  if (leadsTo || colonOfScript.test(before)) return true
  const between = before.slice(-distance)
  return namesPurpose(between) && (!/\s\p{L}/u.test(between) || between.endsWith(' to ') || linkAfter.test(after)
    || after.startsWith(' است') || enterAnywhere.test(before))
}

const colonOfScript = /(?:[៖՝፦]|คือ)\s*$/

/** "G-482913 to Twój kod", "G-482913 — ваш код". */
export const linkAfterPrefix = /^ (?:to (?=twój|pan|kod|hasło)|[–—-] )/u

/** Whether the word for a code at the end of a text is that for the code of the reader. */
const isOwnCode = (text: string): boolean => ownCodeBefore.test(text.replace(/[\p{L}\p{M}]{1,40}$/u, '').replace(articleAtEnd, ''))

/** Whether the last word for a code in a text is: "Your code is ". */
export function namesOwnCode(text: string): boolean {
  const end = endOfLast(codeWord, text)
  return end >= 0 && isOwnCode(text.slice(0, end))
}

const passive = wordPattern(String.raw`(?<!\p{L})(?:${stems(`
  was were been wurde wurden été fue fueron sido foi foram stato stata werd werden został została byl byla był była был была було blev ble bleven oldu
  (?:requested|used).(?:by|from|on) (?:demandé|utilisé).(?:par|sur|depuis) (?:solicitado|usado).(?:por|desde) (?:richiesto|usato).(?:da|su) (?:aangevraagd|gebruikt).(?:door|op)`)})(?!\p{L})`, 'u')

/** A password is a code when the number follows at once, or when it is sent for one use. */
function passwordLabelBefore(text: string, isAlone: boolean): number {
  const end = endOfLast(passwordWord, text)
  if (end < 0) return Infinity
  const between = text.slice(end)
  if (oneTimeWord.test(text.slice(Math.max(0, end - 40), end + 30))) return between.length
  if (isAlone && toColon.test(between) && demonstrative.test(text.slice(Math.max(0, end - 24), end))) return between.length
  return isLinkedPassword(between, isAlone) && !changeWord.test(text.slice(Math.max(0, end - 40), end)) ? between.length : Infinity
}

/** "Digite esta senha na catraca:". */
const toColon = /^[^\n.!?]{0,40}[:：]\s*$/

const isLinkedPassword = (between: string, isAlone: boolean): boolean => (link.test(between) && !between.includes('?') && (isAlone || !between.includes('\n')))
  || ((purpose.test(between) || purposeToIs.test(between)) && /\s$/.test(between) && !changeWord.test(between))

/** "Tu clave para confirmar el pago de 64,90 € con la tarjeta 3307 es ". */
const purposeToIs = wordPattern(String.raw`^ (?:${wordsForPurpose}) [^\n.!?:]{1,120} (?:${wordsForIs}) $`, 'u')

/** "mot de passe temporaire", "Password (temporary)". */
const oneTimeBehind = wordPattern(String.raw`^ \(?(?:${oneTimeWord.source})\p{L}{0,3}\)?`, 'u')

/** Whether the label of a password ends a text, so that the word behind it is one, whatever its characters. */
export function leadsToPassword(text: string): boolean {
  const end = endOfLast(passwordWord, text)
  const between = text.slice(end).replace(oneTimeBehind, '')
  if (end < 0 || /[.!?]/.test(between) || !isLinkedPassword(between, true)) return false
  const label = text.slice(Math.max(0, end - 40), end)
  return oneTimeWord.test(label) || !changeWord.test(label)
}

/**
 * Counts the characters up to the first word for a code in a text, unless that word leads to another number; Infinity without one.
 * @param context as in `labelBefore`
 */
export function labelAfter(text: string, context: () => string): number {
  codeWord.lastIndex = 0
  const match = codeWord.exec(text)
  if (match) {
    if (nextOfList.test(text.slice(0, match.index))) return Infinity
    if (leadsToNumber(text.slice(codeWord.lastIndex)) || leadsToValue(text, match)) return Infinity
    const isOfProgram = programWord.test(text.slice(0, codeWord.lastIndex)) && !/^\p{L}/u.test(text.slice(codeWord.lastIndex)) && !oneTimeContext.test(context())
      && !leadsBack.test(text) && !(/^\s*\n/.test(text) && ownCodeBefore.test(text.slice(0, match.index)))
    return isOfProgram ? Infinity : match.index
  }
  passwordWord.lastIndex = 0
  const password = passwordWord.exec(text)
  if (!password) return Infinity
  if (leadsToValue(text, password)) return Infinity
  const between = text.slice(0, password.index)
  const isCode = oneTimeWord.test(between) || (between.length <= 30 && linkAfter.test(between) && !changeWord.test(between))
  return isCode ? password.index : Infinity
}

/** "482913 is your code", "482913 as a code", "482913 – Acme code". */
const leadsBack = wordPattern(`${linkAfter.source}|^[ \\t]*[–—:(\\[|=-]|^\\t|^ (?:as|als|como|comme|come|jako|som) `, 'u')

/** Before the name of another code: "75011, digicode". */
const nextOfList = /^ ?[,،、;/] ?\p{L}{0,20}$/u

/** The rest of a label in a table, and the number in the next cell. */
const labelOfCell = /^[\p{L}\p{M} '’-]{1,30}\t\d[\d -]{2}/u

/** A label at the beginning of a line, and behind a label its value, a word or number, to the end of the line: "\nkod swift: bpkopl". */
const beginsLineBelow = /\n[ \t]*[\p{L}\p{M}. ]{0,24}$/u
const valueOfLine = /^[\p{L}\p{M} '’().-]{0,24}(?:\t|[:：] ?)(?:[\p{L}\d-]{4,24}|\d{3}[ -]\d{3})[ \t]*(?:\n|$)/u

/** Whether a label is that of a value in its own line below a number. */
const leadsToValue = (text: string, { index, 0: word }: RegExpExecArray): boolean =>
  beginsLineBelow.test(text.slice(0, index)) && valueOfLine.test(text.slice(index + word.length))

function leadsToNumber(text: string): boolean {
  if (labelOfCell.test(text)) return true
  const digit = text.search(/\d/)
  return digit >= 0 && digit <= 24 && link.test(text.slice(0, digit)) && /^[\d \u00a0-]{4}/.test(text.slice(digit))
}
