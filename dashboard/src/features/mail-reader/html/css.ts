import { costOf, isAllowed } from './css-allowed.ts'
import { isTooDeep } from './css-limits.ts'
import type { StyleBudget } from './css-limits.ts'

/** Decides about a URL in a style. @returns the variable that replaces it; undefined removes the declaration */
export type ResolveUrl = (url: string) => string | undefined

/** Others are removed, such as those that load (@import, @font-face) and those that animate (@keyframes). */
const keptRules = new Set(['CSSStyleRule', 'CSSMediaRule', 'CSSSupportsRule', 'CSSLayerBlockRule', 'CSSLayerStatementRule', 'CSSNestedDeclarations'])

/** Media features that depend on the height of the frame, which is that of the mail. */
const asksForHeight = /(?<!device-)(?:height|aspect-ratio)|orientation/

/** The properties that may have an image. */
const imageProperties = new Set(['background-image', 'list-style-image'])

/** Maximum characters of a value without its URLs, such as a list of fonts. */
const maxValueLength = 500

/** Maximum different style attributes of a mail. */
const maxStyles = 3_000

const quotedUrl = /url\("([^"]*)"\)/g

/** A length by the height of the window, and one by its larger or smaller side. */
const heightLength = /([\d.]+(?:e[+-]?\d+)?)(?:[sld]?v[hb]|cq[hb])\b/g
const sideUnit = /(?<=\d)(?:[sld]?v|cq)(?:min|max)\b/g
/** Properties whose percentages become those of the window: with those of the parent, a browser does the layout of each element twice. */
const spaces = /^(?:margin|padding)-/
/** Height of the window that mails see in place of the frame. */
const windowHeightPx = 600

interface StyleOptions {
  resolve: ResolveUrl
  budget: StyleBudget
}

/**
 * Removes all from a style sheet but what mails use, and what loads or costs a browser seconds. The browser parses it, without loading, so
 * that no escape, comment or unusual syntax is read in another way than it will be when the sheet is used.
 */
export function sanitiseSheet(text: string, options: StyleOptions): string {
  if (isTooDeep(text)) return ''
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text.replaceAll(/<!--|-->/g, ' '))
  const kept = Array.from(sheet.cssRules).filter((rule) => sanitiseRule(rule, options))
  const cleaned = kept.map(({ cssText }) => cssText).join('\n')
  return cleaned.replaceAll(/<(?=[/!\w])/g, '\\3c ') // in a string, where it could end the style element
}

/** Does the same to style attributes. Each different one is read once. */
export function sanitiseStyles(elements: Iterable<HTMLElement>, options: StyleOptions) {
  let count = 0
  for (const [text, [first, ...others]] of Map.groupBy(elements, (element) => element.getAttribute('style')!)) {
    if (++count > maxStyles || isTooDeep(text)) first!.removeAttribute('style')
    else sanitiseDeclarations(first!.style, () => others.length + 1, options)
    const style = first!.getAttribute('style')
    for (const other of others) {
      if (style === null) other.removeAttribute('style')
      else other.setAttribute('style', style)
    }
  }
}

/** @returns whether the rule stays */
function sanitiseRule(rule: CSSRule, options: StyleOptions): boolean {
  if (!keptRules.has(rule.constructor.name) || !options.budget.admitRule(rule)) return false
  if (rule instanceof CSSMediaRule && asksForHeight.test(rule.conditionText)) return false
  const countPainted = (property: string) => options.budget.countPainted(rule, property)
  if ('style' in rule) {
    const style = rule.style as CSSStyleDeclaration
    for (const property of Array.from(style)) if (!options.budget.admitProperty(rule, property)) style.removeProperty(property)
    sanitiseDeclarations(style, countPainted, options)
  }
  if ('cssRules' in rule) sanitiseNested(rule as CSSGroupingRule, options)
  return true
}

function sanitiseNested(group: CSSGroupingRule, options: StyleOptions) {
  for (let index = group.cssRules.length - 1; index >= 0; index--) {
    if (!sanitiseRule(group.cssRules[index]!, options)) group.deleteRule(index)
  }
}

/** @param countPainted tells how often a declaration is painted */
function sanitiseDeclarations(style: CSSStyleDeclaration, countPainted: (property: string) => number, { resolve, budget }: StyleOptions) {
  for (const property of Array.from(style)) {
    const value = style.getPropertyValue(property)
    if (value === 'initial') continue // a part that a shorthand leaves out
    let cleaned = sanitiseValue(property, value, resolve)
    const cost = cleaned === undefined ? 0 : costOf(property, cleaned)
    if (cost > 0 && !budget.admitPainting(cost * countPainted(property))) cleaned = undefined
    if (cleaned === undefined) style.removeProperty(property)
    else if (cleaned !== value) style.setProperty(property, cleaned, style.getPropertyPriority(property))
  }
}

/**
 * @param value as the browser writes it after parsing. It is as the sender wrote it where it has a variable, and is empty for a part of
 * such a value; variables and values with an escape are removed
 */
function sanitiseValue(property: string, value: string, resolve: ResolveUrl): string | undefined {
  if (value === '' || value.includes('\\')) return undefined
  const rest = value.replaceAll(quotedUrl, 'url()')
  if (rest.length > maxValueLength || !isAllowed(property, rest.replaceAll(/"[^"]*"/g, ''))) return undefined
  if (spaces.test(property)) return inPixels(value.replaceAll('%', 'vw'))
  if (rest === value) return value.includes('"') ? value : inPixels(value)
  if (!imageProperties.has(property)) return undefined
  let isResolved = true
  const resolved = value.replaceAll(quotedUrl, (_, url: string) => {
    const replacement = resolve(url)
    if (replacement === undefined) isResolved = false
    return `var(${replacement}, none)`
  })
  return isResolved ? resolved : undefined
}

const inPixels = (value: string) => value.replaceAll(heightLength, toPixels).replaceAll(sideUnit, 'vw')

const toPixels = (_: string, number: string): string => `${Number(number) * windowHeightPx / 100}px`
