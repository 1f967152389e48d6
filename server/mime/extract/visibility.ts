import { computeStyle, initialStyle, isSame, withoutBackground, withoutIndent } from './computed-style.ts'
import type { ComputedStyle } from './computed-style.ts'
import { legacyColor } from './css-values.ts'
import { readDeclarations, sizeNames } from './declarations.ts'
import type { Declarations, Declared } from './declarations.ts'
import { elementCount, elementNamed } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'
import { newAttributes, noOthers, readOthers } from './html-tags.ts'
import type { Attributes } from './html-tags.ts'
import type { Matched } from './selectors.ts'
import type { Rule, StyleSheet } from './style-sheet.ts'

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
  /** The innermost open element, if its tag has this hash. */
  innermost(tag: number): HtmlElement | undefined
  /** @returns the style of the element that is closed */
  close(element: HtmlElement, tag: number): ComputedStyle
}

/** Elements that are nested deeper count as text of those around them, much as in browsers from 512 on. */
const maxDepth = 256
/** Maximum entries in the maps of all cascades of a page, and different styles that its elements share. */
const maxKept = 5_000
const maxStyles = 50

/** Declarations in the order of their strength, the styles that they gave, and the same with further declarations. */
interface Cascade {
  sources: Declarations[]
  /** Null when none of them matters; undefined before it is used. */
  declared: Declared | null | undefined
  /** By the style of the parent. */
  styles: Map<ComputedStyle, ComputedStyle>
  /** By CSS of attributes, or by rules. */
  next: Map<unknown, Cascade>
}

/** An open element. */
interface Opened { element: HtmlElement, tag: number, style: ComputedStyle, matched: Matched }

const [table, html, body, br, a, font] = ['table', 'html', 'body', 'br', 'a', 'font'].map(elementNamed)
const lists = ['ul', 'ol', 'dl'].map(elementNamed)
const items = ['li', 'dd', 'dt'].map(elementNamed)

/** Follows the elements of a page from its start. @param source the page, which may have a doctype */
export function openVisibility(source: string, sheet: StyleSheet): Visibility {
  /** Those from `depth` on are closed, and used again. */
  const open: Opened[] = []
  let depth = 0
  const ancestors: Matched[] = []
  /** Of the open elements, by the number of the element. */
  const counts = new Uint16Array(elementCount)
  let root = initialStyle
  let tooDeep = 0 // open elements beyond `maxDepth`
  /** Number of outer elements whose background is not known any more. */
  let overlapped = 0
  let kept = 0
  const cascades = { inline: newCascade([]), block: newCascade([]), table: newCascade([]) }
  const styles: ComputedStyle[] = []
  const lastStyles: ({ parent: ComputedStyle, css: string | undefined, style: ComputedStyle } | undefined)[] = []
  const isQuirky = !/<!doctype html/i.test(source.slice(0, 1_000))

  const page: Visibility = {
    style: root,
    open(element, tag, attributes) {
      const { closes } = element
      for (let i = 0; i < closes.length; i++) if (counts[closes[i]!.index]! > 0) closeAll(closes[i]!, element)
      if (element.display === 'table' && element !== table && counts[table!.index] === 0) return page.style
      if (element.isRoot && counts[element.index]! > 0) return page.style
      if (element === br && page.style.isIndented) endIndent()
      if (element === body && open[0]?.element === html && sheet.count > 0) restyleRoot(open[0]!.matched)
      const needsMatch = sheet.count > 0 || element.isRoot
      const matched = needsMatch ? { tag, id: attributes.id ?? '', class: attributes.class ?? '', others: readOthers(source, attributes, sheet.attributes) } : unmatched
      const rules = needsMatch ? sheet.rulesFor(matched, ancestors) : noRules
      const isPlain = attributes.count === 0 && rules.length === 0 && element.css === '' && element !== table
      const style = isPlain ? page.style : rules.length > 0 ? styleOf(element, attributes, rules) : repeatedStyleOf(element, attributes)
      if (element.isVoid) return style
      if (depth >= maxDepth) {
        tooDeep++
        return style
      }
      if (depth === open.length) open.push({ element, tag, style, matched })
      else {
        const opened = open[depth]!
        opened.element = element
        opened.tag = tag
        opened.style = style
        opened.matched = matched
      }
      depth++
      if (needsMatch) ancestors.push(matched)
      counts[element.index]!++
      return page.style = style
    },
    innermost: (tag) => depth > 0 && open[depth - 1]!.tag === tag ? open[depth - 1]!.element : undefined,
    close(element, tag) {
      if (tooDeep > 0 && !element.isVoid && !element.isRoot) tooDeep--
      else if (depth > 0 && open[depth - 1]!.tag === tag && !element.isRoot) return closeTo(depth - 1)
      else if (!element.isRoot && (element.index === 0 || counts[element.index]! > 0)) {
        const at = findOpen(element, tag, element)
        if (at >= 0) return closeTo(at)
      }
      return page.style
    },
  }
  return page

  /** Applies the rules of the head to the element around it. */
  function restyleRoot(matched: Matched): void {
    const rules = sheet.rulesFor(matched, noAncestors)
    if (rules.length === 0 || page.style !== root) return
    page.style = styleOf(html!, noAttributes, rules)
    for (let at = 0; at < depth; at++) open[at]!.style = page.style
  }

  function closeAll(element: HtmlElement, before: HtmlElement): void {
    for (let at = findOpen(element, 0, before); at >= 0; at = findOpen(element, 0, before)) closeTo(at)
  }

  /**
   * Returns the index of the innermost open element that a tag closes, -1 for none.
   * @param tag the hash of its name, for an element that is not named in html-elements.ts
   * @param by the element of the tag
   */
  function findOpen(element: HtmlElement, tag: number, by: HtmlElement): number {
    const isOfTable = by.display === 'table'
    const isItem = element === by && items.includes(by)
    for (let at = depth - 1; at >= 0; at--) {
      const other = open[at]!
      if (other.element === element && (element.index > 0 || other.tag === tag)) return at
      if (isOfTable ? other.element === table : other.element.isScope) return -1
      if (isItem && lists.includes(other.element)) return -1
    }
    return -1
  }

  function closeTo(at: number): ComputedStyle {
    const closed = open[at]!.style
    while (depth > at) {
      const { element, matched } = open[--depth]!
      counts[element.index]!--
      if (matched !== unmatched) ancestors.pop()
    }
    if (overlapped > at) overlapped = at
    page.style = at > 0 ? open[at - 1]!.style : root
    return closed
  }

  /** The style of an element without rules: most repeat the `style` of the last one with the same name, in the same parent. */
  function repeatedStyleOf(element: HtmlElement, attributes: Attributes): ComputedStyle {
    const { style: css, href } = attributes
    const parent = page.style
    const last = lastStyles[element.index]
    const count = (css === undefined ? 0 : 1) + (href === undefined ? 0 : 1) + (attributes.class === undefined ? 0 : 1)
    const isSimple = attributes.count === count && (element !== a || href !== undefined)
    if (isSimple && last?.parent === parent && last.css === css && !sheet.isTooLarge) return last.style
    const style = styleOf(element, attributes, noRules)
    if (isSimple && element.index > 0 && !style.overlaps) lastStyles[element.index] = { parent, css, style }
    return style
  }

  function styleOf(element: HtmlElement, attributes: Attributes, rules: readonly Rule[]): ComputedStyle {
    if (sheet.isTooLarge) return initialStyle
    const parent = page.style
    let cascade = cascades[element.display]
    const hints = hintsOf(element, attributes, parent)
    if (hints !== '') cascade = nextCascade(cascade, hints, hints)
    for (const rule of rules) cascade = nextCascade(cascade, rule, rule.declarations)
    if (attributes.style) cascade = nextCascade(cascade, attributes.style, attributes.style)
    if (cascade.declared === undefined) cascade.declared = declaredIn(cascade.sources)
    if (!cascade.declared) return parent
    let style = cascade.styles.get(parent)
    if (!style) {
      style = uniqueStyle(computeStyle(parent, cascade.declared, element.display))
      if (kept++ < maxKept) cascade.styles.set(parent, style)
    }
    if (style.overlaps && style.showsBox) forgetBackgrounds()
    return style
  }

  /** Elements with equal styles share one, so that the styles of the elements in them are found again. */
  function uniqueStyle(style: ComputedStyle): ComputedStyle {
    const known = styles.find((other) => isSame(style, other))
    if (!known && styles.length < maxStyles) styles.push(style)
    return known ?? style
  }

  /** @param key by which the result is found again */
  function nextCascade(cascade: Cascade, key: unknown, source: string | Declarations): Cascade {
    const known = cascade.next.get(key)
    if (known) return known
    const declarations = typeof source === 'string' ? readDeclarations(sheet.variables.resolve(source)) : source
    const next = declarations ? newCascade([...cascade.sources, declarations]) : cascade
    if (kept++ < maxKept) cascade.next.set(key, next)
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
    if (element === font && attributes.size !== undefined) hints += 'font-size:medium;' // the smallest can be read
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
    for (; overlapped < depth; overlapped++) open[overlapped]!.style = withoutBackground(open[overlapped]!.style)
    page.style = depth > 0 ? open[depth - 1]!.style : root
  }

  /** Only the first line of a block is indented. */
  function endIndent(): void {
    for (let at = depth - 1; at >= 0 && open[at]!.style.isIndented; at--) open[at]!.style = withoutIndent(open[at]!.style)
    page.style = depth > 0 ? open[depth - 1]!.style : root
  }
}

const newCascade = (sources: Declarations[]): Cascade => ({ sources, declared: undefined, styles: new Map(), next: new Map() })

/** Only the declarations that can have an effect; null when there are none. */
function declaredIn(sources: Declarations[]): Declared | null {
  const declared: Declared = Object.assign({}, ...sources.map(({ normal }) => normal), ...sources.map(({ important }) => important))
  const hasEffect = declared.clipsOverflow || Object.keys(declared).some((name) => !sizes.has(name))
  return hasEffect ? declared : null
}

const sizes = new Set<string>(sizeNames)
const noRules: readonly Rule[] = []
const noAncestors: readonly Matched[] = []
const noAttributes = newAttributes()
const unmatched: Matched = { tag: 0, id: '', class: '', others: noOthers }
