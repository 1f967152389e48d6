import { computeStyle, initialStyle, withoutBackground, withoutIndent } from './computed-style.ts'
import type { ComputedStyle } from './computed-style.ts'
import { legacyColor } from './css-values.ts'
import { readDeclarations } from './declarations.ts'
import type { Declarations, Declared } from './declarations.ts'
import { hashOf } from './html-elements.ts'
import type { Attributes } from './html-tags.ts'
import type { Matched } from './selectors.ts'
import type { StyleSheet } from './style-sheet.ts'

/** The open elements of a page, by which it is known whether a reader sees its text. */
export interface Visibility {
  /** The style of the innermost open element. */
  style: ComputedStyle
  /**
   * Opens an element, and closes those that end with it.
   * @param tag the hash of its name
   * @returns its style
   */
  open(tag: number, attributes: Attributes | null): ComputedStyle
  /** @returns the style of the element that is closed */
  close(tag: number): ComputedStyle
  /** Whether an element was opened to which rules of a `<style>` can apply. */
  hasContent: boolean
}

/** How an element is parsed (HTML Standard, section 13.2.6) and shown without a style. */
interface Kind {
  isVoid?: boolean
  display: Declared['display']
  /** Names of open elements that it closes, and those within which they are searched. */
  closes?: number[]
  within?: number[]
  isPartOfTable?: boolean
  isInHead?: boolean
  css?: string
}

const tags = (names: string) => names.split(' ').map((name) => hashOf(name, 0, name.length))
const [table, a, p, font, br, html, body] = tags('table a p font br html body') as [number, number, number, number, number, number, number]
const cells = tags('td th')
const scopes = [...tags('table caption button object marquee'), ...cells]
const lists = tags('ul ol dl table td th blockquote section article')

const kinds = new Map<number, Kind>()
const define = (names: string, kind: Kind) => { for (const tag of tags(names)) kinds.set(tag, { ...kinds.get(tag), ...kind }) }
define('html body', { display: 'block' })
define('address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li '
  + 'main menu nav ol p pre section summary ul listing xmp dd dt', { display: 'block', closes: [p], within: scopes })
define('table', { display: 'table', closes: [p], within: scopes })
define('li', { display: 'block', closes: [p, ...tags('li')], within: lists })
define('dd dt', { display: 'block', closes: [p, ...tags('dd dt')], within: lists })
define('thead tbody tfoot caption', { display: 'table', isPartOfTable: true, closes: [...tags('thead tbody tfoot caption tr'), ...cells], within: [table] })
define('tr', { display: 'table', isPartOfTable: true, closes: [...tags('tr caption'), ...cells], within: [table] })
define('td th', { display: 'table', isPartOfTable: true, closes: cells, within: [table] })
define('a', { display: 'inline', closes: [a], within: scopes })
define('area base br col embed hr img input link meta param source track wbr', { display: 'inline', isVoid: true })
define('html head meta link base title style script', { display: 'block', isInHead: true })
define('mark', { display: 'inline', css: 'color:#000;background:#ff0' })
define('button input select textarea', { display: 'block', css: 'color:#000;background:#eee;font-size:13px;text-indent:0' })
const otherKind: Kind = { display: 'inline' }

/** Elements that are nested deeper are taken as parts of those around them, as browsers do from 512 on. */
const maxDepth = 256
const maxKept = 2_000

/** The declarations of an element, and the style that they gave last: most elements of a page repeat those of others. */
interface Cascade { declared: Declared, parent: ComputedStyle | null, display: Declared['display'], style: ComputedStyle }

export function openVisibility(source: string, sheet: StyleSheet): Visibility {
  const names: number[] = []
  const styles: ComputedStyle[] = []
  const elements: Matched[] = []
  let root = initialStyle
  let tooDeep = 0
  let openTables = 0
  let openParagraphs = 0
  /** Number of outer elements whose background is not known any more. */
  let overlapped = 0
  const cascades = new Map<string, Cascade | null>()
  const isQuirky = !/<!doctype html/i.test(source.slice(0, 1_000))

  const page: Visibility = {
    style: root,
    hasContent: false,
    open(tag, attributes) {
      const kind = kinds.get(tag) ?? otherKind
      if (!kind.isInHead) page.hasContent = true
      if (kind.closes) closeBefore(kind.closes, kind.within!)
      if ((kind.isPartOfTable && openTables === 0) || ((tag === body || tag === html) && names.includes(tag))) return page.style
      if (tag === br && page.style.isIndented) endIndent()
      const element = sheet.count > 0 || kind.isInHead ? matchedOf(tag, attributes) : unmatched
      const style = styleOf(tag, kind, attributes, element)
      if (kind.isVoid) return style
      if (names.length >= maxDepth) {
        tooDeep++
        return style
      }
      names.push(tag)
      styles.push(style)
      elements.push(element)
      if (tag === table) openTables++
      else if (tag === p) openParagraphs++
      return page.style = style
    },
    close(tag) {
      if (names.at(-1) === tag && tooDeep === 0 && tag !== body) return closeTo(names.length - 1)
      const kind = kinds.get(tag)
      if (kind?.isVoid || tag === body || tag === html) return page.style
      if (tooDeep > 0) {
        tooDeep--
        return page.style
      }
      const at = findOpen([tag], tag === table || kind?.isPartOfTable ? [table] : scopes)
      return at < 0 ? page.style : closeTo(at)
    },
  }
  return page

  function closeBefore(closes: number[], within: number[]): void {
    if (closes.length === 1 && closes[0] === p && openParagraphs === 0) return
    for (let at = findOpen(closes, within); at >= 0; at = findOpen(closes, within)) closeTo(at)
  }

  function findOpen(wanted: number[], within: number[]): number {
    for (let at = names.length - 1; at >= 0; at--) {
      const name = names[at]!
      if (wanted.includes(name)) return at
      if (within.includes(name)) return -1
    }
    return -1
  }

  function closeTo(at: number): ComputedStyle {
    const closed = styles[at]!
    while (names.length > at) {
      const name = names.pop()
      styles.pop()
      elements.pop()
      if (name === table) openTables--
      else if (name === p) openParagraphs--
    }
    overlapped = Math.min(overlapped, at)
    page.style = styles.at(-1) ?? root
    return closed
  }

  function styleOf(tag: number, kind: Kind, attributes: Attributes | null, element: Matched): ComputedStyle {
    const parent = page.style
    if (sheet.isTooLarge) return initialStyle
    const hints = hintsOf(tag, kind, attributes, parent)
    const inline = attributes?.style ?? ''
    const rules = element === unmatched ? [] : sheet.rulesFor(element, elements)
    if (hints === '' && inline === '' && rules.length === 0) return parent
    const key = hints === '' && rules.length === 0 ? inline : `${hints}\n${rules.map(({ order }) => order).join()}\n${inline}`
    let cascade = cascades.get(key)
    if (cascade === undefined) {
      cascade = cascadeOf([readDeclarations(hints), ...rules.map(({ declarations }) => declarations), readDeclarations(inline)])
      if (cascades.size < maxKept) cascades.set(key, cascade)
    }
    if (!cascade) return parent
    if (cascade.parent !== parent || cascade.display !== kind.display) {
      cascade.style = computeStyle(parent, cascade.declared, kind.display)
      cascade.parent = parent
      cascade.display = kind.display
    }
    if (cascade.style.overlaps && cascade.style.showsBox) forgetBackgrounds()
    return cascade.style
  }

  /** Style attributes of HTML, and the defaults of browsers, as CSS. */
  function hintsOf(tag: number, { css = '', isPartOfTable }: Kind, attributes: Attributes | null, parent: ComputedStyle): string {
    let hints = css
    // without a doctype, a table has neither the size nor the color of the text around it
    if (tag === table && isQuirky && parent.showsBox && !parent.showsText) hints = 'color:initial;font-size:medium;text-indent:0;'
    if (!attributes) return hints
    if (tag === a && attributes.href !== undefined) hints = 'color:#00e;'
    if (attributes.hidden !== undefined) hints += 'display:none;'
    if (tag === font && attributes.color !== undefined) hints += `color:${legacyColor(attributes.color)};`
    if (tag === body && attributes.text !== undefined) hints += `color:${legacyColor(attributes.text)};`
    if (tag !== table && tag !== body && !isPartOfTable) return hints
    if (attributes.bgcolor !== undefined) hints += `background-color:${legacyColor(attributes.bgcolor)};`
    if (attributes.background !== undefined) hints += 'background-image:url();'
    return hints
  }

  /** A visible element lies over others, or others over it: the text that follows in the elements around it may have its background. */
  function forgetBackgrounds(): void {
    root = withoutBackground(root)
    for (; overlapped < styles.length; overlapped++) styles[overlapped] = withoutBackground(styles[overlapped]!)
    page.style = styles.at(-1) ?? root
  }

  /** Only the first line of a block is indented. */
  function endIndent(): void {
    for (let at = styles.length - 1; at >= 0 && styles[at]!.isIndented; at--) styles[at] = withoutIndent(styles[at]!)
    page.style = styles.at(-1) ?? root
  }
}

/** @param sources the weakest first; the first one is that of attributes, the last one of `style` */
function cascadeOf(sources: (Declarations | null)[]): Cascade | null {
  const found = sources.filter((source) => source !== null)
  if (found.length === 0) return null
  const declared: Declared = Object.assign({}, ...found.map(({ normal }) => normal), ...found.map(({ important }) => important))
  return { declared, parent: null, display: undefined, style: initialStyle }
}

const unmatched: Matched = { tag: 0, id: '', class: '', classes: '' }

function matchedOf(tag: number, attributes: Attributes | null): Matched {
  const { id = '', class: classes = '' } = attributes ?? {}
  return { tag, id, class: classes, classes: classes === '' ? '' : ` ${classes.replace(/\s+/g, ' ')} ` }
}
