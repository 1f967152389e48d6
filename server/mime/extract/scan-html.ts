import { cutText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import { elementAt } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'
import {
  closingTagOf, endOfDeclaration, endOfTagName, EXCLAMATION, GREATER, indexAfter, isLetter, isSpace, QUESTION, readAttributes, SLASH,
} from './html-tags.ts'
import type { Attributes } from './html-tags.ts'
import { openPageText } from './page-text.ts'
import type { PageText } from './page-text.ts'

interface Anchor {
  href: string
  text: string
  isButton: boolean
  /** Index in the text of the page, before white space. */
  start: number
  end: number
}

/** The visible text and the links of an HTML body. */
export interface HtmlPage { text: string, anchors: Anchor[] }

/**
 * Reads text and anchors of HTML in one pass over its characters. It builds no tree of elements, so its time is linear in the size of the
 * input, however deep the tags are nested.
 */
export function scanHtml(html: string): HtmlPage {
  const source = cutText(html, mimeLimits.scannedHtmlChars)
  const page: Page = { source, text: openPageText(source), anchors: [], hiddenBy: null }
  let textStart = 0
  let at = 0
  for (;;) {
    const tag = source.indexOf('<', at)
    const textEnd = tag < 0 ? source.length : tag
    if (textEnd > textStart && !page.hiddenBy) page.text.write(textStart, textEnd)
    if (tag < 0) break
    textStart = readMarkup(page, tag)
    at = Math.max(textStart, tag + 1)
  }
  endAnchor(page)
  return { text: page.text.end(), anchors: page.anchors }
}

interface Page { source: string, text: PageText, anchors: Anchor[], hiddenBy: HtmlElement | null }

const maxAnchors = 2_000

/** Reads the tag, comment or declaration at a "<". @returns the index after it, or its own index when it is text */
function readMarkup(page: Page, at: number): number {
  const code = page.source.charCodeAt(at + 1)
  if (isLetter(code)) return readOpeningTag(page, at + 1)
  if (code === SLASH) return readClosingTag(page, at + 2)
  if (code === EXCLAMATION) return endOfDeclaration(page.source, at + 2)
  return code === QUESTION ? indexAfter(page.source, '>', at + 2) : at
}

function readOpeningTag(page: Page, start: number): number {
  const { source } = page
  const nameEnd = endOfTagName(source, start)
  const element = elementAt(source, start, nameEnd)
  const attributes = element?.hasReadAttributes ? {} : null
  const end = readAttributes(source, nameEnd, attributes)
  if (end < 0) return source.length
  if (element) openElement(page, element, attributes, start - 1)
  return element && element.content !== 'tags' ? readContent(page, element, end) : end
}

function readClosingTag(page: Page, start: number): number {
  const { source } = page
  if (!isLetter(source.charCodeAt(start))) return indexAfter(source, '>', start)
  const nameEnd = endOfTagName(source, start)
  const element = elementAt(source, start, nameEnd)
  if (element) closeElement(page, element)
  return indexAfter(source, '>', nameEnd)
}

/** Reads content without tags. @returns the index of the closing tag */
function readContent({ source, text, hiddenBy }: Page, { name, content }: HtmlElement, start: number): number {
  const end = content === 'rest' ? source.length : closingTagOf(name, source, start)
  if (!hiddenBy) text.write(start, end, content === 'text')
  return end
}

function openElement(page: Page, element: HtmlElement, attributes: Attributes | null, at: number): void {
  if (element.isHidden) page.hiddenBy = element
  page.text.breakLine(element.lineBreaks)
  const { name } = element
  if (name === 'a') startAnchor(page, attributes!, at)
  else if (name === 'img') page.text.writeInAnchor(attributes!.alt ?? '')
  else if (page.hiddenBy) return
  else if (name === 'td' || name === 'th') page.text.writeSpace()
  else if (name === 'input') writeField(page, attributes!)
  else if (name === 'li') page.text.writeWord('-')
}

function closeElement(page: Page, element: HtmlElement): void {
  if (element === page.hiddenBy) page.hiddenBy = null
  else if (element.name === 'a') endAnchor(page)
  page.text.breakLine(element.lineBreaks)
}

function writeField({ text }: Page, { type, value }: Attributes): void {
  if (value && !fieldsWithoutText.test(type ?? '')) text.writeValue(value)
}

const fieldsWithoutText = /^(?:hidden|checkbox|radio|password|file|image|color|range)$/i

function startAnchor(page: Page, attributes: Attributes, at: number): void {
  endAnchor(page)
  if (!attributes.href || page.anchors.length >= maxAnchors) return
  const start = page.text.length()
  page.anchors.push({ href: attributes.href, isButton: isButton(attributes) || isAloneInButton(page.source, at), text: '', start, end: start })
  page.text.startAnchor()
}

function endAnchor({ text, anchors }: Page): void {
  if (!text.isInAnchor()) return
  const anchor = anchors.at(-1)!
  anchor.text = text.endAnchor()
  anchor.end = text.length()
}

const background = String.raw`background(?:-color)?\s?:\s?(?!#fff(?:fff)?\b|white|transparent|none|inherit|initial)`
const buttonStyle = new RegExp(`${background}|border-radius|border\\s?:\\s?[1-9]`, 'i')
const buttonClass = String.raw`\b(?:btn|button|cta)`
const buttonClasses = new RegExp(buttonClass, 'i')

function isButton({ role, class: classes, style }: Attributes): boolean {
  return role?.toLowerCase() === 'button'
    || (classes !== undefined && buttonClasses.test(classes.slice(0, 500)))
    || (style !== undefined && isButtonStyle(style.slice(0, 1_000)))
}

const isButtonStyle = (style: string) => buttonStyle.test(style) || (/padding/i.test(style) && /display\s?:\s?(?:inline-)?block/i.test(style))

/** Whether the tags before an anchor open a cell with a background: `<td bgcolor="#06c"><a>`. */
function isAloneInButton(source: string, anchor: number): boolean {
  let at = anchor
  for (let count = 0; count < 2; count++) {
    const end = endBeforeSpace(source, at)
    if (source.charCodeAt(end - 1) !== GREATER) return false
    const tag = source.slice(Math.max(0, end - maxTagChars), end)
    const start = tag.lastIndexOf('<')
    if (start < 0 || tag.charCodeAt(start + 1) === SLASH) return false
    if (buttonTag.test(tag.slice(start))) return true
    at = end - tag.length + start
  }
  return false
}

function endBeforeSpace(source: string, from: number): number {
  let at = from
  while (from - at < maxTagChars && isSpace(source.charCodeAt(at - 1))) at--
  return at
}

const maxTagChars = 600
const buttonTag = new RegExp(String.raw`^<(?:td|th|div|p|span|center)\s[^]{0,500}?(?:bgcolor\s?=\s?["']?(?!#fff(?:fff)?\b|white)|${background}|class=["'][^"']{0,100}${buttonClass})`, 'i')
