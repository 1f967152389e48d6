import { computeStyle, isSame } from './computed-style.ts'
import type { ComputedStyle } from './computed-style.ts'
import { legacyColor } from './css-colors.ts'
import { declareVariables, resolveVariables } from './css-variables.ts'
import type { Variables } from './css-variables.ts'
import { readDeclarations, readResolved, showingOf, sizeNames } from './declarations.ts'
import type { Declarations, Declared } from './declarations.ts'
import { elementNamed } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'
import { readOthers } from './html-tags.ts'
import type { Attributes } from './html-tags.ts'
import type { Rule } from './style-sheet.ts'

/** Maximum entries in the maps of all cascades of a page, and different styles that its elements share. */
const maxKept = 5_000
const maxStyles = 50
/** Maximum characters of CSS with custom properties, counted for each different element. */
const maxResolvedChars = 500_000

/** Declarations in the order of their strength, the styles that they gave, and the same with further declarations. */
interface Cascade {
  sources: Declarations[]
  /** Null before it is used. */
  declared: Declared | null
  /** Whether they are not only of a size, which without a cut has no effect. */
  hasEffect: boolean
  /** Whether they depend on custom properties: then the members before are not used. */
  isUnresolved: boolean
  /** By the style of the parent. */
  styles: Map<ComputedStyle, ComputedStyle>
  /** By CSS of attributes, or by rules. */
  next: Map<unknown, Cascade>
}

const [table, body, a, font, dialog, svg] = ['table', 'body', 'a', 'font', 'dialog', 'svg'].map(elementNamed)
/** The names of attributes, which are read for SVG alone. */
const sizesOfSvg = new Map([['width', null], ['height', null]])

/** The styles of the elements of a page. */
export class PageStyles {
  readonly #source: string
  /** Whether the page has no doctype of HTML 5. */
  readonly #isQuirky: boolean
  readonly #cascades = { inline: newCascade([]), block: newCascade([]), table: newCascade([]) }
  /** Number of entries in the maps of the cascades. */
  #kept = 0
  #resolvedChars = 0
  /** Different styles, which elements share. */
  readonly #styles: ComputedStyle[] = []

  /** @param source the page, which may have a doctype */
  constructor(source: string) {
    this.#source = source
    this.#isQuirky = !/<!doctype html/i.test(source.slice(0, 1_000))
  }

  /**
   * @param rules that match the element
   * @param parent the style of the element around it
   * @returns undefined for the style of the element around it
   */
  styleOf(element: HtmlElement, attributes: Attributes, rules: readonly Rule[], parent: ComputedStyle): ComputedStyle | undefined {
    let cascade = this.#cascades[element.display]
    const hints = this.#hintsOf(element, attributes, parent)
    if (hints !== '') cascade = this.#nextCascade(cascade, hints, hints)
    for (const rule of rules) cascade = this.#nextCascade(cascade, rule, rule.declarations)
    if (attributes.style) cascade = this.#nextCascade(cascade, attributes.style, attributes.style)
    const { sources, isUnresolved } = cascade
    if (sources.length === 0) return undefined
    if (!cascade.declared && !isUnresolved) readCascade(cascade)
    if (!isUnresolved && !cascade.hasEffect && !parent.cutsLines && parent.roomPx === Infinity) return undefined
    const known = cascade.styles.get(parent)
    if (known) return known
    const declared = isUnresolved ? this.#resolve(sources, parent.variables) : cascade.declared!
    const style = this.#uniqueStyle(computeStyle(parent, declared, element.display))
    if (this.#kept++ < maxKept) cascade.styles.set(parent, style)
    return style
  }

  /** Style attributes of HTML, and the defaults of browsers, as CSS. */
  #hintsOf(element: HtmlElement, attributes: Attributes, parent: ComputedStyle): string {
    let hints = element.css
    // without a doctype, a table has neither the size nor the color of the text around it
    if (element === table && this.#isQuirky && parent.showsBox && !parent.showsText) hints = 'color:initial;font-size:medium;'
    if (element === table && parent.indentsBlocks) hints += 'text-indent:0;'
    if (element === svg) hints += this.#sizeOf(attributes)
    if (attributes.count === 0) return hints
    if (element === a && attributes.href !== undefined) hints = 'color:#00e;'
    if (element === dialog && attributes.open !== undefined) hints = ''
    if (attributes.hidden !== undefined || (attributes.popover !== undefined && element !== dialog)) hints += 'display:none;'
    if (element === font && attributes.size !== undefined) hints += 'font-size:medium;' // the smallest can be read
    if (element === font && attributes.color !== undefined) hints += `color:${legacyColor(attributes.color)};`
    if (element === body && attributes.text !== undefined) hints += `color:${legacyColor(attributes.text)};`
    if (element.display !== 'table' && element !== body) return hints
    if (attributes.bgcolor !== undefined) hints += `background-color:${legacyColor(attributes.bgcolor)};`
    if (attributes.background !== undefined) hints += 'background-image:url();'
    return hints
  }

  /** Reads declarations with the custom properties of an element. */
  #resolve(sources: Declarations[], inherited: Variables): Declared {
    const variables = declareVariables(sources.flatMap(({ unresolved }) => unresolved ?? []), inherited)
    const resolved = sources.map((source) => {
      if (!source.unresolved) return source
      const { css, isCertain } = source.unresolved
      this.#resolvedChars += css.length
      const read = readResolved(this.#resolvedChars > maxResolvedChars ? css : resolveVariables(css, variables))
      return !read ? { normal: null, important: null } : isCertain ? read : showingOf(read)
    })
    return { ...strongest(resolved), variables }
  }

  /** The size of an SVG. */
  #sizeOf(attributes: Attributes): string {
    const given = [...readOthers(this.#source, attributes, sizesOfSvg)]
    return given.map(([name, value]) => value === null ? '' : `${name}:${value}${/\d$/.test(value) ? 'px' : ''};`).join('')
  }

  /** @param key by which the result is found again */
  #nextCascade(cascade: Cascade, key: unknown, source: string | Declarations): Cascade {
    const known = cascade.next.get(key)
    if (known) return known
    const declarations = typeof source === 'string' ? readDeclarations(source) : source
    const next = declarations ? newCascade([...cascade.sources, declarations]) : cascade
    if (this.#kept++ < maxKept) cascade.next.set(key, next)
    return next
  }

  /** Elements with equal styles share one, so that the styles of the elements in them are found again. */
  #uniqueStyle(style: ComputedStyle): ComputedStyle {
    const known = this.#styles.find((other) => isSame(style, other))
    if (!known && this.#styles.length < maxStyles) this.#styles.push(style)
    return known ?? style
  }
}

function newCascade(sources: Declarations[]): Cascade {
  const isUnresolved = sources.some(({ unresolved }) => unresolved)
  return { sources, declared: null, hasEffect: false, isUnresolved, styles: new Map(), next: new Map() }
}

const strongest = (sources: Declarations[]): Declared =>
  Object.assign({}, ...sources.map(({ normal }) => normal), ...sources.map(({ important }) => important)) as Declared

function readCascade(cascade: Cascade): void {
  const declared = cascade.declared = strongest(cascade.sources)
  cascade.hasEffect = Boolean(declared.clipsOverflow) || Object.keys(declared).some((name) => !sizes.has(name))
}

const sizes = new Set<string>([...sizeNames, 'isBorderBox'])
