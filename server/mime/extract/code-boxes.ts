import { wordPattern } from './word-pattern.ts'
/** A number, or a mix of letters and digits, in the form of a code. */
export interface Candidate {
  code: string
  start: number
  end: number
  /** A password has symbols, too. */
  kind: 'digits' | 'mixed' | 'letters' | 'password'
  /** Whether it is a code only when a label leads to it: it has the form of a phone number, a size or a word. */
  needsLabel: boolean
}

/** Codes of which each character, or each half, stands in a box or a line of its own. */

/** More boxes are a calendar or a scale. They are read together, and are no code. */
const maxBoxes = 10
/** Maximum characters between two boxes. */
const maxSeparatorChars = 12

const separator = String.raw`[\s|\u200b-\u200d\u2500-\u257f\ufe0f·•*_\-–—]{1,${maxSeparatorChars}}`
const lineBreak = String.raw`[ \t|\u200b-\u200d\u2500-\u257f-]{0,6}\n[\s|\u200b-\u200d\u2500-\u257f-]{0,6}`
const end = String.raw`(?![\p{Script=Latin}\d]|-\p{L}{2})`

/** Not the first word of a sentence below the boxes: "O código", "5 minutes". */
const noWord = String.raw`(?!(?<=\n[^\p{L}\d\n]{0,4}[A-Za-z\d])[ \t|]{1,8}\p{L}{2})`

const boxPattern = wordPattern([
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
export function hasLetterOrDigit(source: string, at: number): boolean {
  const code = source.charCodeAt(at)
  if (code < 0x80) return isAlphanumeric(code)
  const isLowSurrogate = code >= 0xdc00 && code < 0xe000
  return letterOrDigit.test(source.slice(isLowSurrogate ? at - 1 : at, at + 1))
}

export const letterOrDigit = /[\p{L}\d]/u
export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
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
