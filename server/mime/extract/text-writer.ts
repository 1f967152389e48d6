import { cutText, withoutInvisible } from '../clean-text.ts'

/** Collects text with the line breaks of a browser, and at most one blank line in a row. */
export interface TextWriter {
  text: string
  maxChars: number
  /** Line breaks before the next words. */
  lines: number
  /** Whether a space stands before the next words. */
  isSpaced: boolean
  /** Whether that space is between two cells of a table: a tab, as `innerText` has there. */
  isInNextCell: boolean
  /** Whether it may have invisible characters. */
  isUnusual: boolean
}

export const openTextWriter = (maxChars: number): TextWriter => ({
  text: '', maxChars, lines: 0, isSpaced: false, isInNextCell: false, isUnusual: false,
})

/** Appends words that have single spaces between them and none at their ends. */
export function addWords(writer: TextWriter, words: string, isSpacedBefore: boolean, isSpacedAfter: boolean): void {
  if (writer.text.length >= writer.maxChars) return
  if (writer.text.length > 0) {
    if (writer.lines > 0) writer.text += lineBreaks[writer.lines]!
    else if (isSpacedBefore || writer.isSpaced) writer.text += writer.isInNextCell ? '\t' : ' '
  }
  writer.text += words
  writer.lines = 0
  writer.isSpaced = isSpacedAfter
  writer.isInNextCell = false
}

const lineBreaks = ['', '\n', '\n\n']

export function breakLine(writer: TextWriter, count: number): void {
  if (count > writer.lines) writer.lines = count
}

/** Whether the next words begin the text, a line or a word. */
export const isAtWordStart = (writer: TextWriter): boolean => writer.isSpaced || writer.lines > 0 || writer.text.length === 0

export const textOf = ({ text, maxChars, isUnusual }: TextWriter): string => cutText(isUnusual ? withoutInvisible(text) : text, maxChars)
