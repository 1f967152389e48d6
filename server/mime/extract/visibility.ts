import { pageSurface, surfaceOf } from './button.ts'
import type { Surface } from './button.ts'
import { ElementPlaces } from './element-places.ts'
import type { Children, Matched } from './element-places.ts'
import { below, initialStyle, withMargins, withoutBackground, withoutContent, withoutIndent } from './computed-style.ts'
import type { ComputedStyle, Gap } from './computed-style.ts'
import { beforeContent, elementCount, elementNamed, hashOf } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'
import { newAttributes, noOthers, readOthers } from './html-tags.ts'
import type { Attributes } from './html-tags.ts'
import { PageStyles } from './page-styles.ts'
import { matchesCompound } from './selector-matching.ts'
import type { Rule, StyleSheet } from './style-sheet.ts'

/** Elements that are nested deeper count as text of those around them, much as in browsers from 512 on. */
const maxDepth = 256

/** Maximum elements of a page whose places are counted. */
const maxPlaces = 20_000

/** An open element. */
interface Opened {
  element: HtmlElement
  tag: number
  style: ComputedStyle
  surface: Surface
  gap: Gap
  spacesItems: boolean
  /** Height that it takes in a box of a limited height. */
  takesPx: number
  matched: Matched
  /** The style of a `<details>` that is closed, whose first summary alone is shown; null once that was opened. */
  summaryStyle: ComputedStyle | null
}

const [table, html, body, br, a, details, summary, svg] = ['table', 'html', 'body', 'br', 'a', 'details', 'summary', 'svg'].map(elementNamed)
const lists = ['ul', 'ol', 'dl'].map(elementNamed)
const items = ['li', 'dd', 'dt'].map(elementNamed)

/** Follows the elements of a page from its start: the open ones tell whether a reader sees its text. */
export class Visibility {
  /** The style of the innermost open element. */
  style: ComputedStyle = initialStyle
  /** By the style of the element that was opened or closed last. */
  gap: Gap = 'none'
  /** The surface of the innermost open element. */
  surface = pageSurface()
  readonly places: ElementPlaces
  readonly #source: string
  readonly #sheet: StyleSheet
  readonly #styles: PageStyles
  /** The open elements. Those from `#depth` on are closed. */
  readonly #open: Opened[] = []
  #depth = 0
  /** Whether an element of the body was opened. */
  #isInBody = false
  /** Number of open elements beyond `maxDepth`. */
  #tooDeep = 0
  /** The open elements that rules can name. */
  readonly #ancestors: Matched[] = []
  /** Of the open elements, by the number of the element. */
  readonly #counts = new Uint16Array(elementCount)
  /** The style and the surface around the outermost element. */
  #root = initialStyle
  readonly #page = this.surface
  /** Number of outer elements whose background is not known any more. */
  #overlapped = 0
  /** Of the last element without rules, by the number of the element. */
  readonly #lastStyles: ({ parent: ComputedStyle, css: string | undefined, style: ComputedStyle } | undefined)[] = []

  /** @param known the places of elements in an earlier reading of the page */
  constructor(source: string, sheet: StyleSheet, known: readonly Children[]) {
    this.#source = source
    this.#sheet = sheet
    this.#styles = new PageStyles(source)
    this.places = new ElementPlaces(known)
  }

  /**
   * Opens an element, and closes those that end with it.
   * @param tag the hash of its name
   * @returns its style
   */
  open(element: HtmlElement, tag: number, attributes: Attributes): ComputedStyle {
    const sheet = this.#sheet
    this.gap = 'none'
    const { closes } = element
    for (let i = 0; i < closes.length; i++) if (this.#counts[closes[i]!.index]! > 0) this.#closeAll(closes[i]!, element)
    if (this.#isIgnored(element)) return this.style
    if (element === br && this.style.isIndented) this.#endIndent()
    if (!this.#isInBody && !beforeContent.includes(element)) this.#startBody(element)
    const around = this.#depth > 0 ? this.#open[this.#depth - 1] : undefined
    if (element === summary && around?.summaryStyle) [this.style, around.summaryStyle] = [around.summaryStyle, null]
    const needsMatch = sheet.count > 0 || element.isRoot
    const matched = needsMatch
      ? { tag, id: attributes.id ?? '', class: attributes.class ?? '', others: readOthers(this.#source, attributes, sheet.attributes), place: null }
      : unmatched
    if (sheet.isPlaced) this.#place(matched, element, around)
    const rules = needsMatch ? sheet.rulesFor(matched, this.#ancestors) : noRules
    const isPlain = attributes.count === 0 && rules.length === 0 && element.css === '' && element !== table
    const own = isPlain ? undefined
      : rules.length > 0 ? this.#styleOf(element, attributes, rules) : this.#repeatedStyleOf(element, attributes)
    const cut = own ?? this.style
    const style = cut.cutsLines && element.hasMargins ? withMargins(cut) : cut
    const gap = own && own.gap !== 'none' ? own.gap : around?.spacesItems ? 'space' : 'none'
    if (!element.isVoid) {
      const surface = surfaceOf(style, this.style, attributes.class, this.surface)
      const isClosed = element === details && attributes.open === undefined
      const inside = isClosed || (element.isReplaced !== 'never' && this.#isReplaced(element)) ? withoutContent(style) : style
      const summaryStyle = isClosed ? style : null
      const spacesItems = own !== undefined && own.spacesItems
      const takesPx = own === undefined ? 0 : own.takesPx
      this.#push({ element, tag, style: inside, surface, gap, spacesItems, takesPx, matched, summaryStyle })
    }
    this.gap = gap
    return style
  }

  /** Adds an element whose content no browser shows to those next to it. */
  skip(element: HtmlElement, tag: number, { id = '', class: classes = '' }: Attributes): void {
    if (!this.#sheet.isPlaced) return
    const around = this.#depth > 0 ? this.#open[this.#depth - 1] : undefined
    this.#place({ tag, id, class: classes, others: noOthers, place: null }, element, around)
  }

  #place(matched: Matched, element: HtmlElement, around: Opened | undefined): void {
    if (this.places.all.length > maxPlaces) this.#sheet.isTooLarge = true
    if (this.#sheet.isTooLarge) return
    matched.place = this.places.add(matched, element, around)
    for (const descendants of this.#sheet.descendants) {
      if (!descendants.compounds.some((one) => matchesCompound(one, matched, true))) continue
      for (let at = this.#ancestors.length - 1; at >= 0; at--) {
        const found = this.#ancestors[at]!.place?.children.found
        if (found?.has(descendants)) break
        found?.add(descendants)
        if (descendants.isChild) break
      }
    }
  }

  #closeAll(element: HtmlElement, before: HtmlElement): void {
    for (let at = this.#findOpen(element, 0, before); at >= 0; at = this.#findOpen(element, 0, before)) this.#closeTo(at)
  }

  /** Whether a tag opens no element: that of a part of a table outside of one, or a second one of the root. */
  #isIgnored(element: HtmlElement): boolean {
    if (element.display === 'table' && element !== table && this.#counts[table!.index] === 0) return true
    return element.isRoot && this.#counts[element.index]! > 0
  }

  #isReplaced({ isReplaced }: HtmlElement): boolean {
    return isReplaced === 'always' || (isReplaced === 'in SVG' && this.#counts[svg!.index]! > 0)
  }

  /** Only the first line of a block is indented. */
  #endIndent(): void {
    const open = this.#open
    for (let at = this.#depth - 1; at >= 0 && open[at]!.style.isIndented; at--) open[at]!.style = withoutIndent(open[at]!.style)
    this.style = this.#depth > 0 ? open[this.#depth - 1]!.style : this.#root
  }

  /** Applies the rules of the head to the elements around the first one of the body, whose tags can be missing. */
  #startBody(element: HtmlElement): void {
    this.#isInBody = true
    if (this.#sheet.count === 0) return
    const first = this.#depth > 0 ? this.#open[0]! : undefined
    const root = first?.element === html ? first!.matched : matchedRoot
    if (this.style === this.#root) this.#restyle(html!, root, noAncestors)
    if (element !== body) this.#restyle(body!, matchedBody, [root])
  }

  #restyle(element: HtmlElement, matched: Matched, ancestors: Matched[]): void {
    const rules = this.#sheet.rulesFor(matched, ancestors)
    if (rules.length === 0) return
    this.style = this.#styleOf(element, noAttributes, rules) ?? this.style
    for (let at = 0; at < this.#depth; at++) this.#open[at]!.style = this.style
    if (this.#depth === 0) this.#root = this.style
  }

  #push(opened: Opened): void {
    if (this.#depth >= maxDepth) return void this.#tooDeep++
    this.#open[this.#depth++] = opened
    if (opened.matched !== unmatched) this.#ancestors.push(opened.matched)
    this.#counts[opened.element.index]!++
    this.style = opened.style
    this.surface = opened.surface
  }

  /** The innermost open element, if its tag has this hash. */
  innermost(tag: number): HtmlElement | undefined {
    const last = this.#depth > 0 ? this.#open[this.#depth - 1] : undefined
    return last?.tag === tag ? last.element : undefined
  }

  /** @returns the style of the element that is closed */
  close(element: HtmlElement, tag: number): ComputedStyle {
    this.gap = 'none'
    if (this.#tooDeep > 0 && !element.isVoid && !element.isRoot) this.#tooDeep--
    else if (this.#depth > 0 && this.#open[this.#depth - 1]!.tag === tag && !element.isRoot) return this.#closeTo(this.#depth - 1)
    else if (!element.isRoot && (element.index === 0 || this.#counts[element.index]! > 0)) {
      const at = this.#findOpen(element, tag, element)
      if (at >= 0) return this.#closeTo(at)
    }
    return this.style
  }

  /**
   * Returns the index of the innermost open element that a tag closes, -1 for none.
   * @param tag the hash of its name, for an element that is not named in html-elements.ts
   * @param by the element of the tag
   */
  #findOpen(element: HtmlElement, tag: number, by: HtmlElement): number {
    const isOfTable = by.display === 'table'
    const isItem = element === by && items.includes(by)
    for (let at = this.#depth - 1; at >= 0; at--) {
      const other = this.#open[at]!
      if (other.element === element && (element.index > 0 || other.tag === tag)) return at
      if (isOfTable ? other.element === table : other.element.isScope) return -1
      if (isItem && lists.includes(other.element)) return -1
    }
    return -1
  }

  #closeTo(at: number): ComputedStyle {
    const open = this.#open
    const { style: closed, gap, takesPx } = open[at]!
    const around = at > 0 ? open[at - 1]! : undefined
    if (takesPx > 0 && around && !around.spacesItems) around.style = below(around.style, takesPx)
    this.gap = gap
    while (this.#depth > at) {
      const { element, matched } = open[--this.#depth]!
      this.#counts[element.index]!--
      if (matched !== unmatched) this.#ancestors.pop()
    }
    if (this.#overlapped > at) this.#overlapped = at
    this.style = around ? around.style : this.#root
    this.surface = around ? around.surface : this.#page
    return closed
  }

  /** The style of an element without rules: most repeat the `style` of the last one with the same name, in the same parent. */
  #repeatedStyleOf(element: HtmlElement, attributes: Attributes): ComputedStyle | undefined {
    const { style: css, href } = attributes
    const parent = this.style
    const last = this.#lastStyles[element.index]
    const count = (css === undefined ? 0 : 1) + (href === undefined ? 0 : 1) + (attributes.class === undefined ? 0 : 1)
    const isSimple = attributes.count === count && (element !== a || href !== undefined) && element !== svg
    if (isSimple && last?.parent === parent && last.css === css && !this.#sheet.isTooLarge) return last.style
    const style = this.#styleOf(element, attributes, noRules)
    if (isSimple && style && element.index > 0 && !style.overlaps) this.#lastStyles[element.index] = { parent, css, style }
    return style
  }

  /** @returns undefined when nothing applies to the element: it has the style of the one around it */
  #styleOf(element: HtmlElement, attributes: Attributes, rules: readonly Rule[]): ComputedStyle | undefined {
    if (this.#sheet.isTooLarge) return initialStyle
    const style = this.#styles.styleOf(element, attributes, rules, this.style)
    if (style?.overlaps && style.showsBox) this.#forgetBackgrounds()
    return style
  }

  /** A visible element lies over others, or others over it: the text that follows in the elements around it may have its background. */
  #forgetBackgrounds(): void {
    const open = this.#open
    this.#root = withoutBackground(this.#root)
    for (; this.#overlapped < this.#depth; this.#overlapped++) {
      open[this.#overlapped]!.style = withoutBackground(open[this.#overlapped]!.style)
    }
    this.style = this.#depth > 0 ? open[this.#depth - 1]!.style : this.#root
  }
}

const noRules: readonly Rule[] = []
const noAncestors: Matched[] = []
const noAttributes = newAttributes()
const matchedWithoutTag = (name: string): Matched => ({ tag: hashOf(name, 0, name.length), id: '', class: '', others: noOthers, place: null })
const [matchedRoot, matchedBody] = [matchedWithoutTag('html'), matchedWithoutTag('body')]
const unmatched: Matched = { tag: 0, id: '', class: '', others: noOthers, place: null }
