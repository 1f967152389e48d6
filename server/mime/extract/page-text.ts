import { DecodingMode, EntityDecoder, htmlDecodeTree } from 'entities/decode'
import { mimeLimits } from '../limits.ts'
import { addWords, breakLine, isAtWordStart, openTextWriter, textOf } from './text-writer.ts'
import type { TextWriter } from './text-writer.ts'

/** The visible text of a page, and that of the anchor that is open. */
export class PageText {
  readonly #source: string
  readonly #page = openTextWriter(mimeLimits.derivedTextChars)
  #anchor: TextWriter | null = null
  /**
   * Index of the next "&" of the source. It is searched again only once it is passed: a search in a source without further "&" reads it to
   * its end.
   */
  #entityStart = -1

  constructor(source: string) {
    this.#source = source
  }

  /**
   * Writes the text between two indexes of the source.
   * @param hasEntities whether "&amp;" stands for "&"
   */
  write(start: number, end: number, hasEntities = true): void {
    let textStart = start
    for (let at = hasEntities ? this.#nextEntity(start) : end; at < end; at = this.#nextEntity(at + 1)) {
      const length = decodeEntity(this.#source, at)
      if (length === 0) continue
      if (at > textStart) this.#writeText(textStart, at)
      for (const code of decoded) this.#writeCharacter(code)
      textStart = at + length
    }
    if (end > textStart) this.#writeText(textStart, end)
  }

  /** The same, with its line breaks. */
  writeLines(start: number, end: number, hasEntities: boolean): void {
    let lineStart = start
    let lines = 0
    for (const line of this.#source.slice(start, end).split('\n')) {
      if (lineStart > start) {
        this.writeSpace()
        this.breakLine(Math.min(++lines, 2))
      }
      if (line.trim() !== '') lines = 0
      if (line !== '') this.write(lineStart, lineStart + line.length, hasEntities)
      lineStart += line.length + 1
    }
  }

  #nextEntity(from: number): number {
    if (this.#entityStart >= from) return this.#entityStart
    const at = this.#source.indexOf('&', from)
    return this.#entityStart = at < 0 ? this.#source.length : at
  }

  #writeText(start: number, end: number): void {
    const source = this.#source
    let from = start
    let to = end
    while (from < to && isAsciiSpace(source.charCodeAt(from))) from++
    while (to > from && isAsciiSpace(source.charCodeAt(to - 1))) to--
    const words = source.slice(from, to)
    if (words === '') this.writeSpace()
    else if (unusual.test(words)) this.#writeUnusual(source.slice(start, end))
    else this.#add(words, from > start, to < end)
  }

  #writeCharacter(code: number): void {
    if (code === NO_BREAK_SPACE || isAsciiSpace(code)) return this.writeSpace()
    const character = String.fromCodePoint(code)
    if (unusual.test(character)) this.#writeUnusual(character)
    else this.#add(character, false, false)
  }

  writeWord(word: string): void {
    this.#add(word, false, true)
  }

  /** Writes digits as superscripts: those of a footnote are no part of the number before them. */
  writeSuperscript(digits: string): void {
    this.#add(digits.replace(/\d/g, (digit) => superscripts.charAt(Number(digit))), false, false)
  }

  #add(words: string, isSpacedBefore: boolean, isSpacedAfter: boolean): void {
    addWords(this.#page, words, isSpacedBefore, isSpacedAfter)
    if (this.#anchor) addWords(this.#anchor, words, isSpacedBefore, isSpacedAfter)
  }

  /** Writes the value of a field, with spaces around it. */
  writeValue(value: string): void {
    this.#writeUnusual(` ${value} `)
  }

  #writeUnusual(text: string): void {
    addUnusual(this.#page, text)
    if (this.#anchor) addUnusual(this.#anchor, text)
  }

  writeSpace(): void {
    this.#page.isSpaced = true
    if (this.#anchor) this.#anchor.isSpaced = true
  }

  /** Separates two cells of a table: by a tab in the page, by a space in an anchor. */
  startCell(): void {
    this.writeSpace()
    this.#page.isInNextCell = true
  }

  breakLine(lines: number): void {
    breakLine(this.#page, lines)
    if (this.#anchor) breakLine(this.#anchor, 1)
  }

  startAnchor(): void {
    this.#anchor = openTextWriter(mimeLimits.linkTextChars)
  }

  isInAnchor(): boolean {
    return this.#anchor !== null
  }

  /** Writes a text that only the anchor shows, such as the description of an image. */
  writeInAnchor(text: string): void {
    if (this.#anchor && text) addUnusual(this.#anchor, text)
  }

  /** @returns the text of the anchor in one line; the two lines of a host such as "bank<br>.example" without a space between them */
  endAnchor(): string {
    const text = this.#anchor ? textOf(this.#anchor) : ''
    this.#anchor = null
    return text.includes('\n') ? text.replace(/\n(?=\.[a-z])/gi, '').replaceAll('\n', ' ') : text
  }

  /** Characters of the text of the page. */
  length(): number {
    return this.#page.text.length
  }

  end(): string {
    return textOf(this.#page)
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
