import { readDeclarations, showingOf, withoutComments } from './declarations.ts'
import type { Declarations } from './declarations.ts'
import type { Matched } from './element-places.ts'
import { attributesOf, keysOf, matchesLast, matchesPlace } from './selector-matching.ts'
import { anyElement, readNestedSelectors, readSelectors } from './selectors.ts'
import type { Descendants, ReadSelector, Selector } from './selectors.ts'
import { certaintyOfBlock, certaintyOfMedia, maybe, no, yes } from './media-queries.ts'
import type { Certainty } from './media-queries.ts'

/** The rules of a page's `<style>` elements that matter for the visibility of text. */
export interface StyleSheet {
  count: number
  /** Whether there are too many rules, or their application takes too long: then none is reliable. */
  isTooLarge: boolean
  /** The names of attributes in selectors, with the value null. */
  attributes: Map<string, null>
  /** Whether a rule depends on the places of elements. */
  isPlaced: boolean
  /** Whether one depends on elements that follow: the page is read once more, before. */
  looksAhead: boolean
  /** Of `:has`. */
  descendants: Set<Descendants>
  /** @param media the attribute of the `<style>` element */
  add(css: string, media: string): void
  /** @returns the rules that match, the weakest first */
  rulesFor(element: Matched, ancestors: readonly Matched[]): Rule[]
}

export interface Rule {
  selector: Selector
  declarations: Declarations
  /** By its layer and its specificity. */
  strength: number
  order: number
}

/** Maximum rules of a page. */
const maxRules = 5_000
/** Maximum comparisons of a selector with an element, of some 20 nanoseconds each. */
const maxComparisons = 1_000_000
const maxRulesOfElement = 200
/** Maximum `:has` in selectors: each element is compared with them. */
const maxDescendants = 16
/** Maximum names of attributes in selectors: each element is searched for them. */
const maxAttributes = 16
/** Maximum entries of `kept`. */
const maxKeptElements = 2_000

/** Makes the style sheet of a page, without rules. */
export function openStyleSheet(): StyleSheet {
  const index = new Map<string, Rule[]>()
  /** The rules for elements with the same name, id and classes, regardless of their ancestors. */
  const kept = new Map<number, Map<string, Rule[]>>()
  let keptCount = 0
  const work = { comparisons: 0, max: maxComparisons }

  const sheet: StyleSheet = {
    count: 0,
    isTooLarge: false,
    attributes: new Map(),
    isPlaced: false,
    looksAhead: false,
    descendants: new Set(),
    add(css, media) {
      kept.clear()
      for (const rule of rulesIn(css, media)) {
        if (++sheet.count > maxRules) sheet.isTooLarge = true
        if (sheet.isTooLarge) return
        const { selector, declarations, strength } = rule
        for (const name of attributesOf(selector)) sheet.attributes.set(name, null)
        if (sheet.attributes.size > maxAttributes) sheet.isTooLarge = true
        if (selector.isPlaced) addPlaced(sheet, selector)
        const rules = index.get(selector.key) ?? []
        index.set(selector.key, rules)
        rules.push({ selector, declarations, strength, order: sheet.count })
      }
    },
    rulesFor(element, ancestors) {
      if (sheet.isTooLarge) return []
      const rules = keptRules(element)
      work.comparisons += costOf(rules)
      if (rules.length > maxRulesOfElement) sheet.isTooLarge = true
      const hasPlaces = rules.some(({ selector }) => selector.compounds.length > 1 || selector.isPlaced)
      const matching = hasPlaces ? rules.filter(({ selector }) => matchesPlace(selector, element, ancestors, work)) : rules
      if (work.comparisons > maxComparisons) sheet.isTooLarge = true
      return sheet.isTooLarge ? [] : matching
    },
  }
  return sheet

  /** The rules that match an element but for its place. */
  function keptRules(element: Matched): Rule[] {
    const { tag, id, class: classes, others } = element
    const name = others.size > 0 ? JSON.stringify([classes, id, ...others.values()]) : id === '' ? classes : `${classes} #${id}`
    let ofTag = kept.get(tag)
    if (!ofTag) kept.set(tag, ofTag = new Map())
    const known = ofTag.get(name)
    if (known) return known
    const candidates = keysOf(element).flatMap((key) => index.get(key) ?? [])
    work.comparisons += costOf(candidates)
    const rules = candidates.filter(({ selector }) => matchesLast(selector, element)).sort(byStrength)
    if (keptCount++ < maxKeptElements) ofTag.set(name, rules)
    return rules
  }
}

/** Records which places of elements a selector depends on. */
function addPlaced(sheet: StyleSheet, { compounds }: Pick<Selector, 'compounds'>): void {
  sheet.isPlaced = true
  for (const { nths, descendants, lists } of compounds) {
    if (descendants.length > 0 || nths.some(({ isFromEnd }) => isFromEnd)) sheet.looksAhead = true
    for (const one of descendants) sheet.descendants.add(one)
    for (const list of lists) addPlaced(sheet, list)
  }
  if (sheet.descendants.size > maxDescendants) sheet.isTooLarge = true
}

type ReadRule = Omit<Rule, 'order'>

/** The rules of style sheets that were read before: mails of one sender repeat theirs. */
const known = new Map<string, ReadRule[]>()
const maxKnown = 20
const maxKnownChars = 32 * 1024

function rulesIn(css: string, media: string): Iterable<ReadRule> {
  if (css.length > maxKnownChars || media !== '') return readRules(css, media)
  let rules = known.get(css)
  if (rules) return rules
  const copy = Buffer.from(css).toString() // a part of a string keeps all of it in memory
  rules = [...readRules(copy, media)].slice(0, maxRules + 1)
  if (known.size >= maxKnown) known.delete(known.keys().next().value!)
  known.set(copy, rules)
  return rules
}

/** Reads the rules of a style sheet that matter. */
function* readRules(css: string, media: string): Generator<ReadRule> {
  const ofMedia = certaintyOfMedia(media)
  let nestedChars = 0
  for (const { block, body } of bodiesOf(css, ofMedia)) {
    const declarations = readDeclarations(body)
    if (!declarations) continue
    const { isValid, known } = selectorsOf(block)
    const isCertain = block.certainty === yes && isValid
    for (const selector of known) {
      const { normal, important, unresolved } = isCertain && selector.isExact ? declarations : showingOf(declarations)
      const { specificity } = selector
      if (block.weakness === 0 || unresolved) {
        yield { selector, declarations: { normal, important, unresolved }, strength: specificity - block.weakness }
      } else {
        yield { selector, declarations: { normal, important: null }, strength: specificity - block.weakness }
        if (important) yield { selector, declarations: { normal: null, important }, strength: specificity + block.weakness }
      }
    }
  }

  function selectorsOf(block: Block): Selectors {
    return block.selectors ??= readSelectorsOf(block)
  }

  /** Reads the selectors of a rule once for each of the rule around it, while these are not too many or too long. */
  function readSelectorsOf({ list, around }: Block): Selectors {
    if (!around) return selectorsAmong(readSelectors(list!, null))
    const outer = selectorsOf(around)
    nestedChars += list!.length * outer.known.length
    if (nestedChars > maxNestedChars || outer.known.some(({ compounds }) => compounds.length > maxCompounds)) return unknown
    const { isValid, known } = selectorsAmong(readNestedSelectors(list!, outer.known))
    return { isValid: isValid && outer.isValid, known }
  }
}

/** Maximum characters of the selectors of rules within others in one style sheet, counted once for each selector of the rule around. */
const maxNestedChars = 200_000
const maxCompounds = 20

function selectorsAmong(read: ReadSelector[]): Selectors {
  return { isValid: !read.includes('invalid'), known: read.filter((one) => typeof one !== 'string') }
}

const byStrength = (a: Rule, b: Rule) => a.strength - b.strength || a.order - b.order

function costOf(rules: Rule[]): number {
  let sum = 0
  for (const { selector } of rules) sum += selector.cost
  return sum
}

/** Selectors of a rule that are understood, and whether all are. */
interface Selectors { isValid: boolean, known: Selector[] }

const unknown: Selectors = { isValid: false, known: [anyElement] }

/** A pair of braces: of a rule, or of one such as `@media` in or around rules. */
interface Block {
  certainty: Certainty
  /** The selectors of the rule; null outside of rules. */
  list: string | null
  /** The rule around this one. */
  around: Block | null
  /** Of its layer: what its normal declarations lose in strength, and its important ones win. */
  weakness: number
  selectors?: Selectors
}

/** Blocks that are deeper count as one of a rule for all elements, which may apply. */
const maxBlocks = 16
const tooDeep: Block = { certainty: maybe, list: '*', around: null, weakness: 0, selectors: unknown }

/** More than a specificity. */
const weaknessOfLayer = 1e12
const maxLayers = 1_000

/** Finds the declarations of a style sheet, and the rules that they are in. */
function* bodiesOf(css: string, certainty: Certainty): Generator<{ block: Block, body: string }> {
  const text = css.includes('/*') || /["']/.test(css) ? withoutComments(css) : css
  const weaknesses = new Map<string, number>()
  const blocks: Block[] = [{ certainty, list: null, around: null, weakness: 0 }]
  let open = -1
  let close = -1
  for (let at = 0; ;) {
    if (open < at) open = indexOrEnd(text, '{', at)
    if (close < at) close = indexOrEnd(text, '}', at)
    const block = blocks.at(-1)!
    const content = text.slice(at, Math.min(open, close))
    const preludeStart = open < close ? content.lastIndexOf(';') + 1 : content.length
    if (block.certainty !== no && preludeStart > 0) {
      const body = content.slice(0, preludeStart)
      if (block.list !== null) yield { block, body }
      else for (const [, names] of body.matchAll(/@layer\s([^;]*)/gi)) for (const name of names!.split(',')) weaknessOf(name.trim().toLowerCase())
    }
    at = Math.min(open, close) + 1
    if (at > text.length) return
    if (open < close) blocks.push(blockIn(block, content.slice(preludeStart).replace(/^(?:\s|<!--|-->)+/, '')))
    else if (blocks.length > 1) blocks.pop()
  }

  function blockIn(around: Block, prelude: string): Block {
    const { certainty, list, weakness } = around
    if (certainty === no) return around
    if (blocks.length > maxBlocks) return tooDeep
    if (!prelude.startsWith('@')) return { certainty, list: prelude, around: list === null ? null : around, weakness }
    const [, name, condition = ''] = /^@([\w-]+)\s*([^]*)$/.exec(prelude.toLowerCase()) ?? []
    if (name === 'layer' && weakness === 0 && !condition.includes('.')) return { ...around, weakness: weaknessOf(condition.trim()) }
    return { ...around, certainty: Math.min(certainty, certaintyOfBlock(name, condition)) as Certainty, weakness: name === 'layer' ? 0 : weakness }
  }

  /** Later layers are stronger. Each without a name is one of its own. */
  function weaknessOf(layer: string): number {
    const name = layer || `${weaknesses.size}`
    const known = weaknesses.get(name)
    if (known !== undefined) return known
    const weakness = (maxLayers - weaknesses.size) * weaknessOfLayer
    if (weaknesses.size < maxLayers - 1) weaknesses.set(name, weakness)
    return weakness
  }
}
function indexOrEnd(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from)
  return at < 0 ? text.length : at
}
