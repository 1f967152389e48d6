import { Tokenizer } from 'htmlparser2'
import { cleanText, cutText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'

interface Anchor { href: string, text: string, isButton: boolean }

/** The visible text and the links of an HTML body. */
export interface HtmlPage { text: string, anchors: Anchor[] }

/**
 * Reads text and anchors of HTML in one pass over its tokens. It builds no tree of elements, so its time is linear in the size of the
 * input, however deep the tags are nested.
 */
export function scanHtml(html: string): HtmlPage {
  const source = cutText(html, mimeLimits.scannedHtmlChars)
  const writer = openTextWriter(mimeLimits.derivedTextChars)
  const anchors: Anchor[] = []
  let tag = ''
  let attribute = ''
  let value = ''
  /** Attributes of the current tag; null when they are not read. */
  let attributes: Record<string, string> | null = null
  let hiddenBy = ''
  let anchor: { href: string, isButton: boolean, text: TextWriter } | null = null

  const tokenizer = new Tokenizer({ decodeEntities: true }, {
    onopentagname(start, end) {
      tag = nameAt(source, start, end)
      attributes = tag === 'a' || tag === 'img' ? {} : null
    },
    onattribname(start, end) {
      if (!attributes) return
      attribute = nameAt(source, start, end)
      value = ''
    },
    onattribdata(start, end) { addValue(start, end) },
    onattribentity(code) { if (value.length < maxAttributeChars) value += String.fromCodePoint(code) },
    onattribend() { if (attributes && readAttributes.has(attribute)) attributes[attribute] ??= value },
    onopentagend: openTag,
    onselfclosingtag: openTag,
    onclosetag(start, end) {
      const name = nameAt(source, start, end)
      if (name === hiddenBy) hiddenBy = ''
      else if (name === 'a') endAnchor()
      writer.breakLine(lineBreaks[name] ?? 0)
    },
    ontext(start, end) { write(source.slice(start, end)) },
    ontextentity(code) { write(String.fromCodePoint(code)) },
    oncdata() {}, oncomment() {}, ondeclaration() {}, onprocessinginstruction() {}, onend() {},
  })
  tokenizer.write(source)
  tokenizer.end()
  endAnchor()
  return { text: cleanText(writer.text()), anchors }

  function addValue(start: number, end: number): void {
    if (attributes && value.length < maxAttributeChars) value += source.slice(start, end)
  }

  function openTag(): void {
    if (hiddenElements.has(tag)) hiddenBy = tag
    writer.breakLine(lineBreaks[tag] ?? 0)
    if (tag === 'td' || tag === 'th') write(' ')
    else if (tag === 'li') write('- ')
    else if (tag === 'img') anchor?.text.write(collapse(attributes?.['alt'] ?? ''))
    else if (tag === 'a') startAnchor(attributes ?? {})
  }

  function startAnchor(given: Record<string, string>): void {
    endAnchor()
    if (anchors.length < maxAnchors && given['href']) {
      anchor = { href: given['href'], isButton: isButton(given), text: openTextWriter(mimeLimits.linkTextChars) }
    }
  }

  function endAnchor(): void {
    if (anchor) anchors.push({ href: anchor.href, isButton: anchor.isButton, text: anchor.text.text() })
    anchor = null
  }

  function write(written: string): void {
    if (hiddenBy) return
    const text = collapse(written)
    writer.write(text)
    anchor?.text.write(text)
  }
}

const maxAnchors = 2_000
const maxAttributeChars = 8 * 1024
const readAttributes = new Set(['href', 'alt', 'class', 'role', 'style'])
const hiddenElements = new Set(['script', 'style', 'title', 'noscript', 'template'])

/** Line breaks before and after an element. */
const lineBreaks: Record<string, number> = {
  br: 1, div: 1, tr: 1, li: 1, table: 1, section: 1, header: 1, footer: 1, article: 1, center: 1, dt: 1,
  dd: 1, p: 2, h1: 2, h2: 2, h3: 2, h4: 2, h5: 2, h6: 2, ul: 2, ol: 2, blockquote: 2, pre: 2, hr: 2,
}

function nameAt(source: string, start: number, end: number): string {
  return end - start > 20 ? '' : source.slice(start, end).toLowerCase()
}

function isButton(attributes: Record<string, string>): boolean {
  return attributes['role']?.toLowerCase() === 'button'
    || /\b(?:btn|button|cta)/i.test(attributes['class']?.slice(0, 500) ?? '')
    || /background(?:-color)?\s?:/i.test(attributes['style']?.slice(0, 1_000) ?? '')
}

/** Makes one space of each run of white space, and removes invisible characters such as soft hyphens. */
function collapse(written: string): string {
  const spaced = unusualSpace.test(written) ? written.replace(/[\s\u2007\u2800]+/g, ' ') : written
  return spaced.replace(/[\u00ad\u034f\u200b\ufeff]+/g, '')
}

/** White space other than single spaces: replacing each single space by itself took a quarter of the time for a page. */
const unusualSpace = / {2}|[^\S ]|\u2800/

interface TextWriter { write(collapsed: string): void, breakLine(lines: number): void, text(): string }

/** Collects text with the line breaks of a browser, and at most one blank line in a row. */
function openTextWriter(maxChars: number): TextWriter {
  const pieces: string[] = []
  let length = 0
  let lines = 0
  let isSpaced = false

  function write(text: string): void {
    if (length >= maxChars) return
    const words = text.trim()
    if (words === '' || (padding.test(words) && (isSpaced || lines > 0 || length === 0))) {
      isSpaced ||= text !== ''
      return
    }
    const space = isSpaced || text.startsWith(' ') ? ' ' : ''
    const gap = length === 0 ? '' : lines > 0 ? '\n'.repeat(lines) : space
    pieces.push(gap, words)
    length += gap.length + words.length
    lines = 0
    isSpaced = text.endsWith(' ')
  }

  return {
    write,
    breakLine(count) {
      lines = Math.max(lines, count)
    },
    text: () => cutText(pieces.join(''), maxChars),
  }
}

/** Joiners, which senders repeat to keep the body out of the preview. */
const padding = /^[\u200c\u200d]+$/
