import { openCssVariables } from './css-variables.ts'
import type { CssVariables } from './css-variables.ts'
import { onlyShowing, readDeclarations, withoutComments } from './declarations.ts'
import type { Declarations } from './declarations.ts'
import { attributesOf, keysOf, matchesAncestors, matchesLast, readSelector } from './selectors.ts'
import type { Matched, Selector } from './selectors.ts'
import { initialFontPx, toPx } from './css-values.ts'

/** The rules of a page's `<style>` elements that matter for the visibility of text. */
export interface StyleSheet {
  count: number
  /** Whether there are too many rules, or their application takes too long: then none is reliable. */
  isTooLarge: boolean
  /** The names of attributes in selectors, with the value null. */
  attributes: Map<string, null>
  variables: CssVariables
  /** @param media the attribute of the `<style>` element */
  add(css: string, media: string): void
  /** @returns the rules that match, the weakest first */
  rulesFor(element: Matched, ancestors: readonly Matched[]): Rule[]
}

export interface Rule { selector: Selector, declarations: Declarations, order: number }

/** Maximum rules of a page. */
const maxRules = 5_000
/** Maximum comparisons of a selector with an element, of some 20 nanoseconds each. */
const maxComparisons = 1_000_000
const maxRulesOfElement = 200
/** Maximum names of attributes in selectors: each element is searched for them. */
const maxAttributes = 16
/** Maximum entries of `kept`. */
const maxKeptElements = 2_000

/** Makes the style sheet of a page, without rules. @param source the page */
export function openStyleSheet(source: string): StyleSheet {
  const variables = openCssVariables(source)
  const index = new Map<string, Rule[]>()
  /** The rules for elements with the same name, id and classes, regardless of their ancestors. */
  const kept = new Map<number, Map<string, Rule[]>>()
  let keptCount = 0
  let comparisons = 0

  const sheet: StyleSheet = {
    count: 0,
    isTooLarge: false,
    attributes: new Map(),
    variables,
    add(css, media) {
      kept.clear()
      for (const { selector, declarations } of rulesIn(css, media, variables)) {
        if (++sheet.count > maxRules) sheet.isTooLarge = true
        if (sheet.isTooLarge) return
        for (const name of attributesOf(selector)) sheet.attributes.set(name, null)
        if (sheet.attributes.size > maxAttributes) sheet.isTooLarge = true
        const rules = index.get(selector.key) ?? []
        index.set(selector.key, rules)
        rules.push({ selector, declarations, order: sheet.count })
      }
    },
    rulesFor(element, ancestors) {
      const rules = keptRules(element)
      if (rules.length === 0) return rules
      const needsAncestors = rules.some(({ selector }) => selector.compounds.length > 1)
      comparisons += rules.length * (needsAncestors ? ancestors.length + 1 : 1)
      if (comparisons > maxComparisons || rules.length > maxRulesOfElement) sheet.isTooLarge = true
      if (sheet.isTooLarge) return []
      return needsAncestors ? rules.filter(({ selector }) => matchesAncestors(selector, ancestors)) : rules
    },
  }
  return sheet

  /** The rules that match an element but for its ancestors. */
  function keptRules(element: Matched): Rule[] {
    const { tag, id, class: classes, others } = element
    const name = others.size > 0 ? JSON.stringify([classes, id, ...others.values()]) : id === '' ? classes : `${classes} #${id}`
    let ofTag = kept.get(tag)
    if (!ofTag) kept.set(tag, ofTag = new Map())
    const known = ofTag.get(name)
    if (known) return known
    const candidates = keysOf(element).flatMap((key) => index.get(key) ?? [])
    comparisons += candidates.length
    const rules = candidates.filter(({ selector }) => matchesLast(selector, element)).sort(byStrength)
    if (keptCount++ < maxKeptElements) ofTag.set(name, rules)
    return rules
  }
}

type ReadRule = Omit<Rule, 'order'>

/** The rules of style sheets that were read before: mails of one sender repeat theirs. */
const known = new Map<string, ReadRule[]>()
const maxKnown = 20
const maxKnownChars = 32 * 1024

function rulesIn(css: string, media: string, variables: CssVariables): Iterable<ReadRule> {
  if (css.length > maxKnownChars || media !== '' || hasVariables(css)) return readRules(css, media, variables)
  let rules = known.get(css)
  if (rules) return rules
  const copy = Buffer.from(css).toString() // a part of a string keeps all of it in memory
  rules = [...readRules(copy, media, variables)].slice(0, maxRules + 1)
  if (known.size >= maxKnown) known.delete(known.keys().next().value!)
  known.set(copy, rules)
  return rules
}

/** Reads the rules of a style sheet that matter. */
function* readRules(css: string, media: string, variables: CssVariables): Generator<ReadRule> {
  const ofMedia = media.trim() === '' ? yes : certaintyOf(media)
  if (ofMedia === yes && hasVariables(css)) {
    for (const { selectors, body, certainty } of rulesOf(css)) if (certainty === yes && ofRoot.test(selectors)) variables.declare(body)
  }
  for (const { selectors: list, body, certainty: ofRule } of rulesOf(css)) {
    const certainty = Math.min(ofRule, ofMedia)
    const declarations = certainty === no ? null : readDeclarations(variables.resolve(body))
    if (!declarations) continue
    const parts = /[([]/.test(list) ? list.match(/(?:[^,([]|\([^()]*\)|\[[^[\]]*\])+/g) ?? [] : list.split(',')
    const selectors = parts.map((selector) => readSelector(selector.trim()))
    const isValid = certainty === yes && !selectors.includes('invalid')
    for (const selector of selectors) {
      if (typeof selector !== 'string') yield { selector, declarations: isValid && selector.isExact ? declarations : showingOf(declarations) }
    }
  }
}

const hasVariables = (css: string): boolean => css.includes('--') && /[{;:\s(]--\w/.test(css)

/** A selector of the element that all others are in. */
const ofRoot = /^\s*(?::root|html|body|\*)\s*$/i

const byStrength = (a: Rule, b: Rule) => a.selector.specificity - b.selector.specificity || a.order - b.order

const showingOf = ({ normal, important }: Declarations): Declarations =>
  ({ normal: normal && onlyShowing(normal), important: important && onlyShowing(important) })

/** Whether a rule applies to a page on a desktop. */
type Certainty = 0 | 1 | 2
const [no, maybe, yes] = [0, 1, 2] as const

interface FoundRule { selectors: string, body: string, certainty: Certainty }

/** Finds the rules of a style sheet, also within `@media`. A rule that contains other rules is left out. */
function* rulesOf(css: string): Generator<FoundRule> {
  const text = css.includes('/*') || /["']/.test(css) ? withoutComments(css) : css
  const blocks: Certainty[] = []
  let open = -1
  let close = -1
  for (let at = 0; at < text.length;) {
    if (open < at) open = indexOrEnd(text, '{', at)
    if (close < at) close = indexOrEnd(text, '}', at)
    if (close < open) {
      blocks.pop()
      at = close + 1
      continue
    }
    const certainty = blocks.at(-1) ?? yes
    if (open === text.length) return
    const head = text.slice(at, open)
    const prelude = head.slice(head.lastIndexOf(';') + 1).replace(/^(?:\s|<!--|-->)+/, '')
    const next = indexOrEnd(text, '{', open + 1)
    if (prelude.startsWith('@')) blocks.push(Math.min(certainty, certaintyOfBlock(prelude)) as Certainty)
    else if (next < close) blocks.push(no)
    else if (certainty !== no) yield { selectors: prelude, body: text.slice(open + 1, close), certainty }
    at = prelude.startsWith('@') || next < close ? open + 1 : close + 1
    open = next
  }
}

function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}

function certaintyOfBlock(prelude: string): Certainty {
  const [, name, condition] = /^@([\w-]+)\s*([^]*)$/.exec(prelude) ?? []
  if (name?.toLowerCase() === 'media') return certaintyOf(condition!)
  return name && /^(?:supports|layer|container|scope|starting-style)$/i.test(name) ? maybe : no
}

/** Widths of pages on a desktop, in px. */
const pageWidths = { min: 769, max: 1_280 }

/** Evaluates a media query for all widths of a desktop. */
function certaintyOf(query: string): Certainty {
  return Math.max(...query.toLowerCase().split(',', 100).map((one) => {
    const [, prefix, type, conditions] = /^\s*(?:(not|only)\s+)?([a-z-]+(?=\s|$))?\s*(?:and\s+)?([^]*)$/.exec(one) ?? []
    const parts = (conditions ?? '').split(/\band\b/).map((part) => part.trim()).filter((part) => part !== '')
    const ofType = type === undefined || type === 'all' || type === 'screen' ? yes : no
    const certainty = Math.min(ofType, ...parts.map(certaintyOfCondition))
    return prefix === 'not' ? yes - certainty : certainty
  })) as Certainty
}

function certaintyOfCondition(condition: string): Certainty {
  const [, limit, ofLimit, comparison = limit, value = ofLimit] =
    /^\(\s*(?:(min|max)-(?:device-)?width\s*:\s*([^\s()]+)|width\s*([<>]=?)\s*([^\s()<>=]+))\s*\)$/.exec(condition) ?? []
  const side = comparison?.startsWith('>') ? 'min' : comparison?.startsWith('<') ? 'max' : comparison
  const px = toPx(value ?? '', initialFontPx)
  if (side === 'min' && px >= 0) return px <= pageWidths.min ? yes : px > pageWidths.max ? no : maybe
  if (side === 'max' && px >= 0) return px >= pageWidths.max ? yes : px < pageWidths.min ? no : maybe
  const scheme = /^\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)$/.exec(condition)?.[1]
  return scheme ? scheme === 'light' ? yes : no : maybe
}
