import { decodeHTML } from 'entities/decode'
import { cutText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import { fillSurface, isButton } from './button.ts'
import type { Surface } from './button.ts'
import type { ComputedStyle } from './computed-style.ts'
import type { Children } from './element-places.ts'
import { beforeContent, elementAt, hashOf } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'
import type { Anchor, HtmlPage } from './html-page.ts'
import {
  closingTagOf, endOfDeclaration, endOfTagName, EXCLAMATION, indexAfter, isLetter, newAttributes, QUESTION,
  readAttributes, SLASH,
} from './html-tags.ts'
import type { Attributes } from './html-tags.ts'
import { PageText } from './page-text.ts'
import { openStyleSheet } from './style-sheet.ts'
import type { StyleSheet } from './style-sheet.ts'
import { Visibility } from './visibility.ts'

/**
 * Reads text and anchors of HTML in one pass over its characters (docs/decisions/0009). It builds no tree of elements, so its time is
 * linear in the size of the input, however deep the tags are nested. A page with rules in a `<style>` after its first element is read a
 * second time, one with rules that depend on following elements a third time.
 */
export function scanHtml(html: string): HtmlPage {
  const source = cutText(html, mimeLimits.scannedHtmlChars)
  const sheet = openStyleSheet()
  let page = scan(source, sheet, true)
  const places = sheet.looksAhead ? scan(source, sheet, false).visibility.places.all : []
  if (page.hasLateRules || sheet.looksAhead || sheet.isTooLarge) page = scan(source, sheet, false, places)
  return { text: page.writer.end(), anchors: page.anchors, baseUrl: page.baseUrl, hasHiddenText: page.hasHiddenText }
}

/**
 * @param readsStyles whether the rules of `<style>` elements are added to the sheet
 * @param places those of the elements in an earlier reading
 */
function scan(source: string, sheet: StyleSheet, readsStyles: boolean, places: readonly Children[] = []): Page {
  const visibility = new Visibility(source, sheet, places)
  const page: Page = {
    source, readsStyles, sheet, visibility, writer: new PageText(source), anchors: [], surfaces: [], anchorSurface: visibility.surface,
    attributes: newAttributes(), baseUrl: '', isSuperscript: false, hiddenBy: null, hasHiddenText: false, hasContent: false, hasLateRules: false,
    isAnchorSeen: false, hidesAnchor: false, formAction: null, isInFormButton: false,
  }
  let textStart = 0
  let at = 0
  for (;;) {
    const tag = source.indexOf('<', at)
    const textEnd = tag < 0 ? source.length : tag
    if (textEnd > textStart && !page.hiddenBy) write(page, textStart, textEnd)
    if (tag < 0) break
    textStart = readMarkup(page, tag)
    at = Math.max(textStart, tag + 1)
  }
  endAnchor(page)
  for (const [i, anchor] of page.anchors.entries()) anchor.isButton ||= page.surfaces[i]?.anchor === anchor
  return page
}

interface Page {
  source: string
  readsStyles: boolean
  sheet: StyleSheet
  visibility: Visibility
  writer: PageText
  anchors: Anchor[]
  /** Those that have all of their texts; none for an anchor without text. */
  surfaces: Surface[]
  /** That of the element of the open anchor. */
  anchorSurface: Surface
  /** Of the tag that was read last. */
  attributes: Attributes
  baseUrl: string
  /** Whether a `<sup>` is open. */
  isSuperscript: boolean
  /** The open element whose content no browser shows, such as `script`; null outside of one. */
  hiddenBy: HtmlElement | null
  hasHiddenText: boolean
  /** Whether an element was opened to which rules of a `<style>` can apply. */
  hasContent: boolean
  hasLateRules: boolean
  /** Whether the open anchor shows an image or a background. */
  isAnchorSeen: boolean
  /** Whether the open anchor, or something in it, is hidden. */
  hidesAnchor: boolean
  /** Of the open form; null outside of one. */
  formAction: string | null
  /** Whether the open anchor is a button of a form. */
  isInFormButton: boolean
}

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
  const { source, attributes } = page
  const nameEnd = endOfTagName(source, start)
  const hash = hashOf(source, start, nameEnd)
  const element = elementAt(source, start, nameEnd, hash)
  const end = readAttributes(source, nameEnd, attributes)
  if (end < 0) return source.length
  if (element.isHidden && !page.hiddenBy) page.visibility.skip(element, hash, attributes)
  if (element.isHidden) page.hiddenBy = element
  if (page.hiddenBy) openElement(page, element, null)
  else {
    page.hasContent ||= !beforeContent.includes(element)
    const style = page.visibility.open(element, hash, attributes)
    if (!style.isGone) openElement(page, element, style)
  }
  return element.content === 'tags' ? end : readContent(page, element, end)
}

function readClosingTag(page: Page, start: number): number {
  const { source } = page
  if (!isLetter(source.charCodeAt(start))) return indexAfter(source, '>', start)
  const nameEnd = endOfTagName(source, start)
  const hash = hashOf(source, start, nameEnd)
  const element = page.visibility.innermost(hash) ?? elementAt(source, start, nameEnd, hash)
  closeElement(page, element, page.hiddenBy ? null : page.visibility.close(element, hash))
  return indexAfter(source, '>', nameEnd)
}

/** Reads content without tags. @returns the index of the closing tag */
function readContent(page: Page, { name, content }: HtmlElement, start: number): number {
  const { source, sheet } = page
  const end = content === 'rest' ? source.length : closingTagOf(name, source, start)
  if (!page.hiddenBy) write(page, start, end, content === 'text')
  else if (name === 'style' && page.readsStyles && cssType.test(page.attributes.type ?? '')) {
    const { count } = sheet
    sheet.add(source.slice(start, end), page.attributes.media ?? '')
    if (sheet.count > count && page.hasContent) page.hasLateRules = true
  }
  return end
}

/** A style of another type has no effect. */
const cssType = /^(?:text\/css)?$/i

/** @param hasEntities whether "&amp;" stands for "&" */
function write(page: Page, start: number, end: number, hasEntities = true): void {
  const { style } = page.visibility
  if (page.isSuperscript && style.showsText) {
    const digits = page.source.slice(start, end).trim()
    if (/^\d{1,3}$/.test(digits)) return page.writer.writeSuperscript(digits)
  }
  if (style.showsText) {
    const length = page.writer.length()
    if (style.keepsLines) page.writer.writeLines(start, end, hasEntities)
    else page.writer.write(start, end, hasEntities)
    if (page.writer.length() > length) addToSurface(page)
    return
  }
  page.hidesAnchor = true
  page.hasHiddenText ||= /[\p{L}\p{N}]/u.test(decodeHTML(page.source.slice(start, end)))
}

function addToSurface({ visibility: { surface }, writer, anchors, surfaces, anchorSurface }: Page): void {
  const anchor = writer.isInAnchor() ? anchors.at(-1)! : null
  fillSurface(surface, anchor)
  if (!anchor) return
  const known = surfaces[anchors.length - 1]
  surfaces[anchors.length - 1] = known === undefined || known === surface ? surface : anchorSurface
}

/** @param style null within an element that no browser shows */
function openElement(page: Page, { name, lineBreaks }: HtmlElement, style: ComputedStyle | null): void {
  const { writer } = page
  if (lineBreaks > 0) writer.breakLine(lineBreaks)
  if (style) writeGap(page)
  if (name === 'a') startAnchor(page, style)
  else if (name === 'img') showImage(page, style)
  else if (name === 'area') addArea(page, style)
  else if (!style) return
  else if (name === 'td' || name === 'th') writer.startCell()
  else if (name === 'form') page.formAction ??= page.attributes.action ?? ''
  else if (!style.showsText) return
  else if (name === 'input') writeField(page, style)
  else if (name === 'button') {
    writer.writeSpace()
    if (!buttonsWithoutSubmit.test(page.attributes.type ?? '')) startFormButton(page, style)
  }
  else if (name === 'li') writer.writeWord('-')
  else if (name === 'sup') page.isSuperscript = true
  else if (name === 'base') page.baseUrl ||= page.attributes.href ?? ''
}

function closeElement(page: Page, element: HtmlElement, style: ComputedStyle | null): void {
  if (element === page.hiddenBy) page.hiddenBy = null
  else if (element.name === 'a') endAnchor(page)
  else if (element.name === 'sup') page.isSuperscript = false
  else if (element.name === 'button' || element.name === 'form') {
    if (page.isInFormButton) endAnchor(page)
    if (element.name === 'form') page.formAction = null
    else page.writer.writeSpace()
  }
  if (element.lineBreaks > 0 && !style?.isGone) page.writer.breakLine(element.lineBreaks)
  if (style && !style.isGone) writeGap(page)
}

function writeGap({ writer, visibility }: Page): void {
  if (visibility.gap === 'line') writer.breakLine(1)
  else if (visibility.gap === 'space') writer.writeSpace()
}

function writeField(page: Page, style: ComputedStyle): void {
  const { writer, attributes: { type = '', value } } = page
  if (/^(?:submit|image)$/i.test(type)) startFormButton(page, style)
  if (value && !fieldsWithoutText.test(type)) writer.writeValue(value)
  if (!page.isInFormButton) return
  if (/^image$/i.test(type)) showImage(page, style)
  endAnchor(page)
}

const fieldsWithoutText = /^(?:hidden|checkbox|radio|password|file|image|color|range)$/i
const buttonsWithoutSubmit = /^(?:button|reset)$/i

function showImage(page: Page, style: ComputedStyle | null): void {
  if (style && !style.showsBox) {
    page.hidesAnchor = true
    return
  }
  page.isAnchorSeen = true
  if (page.attributes.alt !== '') fillSurface(page.visibility.surface, page.writer.isInAnchor() ? page.anchors.at(-1)! : null)
  const { writer, attributes: { alt = '' } } = page
  if (style && alt.length <= maxAltChars && codeInAlt.test(alt)) writer.writeValue(alt)
  else writer.writeInAnchor(alt)
}

const maxAltChars = 60
/** A code in the description of its image, which is all that a reader without images sees. */
const codeInAlt = /(?<![\w./-])(?=[A-Z-]*\d)[A-Z\d](?:[ -]?[A-Z\d]){3,9}(?![\w/-]|\.\w)/

/** Adds the link of a part of an image. */
function addArea(page: Page, style: ComputedStyle | null): void {
  if (!page.attributes.href || page.writer.isInAnchor()) return
  startAnchor(page, style)
  showImage(page, style)
  endAnchor(page)
}

/** Adds the link to which a button sends its form. */
function startFormButton(page: Page, style: ComputedStyle): void {
  if (page.formAction === null || page.writer.isInAnchor()) return
  startAnchor(page, style, page.attributes.formaction ?? page.formAction, true)
  page.isInFormButton = page.writer.isInAnchor()
}

function startAnchor(page: Page, style: ComputedStyle | null, href = page.attributes.href, isOfForm = false): void {
  const { attributes, writer } = page
  endAnchor(page)
  if (!href || page.anchors.length >= maxAnchors) return
  const start = writer.length()
  page.anchors.push({ href, isButton: isOfForm || isButton(attributes), text: '', start, end: start })
  if (style?.showsText && isButton(attributes)) writer.writeSpace()
  writer.startAnchor()
  page.anchorSurface = page.visibility.surface
  page.isAnchorSeen = style !== null && style.showsBox && !style.background // by a picture
  page.hidesAnchor = style !== null && !style.showsBox
}

/** An anchor that shows nothing, because it or its content is hidden, is no link. */
function endAnchor(page: Page): void {
  const { writer, anchors } = page
  if (!writer.isInAnchor()) return
  const anchor = anchors.at(-1)!
  page.isInFormButton = false
  anchor.text = writer.endAnchor()
  anchor.end = writer.length()
  if (anchor.text === '' && page.hidesAnchor && !page.isAnchorSeen) anchors.pop()
}

/**
 * A page that stays in memory. When a collection of garbage finds no object of a hidden class, V8 drops the optimized code that depends on
 * it: without this page, the functions for pages were compiled again after each collection.
 */
const keptSource = '<style>p{color:red}</style><body><p style="display:none">a &amp; <a href="https://a.test/">b</a></p>'
scanHtml.keptPage = scan(keptSource, openStyleSheet(), true)
