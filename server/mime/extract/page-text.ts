import { DecodingMode, EntityDecoder, htmlDecodeTree } from 'entities/decode'
import { mimeLimits } from '../limits.ts'
import { addWords, breakLine, isAtWordStart, openTextWriter, textOf } from './text-writer.ts'
import type { TextWriter } from './text-writer.ts'

/** The visible text of a page, and that of the anchor that is open. */
export interface PageText {
  /**
   * Writes the text between two indexes of the source.
   * @param hasEntities whether "&amp;" stands for "&"
   */
  write(start: number, end: number, hasEntities?: boolean): void
  writeWord(word: string): void
  /** Writes digits as superscripts: those of a footnote are no part of the number before them. */
  writeSuperscript(digits: string): void
  /** Writes the value of a field, with spaces around it. */
  writeValue(value: string): void
  /** Characters of the text of the page. */
  length(): number
  writeSpace(): void
  /** Separates two cells of a table: by a tab in the page, by a space in an anchor. */
  startCell(): void
  breakLine(lines: number): void
  startAnchor(): void
  /** Writes a text that only the anchor shows, such as the description of an image. */
  writeInAnchor(text: string): void
  isInAnchor(): boolean
  /** @returns the text of the anchor */
  endAnchor(): string
  end(): string
}

export function openPageText(source: string): PageText {
  const page = openTextWriter(mimeLimits.derivedTextChars)
  let anchor: TextWriter | null = null
  /**
   * Index of the next "&" of the source. It is searched again only once it is passed: a search in a source without further "&" reads it to
   * its end.
   */
  let entityStart = -1

  return {
    write(start, end, hasEntities = true) {
      let textStart = start
      for (let at = hasEntities ? nextEntity(start) : end; at < end; at = nextEntity(at + 1)) {
        const length = decodeEntity(source, at)
        if (length === 0) continue
        if (at > textStart) writeText(textStart, at)
        for (const code of decoded) writeCharacter(code)
        textStart = at + length
      }
      if (end > textStart) writeText(textStart, end)
    },
    writeWord(word) { add(word, false, true) },
    writeSuperscript(digits) { add(digits.replace(/\d/g, (digit) => superscripts.charAt(Number(digit))), false, false) },
    writeValue(value) { writeUnusual(` ${value} `) },
    length: () => page.text.length,
    writeSpace,
    startCell() {
      writeSpace()
      page.isInNextCell = true
    },
    breakLine(lines) { breakLine(page, lines) },
    startAnchor() { anchor = openTextWriter(mimeLimits.linkTextChars) },
    writeInAnchor(text) {
      if (anchor && text) addUnusual(anchor, text)
    },
    isInAnchor: () => anchor !== null,
    endAnchor() {
      const text = anchor ? textOf(anchor) : ''
      anchor = null
      return text
    },
    end: () => textOf(page),
  }

  function nextEntity(from: number): number {
    if (entityStart >= from) return entityStart
    const at = source.indexOf('&', from)
    return entityStart = at < 0 ? source.length : at
  }

  function writeText(start: number, end: number): void {
    let from = start
    let to = end
    while (from < to && isAsciiSpace(source.charCodeAt(from))) from++
    while (to > from && isAsciiSpace(source.charCodeAt(to - 1))) to--
    const words = source.slice(from, to)
    if (words === '') writeSpace()
    else if (unusual.test(words)) writeUnusual(source.slice(start, end))
    else add(words, from > start, to < end)
  }

  function writeCharacter(code: number): void {
    if (code === NO_BREAK_SPACE || isAsciiSpace(code)) return writeSpace()
    const character = String.fromCodePoint(code)
    if (unusual.test(character)) writeUnusual(character)
    else add(character, false, false)
  }

  function add(words: string, isSpacedBefore: boolean, isSpacedAfter: boolean): void {
    addWords(page, words, isSpacedBefore, isSpacedAfter)
    if (anchor) addWords(anchor, words, isSpacedBefore, isSpacedAfter)
  }

  function writeUnusual(text: string): void {
    addUnusual(page, text)
    if (anchor) addUnusual(anchor, text)
  }

  function writeSpace(): void {
    page.isSpaced = true
    if (anchor) anchor.isSpaced = true
  }
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The code points of the entity that was decoded last. */
const decoded: number[] = []
const decoder = new EntityDecoder(htmlDecodeTree, (code) => decoded.push(code))

/** Decodes the entity at an "&". @returns its length, 0 for an "&" that begins none */
function decodeEntity(source: string, at: number): number {
  decoded.length = 0
  decoder.startEntity(DecodingMode.Legacy)
  const length = decoder.write(source, at + 1)
  return length < 0 ? decoder.end() : length
}

/** Adds text with any white space, and removes invisible characters such as soft hyphens. */
function addUnusual(writer: TextWriter, text: string): void {
  writer.isUnusual = true
  const spaced = text.replace(/[\u00ad\u034f\u200b\ufeff]+/g, '').replace(/[\s\u2007\u2800]+/g, ' ') // "\s" has U+FEFF
  const words = spaced.trim()
  const isOmitted = words === '' || (padding.test(words) && isAtWordStart(writer))
  if (!isOmitted) addWords(writer, words, spaced.startsWith(' '), spaced.endsWith(' '))
  else if (spaced !== '') writer.isSpaced = true
}

/** Joiners, which senders repeat to keep the body out of the preview. */
const padding = /^[\u200c\u200d]+$/

const NO_BREAK_SPACE = 0xa0
const isAsciiSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d)

/** White space other than single spaces, invisible characters and joiners. */
const unusual = /[\t-\r\u00a0\u00ad\u034f\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\ufeff\udb40]| {2}/
