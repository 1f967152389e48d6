import { Tokenizer } from 'htmlparser2'
import { cleanText, cutText } from '../clean-text.ts'
import { LIMITS } from '../limits.ts'

export interface Anchor { href: string; text: string; isButton: boolean }

/** What a reader sees of an HTML body. */
export interface Page { text: string; anchors: Anchor[] }

/**
 * Reads text and anchors out of HTML in one pass. It works on tokens, not on a tree of elements, so its time
 * is linear in the size of the input however the tags are nested.
 */
export function scanHtml(html: string): Page {
  const source = cutText(html, LIMITS.htmlScanned)
  const writer = openWriter(LIMITS.derivedText)
  const anchors: Anchor[] = []
  let tag = ''
  let attribute = ''
  let value = ''
  /** Attributes of the current tag; null for a tag whose attributes are not read. */
  let attributes: Record<string, string> | null = null
  let hiddenBy = ''
  let anchor: { href: string; isButton: boolean; text: Writer } | null = null

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
    onattribentity(code) { if (value.length < MAX_ATTRIBUTE) value += String.fromCodePoint(code) },
    onattribend() { if (attributes && READ_ATTRIBUTES.has(attribute)) attributes[attribute] ??= value },
    onopentagend: openTag,
    onselfclosingtag: openTag,
    onclosetag(start, end) {
      const name = nameAt(source, start, end)
      if (name === hiddenBy) hiddenBy = ''
      else if (name === 'a') endAnchor()
      writer.breakLine(BREAKS[name] ?? 0)
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
    if (attributes && value.length < MAX_ATTRIBUTE) value += source.slice(start, end)
  }

  function openTag(): void {
    if (HIDDEN.has(tag)) hiddenBy = tag
    writer.breakLine(BREAKS[tag] ?? 0)
    if (tag === 'td' || tag === 'th') write(' ')
    else if (tag === 'li') write('- ')
    else if (tag === 'img') anchor?.text.write(collapse(attributes?.['alt'] ?? ''))
    else if (tag === 'a') startAnchor(attributes ?? {})
  }

  function startAnchor(given: Record<string, string>): void {
    endAnchor()
    if (anchors.length < MAX_ANCHORS && given['href']) {
      anchor = { href: given['href'], isButton: isButton(given), text: openWriter(LIMITS.linkText) }
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

const MAX_ANCHORS = 2_000
const MAX_ATTRIBUTE = 8 * 1024
const READ_ATTRIBUTES = new Set(['href', 'alt', 'class', 'role', 'style'])
const HIDDEN = new Set(['script', 'style', 'title', 'noscript', 'template'])

/** Line breaks before and after an element. */
const BREAKS: Record<string, number> = {
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

/** Text as a browser shows it: white space becomes one space, invisible characters such as soft hyphens are removed. */
function collapse(written: string): string {
  const spaced = UNUSUAL_SPACE.test(written) ? written.replace(/[\s\u2007\u2800]+/g, ' ') : written
  return spaced.replace(/[\u00ad\u034f\u200b\ufeff]+/g, '')
}

/** White space other than single spaces. Replacing each single space by itself took a quarter of the time for a page. */
const UNUSUAL_SPACE = / {2}|[^\S ]|\u2800/

interface Writer { write(collapsed: string): void; breakLine(lines: number): void; text(): string }

/** Collects text as a browser lays it out, blank lines never doubled. */
function openWriter(limit: number): Writer {
  const pieces: string[] = []
  let length = 0
  let lines = 0
  let isSpaced = false

  function write(text: string): void {
    if (length >= limit) return
    const words = text.trim()
    if (words === '' || (PADDING.test(words) && (isSpaced || lines > 0 || length === 0))) {
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
    text: () => cutText(pieces.join(''), limit),
  }
}

/** Joiners that senders repeat to keep the body out of the preview. */
const PADDING = /^[\u200c\u200d]+$/
