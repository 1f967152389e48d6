import { computeStyle, initialStyle, withoutBackground, withoutIndent } from './computed-style.ts'
import type { ComputedStyle } from './computed-style.ts'
import { legacyColor } from './css-values.ts'
import { readDeclarations, sizeNames } from './declarations.ts'
import type { Declarations, Declared } from './declarations.ts'
import { elementCount, elementNamed } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'
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
  open(element: HtmlElement, tag: number, attributes: Attributes): ComputedStyle
  /** @returns the style of the element that is closed */
  close(element: HtmlElement, tag: number): ComputedStyle
}

/** Elements that are nested deeper count as text of those around them, much as in browsers from 512 on. */
const maxDepth = 256
/** Different combinations of declarations that are kept of a page. */
const maxCascades = 5_000

/** Declarations in the order of their strength, the style that they gave last, and the same with further declarations. */
interface Cascade {
  sources: Declarations[]
  /** Null when none of them matters. */
  declared: Declared | null
  parent: ComputedStyle | null
  display: HtmlElement['display']
  style: ComputedStyle
  /** By CSS of attributes, or by rules. */
  next: Map<unknown, Cascade>
}

const [table, body, html, br, a, font] = ['table', 'body', 'html', 'br', 'a', 'font'].map(elementNamed)
const lists = ['ul', 'ol', 'dl'].map(elementNamed)
const items = ['li', 'dd', 'dt'].map(elementNamed)

export function openVisibility(source: string, sheet: StyleSheet): Visibility {
  const open: HtmlElement[] = []
  const tags: number[] = []
  const styles: ComputedStyle[] = []
  const matched: Matched[] = []
  /** Of the open elements, by the number of the element. */
  const counts = new Uint16Array(elementCount)
  let root = initialStyle
  let tooDeep = 0
  /** Number of outer elements whose background is not known any more. */
  let overlapped = 0
  let kept = 0
  const none = newCascade([])
  const isQuirky = !/<!doctype html/i.test(source.slice(0, 1_000))

  const page: Visibility = {
    style: root,
    open(element, tag, attributes) {
      for (const other of element.closes) if (counts[other.index]! > 0) closeAll(other, element)
      const isOutsideOfTable = element.display === 'table' && element !== table && counts[table!.index] === 0
      if (isOutsideOfTable || (counts[element.index]! > 0 && (element === body || element === html))) return page.style
      if (element === br && page.style.isIndented) endIndent()
      const one = sheet.count > 0 || element === html ? { tag, id: attributes.id ?? '', class: attributes.class ?? '' } : unmatched
      const isPlain = attributes.count === 0 && one === unmatched && element.css === '' && element !== table
      const style = isPlain ? page.style : styleOf(element, attributes, one)
      if (element.isVoid) return style
      if (open.length >= maxDepth) {
        tooDeep++
        return style
      }
      open.push(element)
      tags.push(tag)
      styles.push(style)
      matched.push(one)
      counts[element.index]!++
      return page.style = style
    },
    close(element, tag) {
      if (element.isVoid || element === body || element === html) return page.style
      if (tooDeep > 0) {
        tooDeep--
        return page.style
      }
      const at = tags.at(-1) === tag ? tags.length - 1 : element.index > 0 && counts[element.index] === 0 ? -1 : findOpen(element, tag, element)
      return at < 0 ? page.style : closeTo(at)
    },
  }
  return page

  function closeAll(element: HtmlElement, before: HtmlElement): void {
    for (let at = findOpen(element, 0, before); at >= 0; at = findOpen(element, 0, before)) closeTo(at)
  }

  /**
   * Returns the index of the innermost open element that a tag closes, -1 for none.
   * @param tag the hash of its name, for an element that is not named in html-elements.ts
   * @param by the element of the tag
   */
  function findOpen(element: HtmlElement, tag: number, by: HtmlElement): number {
    for (let at = open.length - 1; at >= 0; at--) {
      const other = open[at]!
      if (other === element && (element.index > 0 || tags[at] === tag)) return at
      if (by.display === 'table' && by !== table ? other === table : other.isScope && by !== table) return -1
      if (items.includes(by) && element === by && lists.includes(other)) return -1
    }
    return -1
  }

  function closeTo(at: number): ComputedStyle {
    const closed = styles[at]!
    while (open.length > at) {
      counts[open.pop()!.index]!--
      tags.pop()
      styles.pop()
      matched.pop()
    }
    if (overlapped > at) overlapped = at
    page.style = styles.at(-1) ?? root
    return closed
  }

  function styleOf(element: HtmlElement, attributes: Attributes, one: Matched): ComputedStyle {
    if (sheet.isTooLarge) return initialStyle
    const parent = page.style
    let cascade = none
    const hints = hintsOf(element, attributes, parent)
    if (hints !== '') cascade = nextCascade(cascade, hints, hints)
    if (one !== unmatched) for (const rule of sheet.rulesFor(one, matched)) cascade = nextCascade(cascade, rule, rule.declarations)
    if (attributes.style) cascade = nextCascade(cascade, attributes.style, attributes.style)
    if (!cascade.declared) return parent
    if (cascade.parent !== parent || cascade.display !== element.display) {
      cascade.style = computeStyle(parent, cascade.declared, element.display)
      cascade.parent = parent
      cascade.display = element.display
    }
    if (cascade.style.overlaps && cascade.style.showsBox) forgetBackgrounds()
    return cascade.style
  }

  /** @param key by which the result is found again */
  function nextCascade(cascade: Cascade, key: unknown, source: string | Declarations): Cascade {
    const known = cascade.next.get(key)
    if (known) return known
    const declarations = typeof source === 'string' ? readDeclarations(source) : source
    const next = declarations ? newCascade([...cascade.sources, declarations]) : cascade
    if (kept++ < maxCascades) cascade.next.set(key, next)
    return next
  }

  /** Style attributes of HTML, and the defaults of browsers, as CSS. */
  function hintsOf(element: HtmlElement, attributes: Attributes, parent: ComputedStyle): string {
    let hints = element.css
    // without a doctype, a table has neither the size nor the color of the text around it
    if (element === table && isQuirky && parent.showsBox && !parent.showsText) hints = 'color:initial;font-size:medium;text-indent:0;'
    if (attributes.count === 0) return hints
    if (element === a && attributes.href !== undefined) hints = 'color:#00e;'
    if (attributes.hidden !== undefined) hints += 'display:none;'
    if (element === font && attributes.color !== undefined) hints += `color:${legacyColor(attributes.color)};`
    if (element === body && attributes.text !== undefined) hints += `color:${legacyColor(attributes.text)};`
    if (element.display !== 'table' && element !== body) return hints
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

function newCascade(sources: Declarations[]): Cascade {
  const declared: Declared = Object.assign({}, ...sources.map(({ normal }) => normal), ...sources.map(({ important }) => important))
  return { sources, declared: neededOf(declared), parent: null, display: 'inline', style: initialStyle, next: new Map() }
}

/** The declarations that can have an effect. @returns null when there are none */
function neededOf(declared: Declared): Declared | null {
  if (!declared.clipsOverflow) for (const name of sizeNames) delete declared[name]
  return Object.keys(declared).length > 0 ? declared : null
}

const unmatched: Matched = { tag: 0, id: '', class: '' }
