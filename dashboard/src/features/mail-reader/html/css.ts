import { isTooDeep } from './css-limits.ts'
import type { AdmitRule } from './css-limits.ts'

/** Decides about a URL in a style. @returns the URL that replaces it; undefined removes the declaration */
export type ResolveUrl = (url: string) => string | undefined

/** Rules that load nothing by themselves. Others are removed: @import, @font-face of other hosts, @property, @counter-style, @function. */
const keptRules = new Set([
  'CSSStyleRule', 'CSSMediaRule', 'CSSSupportsRule', 'CSSLayerBlockRule', 'CSSLayerStatementRule', 'CSSContainerRule', 'CSSScopeRule',
  'CSSKeyframesRule', 'CSSKeyframeRule', 'CSSNestedDeclarations', 'CSSFontFaceRule',
])

/** The properties that may have an image. */
const imageProperties = new Set(['background-image', 'list-style-image', 'border-image-source'])

/** Columns, of which a browser makes as many as the height asks for. */
const columns = /^column-(?!gap$)/

/** Characters of a value without its URLs, such as a list of shadows. */
const maxValueLength = 2_000

/** Functions that load. */
const loads = /(?:url|src|image|image-set|cross-fade|paint|element)\(/i
const replaced = /(?:var|env|attr)\(/i
const quotedUrl = /url\("([^"]*)"\)/gi

export interface SheetOptions {
  resolve: ResolveUrl
  admit: AdmitRule
}

/**
 * Removes all that loads from a style sheet, and what costs a browser seconds. The browser parses it, without loading, so that no escape,
 * comment or unusual syntax is read in another way than it will be when the sheet is used.
 */
export function sanitiseSheet(text: string, options: SheetOptions): string {
  if (isTooDeep(text)) return ''
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text.replaceAll(/<!--|-->/g, ' '))
  const kept = Array.from(sheet.cssRules).filter((rule) => sanitiseRule(rule, options))
  const cleaned = kept.map(({ cssText }) => cssText).join('\n')
  return cleaned.replaceAll(/<(?=[/!\w])/g, '\\3c ') // in a string, where it could end the style element
}

/** Removes all that loads from the declarations of a rule or an element. */
export function sanitiseDeclarations(style: CSSStyleDeclaration, resolve: ResolveUrl) {
  for (const property of Array.from(style)) {
    const value = style.getPropertyValue(property)
    const cleaned = sanitiseValue(property, value, resolve)
    if (cleaned === undefined) style.removeProperty(property)
    else if (cleaned !== value) style.setProperty(property, cleaned, style.getPropertyPriority(property))
  }
}

/** Whether declarations can load or cost much, or have to be parsed to find out. */
export const isSuspect = (declarations: string): boolean =>
  declarations.length > maxValueLength || /[(\\]|column/i.test(declarations)

/** @returns whether the rule stays */
function sanitiseRule(rule: CSSRule, options: SheetOptions): boolean {
  if (!keptRules.has(rule.constructor.name)) return false
  if (!options.admit(rule)) return false
  if (rule instanceof CSSFontFaceRule) return isFontData(rule.style.getPropertyValue('src'))
  if ('style' in rule) sanitiseDeclarations(rule.style as CSSStyleDeclaration, options.resolve)
  if ('cssRules' in rule) sanitiseNested(rule as CSSGroupingRule, options)
  return true
}

function sanitiseNested(group: CSSGroupingRule, options: SheetOptions) {
  for (let index = group.cssRules.length - 1; index >= 0; index--) {
    if (!sanitiseRule(group.cssRules[index]!, options)) group.deleteRule(index)
  }
}

const isFontData = (source: string): boolean =>
  !source.includes('\\') && !loads.test(source.replaceAll(quotedUrl, (found, url: string) => url.startsWith('data:font/') ? '' : found))

/**
 * @param value as the browser writes it after parsing. It is as the sender wrote it where it has a variable, so all variables are removed,
 * and all values with an escape
 */
function sanitiseValue(property: string, value: string, resolve: ResolveUrl): string | undefined {
  if (columns.test(property) || property.startsWith('--') || value === '' || value.includes('\\') || replaced.test(value)) return undefined
  const rest = value.replaceAll(quotedUrl, '')
  if (rest.length > maxValueLength) return undefined
  if (!loads.test(value)) return value
  if (!imageProperties.has(property)) return undefined
  let isAllowed = true
  const resolved = value.replaceAll(quotedUrl, (_, url: string) => {
    const replacement = resolve(url)
    if (replacement === undefined || /["\\\n]/.test(replacement)) isAllowed = false
    return `url("${replacement}")`
  })
  return isAllowed && !loads.test(rest) ? resolved : undefined
}
