import { decodeHTMLAttribute } from 'entities/decode'
import { Tokenizer } from 'htmlparser2'
import { cutText } from '../clean-text.ts'
import { mimeLimits } from '../limits.ts'
import { tableOf } from '../table-of.ts'
import { scanDeclarations, scanStyleSheet, useImage } from './used-css.ts'

/** An image of a mail. */
export interface UsedImage {
  /** '' when it has none. */
  src: string
  hasAlt: boolean
  /** Whether attributes or its style give both width and height. */
  hasSize: boolean
}

/** The features and the images that HTML uses. */
export interface UsedHtml {
  /** How often each feature is used, by its key of `client-support.gen.ts`. */
  uses: Map<string, number>
  images: UsedImage[]
}

/** Further images are counted in `uses` alone. */
const maxImages = 10_000
/** Keys that are looked up; a long newsletter has about 20,000. */
const maxKeys = 300_000
const enough = new Error('The HTML has more than is read of it.')
/** Of a tag. */
const maxAttributes = 1_000
/** Of an attribute that is read. */
const maxValueChars = 64 * 1024

/** The tag that is read, the number of keys so far, and the text of a `<style>` element. */
interface TagReader {
  keys: number
  element: string
  attributes: Record<string, string>
  attributesLeft: number
  /** Of the attribute that is read. */
  name: string
  value: string
  styleSheet: string
}

/**
 * Finds the features of HTML and CSS, and the images, in the tokens of a body. It builds no tree, so its time is linear in the size.
 * @param isKnown whether there is a feature of such a key
 */
export function findUsed(html: string, isKnown: (key: string) => boolean): UsedHtml {
  const source = cutText(html, mimeLimits.scannedHtmlChars)
  const used: UsedHtml = { uses: new Map(), images: [] }
  const tag: TagReader = { keys: 0, element: '', attributes: noAttributes(), attributesLeft: 0, styleSheet: '', name: '', value: '' }
  const use = (key: string) => {
    if (++tag.keys > maxKeys) throw enough
    if (isKnown(key)) used.uses.set(key, (used.uses.get(key) ?? 0) + 1)
  }

  const tokenizer = new Tokenizer({ decodeEntities: false }, {
    onopentagname(start, end) {
      tag.element = source.slice(start, Math.min(end, start + 40)).toLowerCase()
      tag.attributes = noAttributes()
      tag.attributesLeft = maxAttributes
    },
    onattribname(start, end) {
      tag.name = source.slice(start, Math.min(end, start + 40)).toLowerCase()
      tag.value = ''
    },
    onattribdata(start, end) { tag.value = source.slice(start, Math.min(end, start + maxValueChars)) },
    onattribend() {
      if (tag.attributesLeft-- > 0) tag.attributes[tag.name] ??= tag.value.includes('&') ? decodeHTMLAttribute(tag.value) : tag.value
    },
    onopentagend: open,
    onselfclosingtag: open,
    ontext(start, end) { if (tag.element === 'style') tag.styleSheet += source.slice(start, end) },
    onclosetag: endElement,
    oncomment() { use('<!---->') },
    ondeclaration(start, end) { if (/^!doctype\s+html\s*$/i.test(source.slice(start, Math.min(end, start + 40)))) use('<!doctype html>') },
    onattribentity() {}, ontextentity() {}, oncdata() {}, onprocessinginstruction() {}, onend: endElement,
  })
  try {
    tokenizer.write(source)
    tokenizer.end()
  } catch (error) {
    if (error !== enough) throw error
  }
  return used

  function open(): void {
    const { element, attributes } = tag
    use(`<${element}>`)
    for (const [attribute, value] of Object.entries(attributes)) {
      use(`[${attribute}]`)
      if (valuesOf[element] === attribute) use(`<${element} ${attribute}=${value.trim().toLowerCase().slice(0, 40)}>`)
    }
    const { style, href = '', src = '', srcset, background } = attributes
    if (style) scanDeclarations(style, use)
    if (element === 'a' && href.startsWith('#')) use('<a href=#>')
    if (element === 'a' && /^\s*mailto:/i.test(href)) use('<a href=mailto:>')
    if (element === 'img') addImage(attributes)
    if (background) useImage(background, use)
    for (const candidate of srcset?.split(',', 100) ?? []) useImage(candidate.trim().split(/\s/, 1)[0]!, use)
    if (element === 'img') useImage(src, use)
  }

  function endElement(): void {
    if (tag.styleSheet) scanStyleSheet(tag.styleSheet, use)
    tag.styleSheet = tag.element = ''
  }

  function addImage({ src = '', alt, width, height, style = '' }: Record<string, string>): void {
    if (used.images.length >= maxImages) return
    const has = (value: string | undefined, property: RegExp) => Boolean(value?.trim()) || property.test(style)
    used.images.push({ src: src.trim(), hasAlt: alt !== undefined, hasSize: has(width, cssWidth) && has(height, cssHeight) })
  }
}

/** Without the members that every object has. */
const noAttributes = () => Object.create(null) as Record<string, string>

const cssWidth = /(?:^|[;\s])width\s{0,9}:/i
const cssHeight = /(?:^|[;\s])height\s{0,9}:/i

/** The attribute of an element whose values are features. */
const valuesOf: Record<string, string> = tableOf({ input: 'type', button: 'type', meta: 'name' })
