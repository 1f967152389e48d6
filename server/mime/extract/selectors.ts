import { tableOf } from '../table-of.ts'
import { hashOf } from './html-elements.ts'

/** Compounds such as "p.note", each related to the next one. */
export interface Selector {
  compounds: Compound[]
  /** Whether it matches exactly these elements; else it matches only some of them. */
  isExact: boolean
  specificity: number
  /** The first requirement of its last compound, as a key of an index. */
  key: string
  /** 1, and the cost of its compounds. */
  cost: number
  /** Whether it depends on the places of elements in the page. */
  isPlaced: boolean
}

export interface Compound {
  tag: number | null
  id: string | null
  classes: string[]
  attributes: Attribute[]
  lists: List[]
  nths: Nth[]
  descendants: Descendants[]
  /** How many compounds its lists have, and the lists of these. */
  cost: number
  /** Whether it or one of its lists depends on the place of the element. */
  isPlaced: boolean
  /** To the next compound: an ancestor, its parent, the element before it, or one of those before it. */
  relation: ' ' | '>' | '+' | '~'
}

export interface Attribute { name: string, operator: string, value: string, ignoresCase: boolean }

/** Of `:is`, `:where` or `:not`. */
export interface List { compounds: Compound[], isNot: boolean, isPlaced: boolean }

/** Of `:nth-child(2n + 1)` and the like, which the other ones of the first or the last child stand for. */
export interface Nth { step: number, offset: number, isOfType: boolean, isFromEnd: boolean }

/** Of `:has(b)`, or `:has(> b)`. */
export interface Descendants { compounds: Compound[], isChild: boolean }

/** Maximum cost of a compound. */
const maxCost = 50
const maxSelectorChars = 2_000

/** Attributes whose values browsers compare regardless of the case (HTML Standard, section 4.16.2), of those that mails have. */
const ignoringCase = new Set(['align', 'bgcolor', 'color', 'dir', 'face', 'lang', 'media', 'rel', 'target', 'text', 'type', 'valign'])

/** It does not begin with a digit. */
const name = String.raw`((?!-?\d)(?:[\w-]|[^\x00-\x7f]|\\.)+)`
/** With brackets in them, up to three deep. */
const inBrackets = String.raw`(?:[^()]|\((?:[^()]|\([^()]*\))*\))*`
const token = new RegExp([
  String.raw`\s*([>+~])\s*|(\s+)|(\*)|(&)|#${name}|\.${name}`,
  String.raw`|\[\s*([a-z][\w-]*)\s*(?:([~^$*|]?=)\s*(?:"([^"]*)"|'([^']*)'|([^"'\s\]]+))\s*(?:\s([is])\s*)?)?\]|(\[)[^[\]]*\]`,
  String.raw`|(::?)([\w-]+)(?:\((${inBrackets})\))?|${name}`,
].join(''), 'yi')
const itemOfList = new RegExp(String.raw`(?:[^,([]|\(${inBrackets}\)|\[[^[\]]*\])+`, 'g')
const listName = /^(?:is|where|not|-webkit-any)$/
/** Pseudo-elements that may have a single colon. */
const oldPseudoElement = /^(?:before|after|first-l(?:etter|ine))$/
const pseudoElement = new RegExp(`^(?:${oldPseudoElement.source}|-webkit-.+|selection|marker|placeholder|backdrop|file-selector-button|target-text|spelling-error|grammar-error`
  + '|cue|details-content|checkmark|picker-icon|column|scroll-(?:marker|button|marker-group)|search-text|view-transition)$')
const pseudoElementWithValue = /^(?:highlight|part|slotted|cue|picker|scroll-button|view-transition-(?:group|image-pair|old|new))$/
/** Pseudo-classes of Chromium. A rule with another one is refused. */
const pseudoClass = new RegExp(`^(?:${`root scope empty hover active focus focus-visible focus-within target target-current link visited any-link
  first-child last-child only-child first-of-type last-of-type only-of-type enabled disabled read-only read-write placeholder-shown default checked
  indeterminate valid invalid user-valid user-invalid in-range out-of-range required optional autofill defined fullscreen modal popover-open open
  picture-in-picture host has-slotted active-view-transition paused playing muted seeking stalled buffering volume-locked xr-overlay past current future
  target-before target-after horizontal vertical start end increment decrement single-button double-button no-button corner-present window-inactive
  -webkit-(?:autofill|any-link|full-screen|full-screen-document|full-page-media|drag|autofill-selected)`.split(/\s+/).join('|')})$`)
/** Those with a value, which it matches. */
const valueOfPseudoClass: Record<string, RegExp> = tableOf(Object.fromEntries(Object.entries({
  'nth-child nth-last-child': /^\s*(?:even|odd|[+-]?\d+|[+-]?\d*n(?:\s*[+-]\s*\d+)?)\s*(?:of\s[^]*)?$/i,
  'nth-of-type nth-last-of-type': /^\s*(?:even|odd|[+-]?\d+|[+-]?\d*n(?:\s*[+-]\s*\d+)?)\s*$/i,
  lang: /\S/, dir: /^\s*[a-z]+\s*$/i, 'host host-context state active-view-transition-type': /\S/,
}).flatMap(([names, value]) => names.split(' ').map((name) => [name, value]))))
const simple = /^(?:\.((?!-?\d)[\w-]+)|([a-z][a-z\d]*))$/i

export type ReadSelector = Selector | 'none' | 'invalid'

/**
 * Reads a list of selectors.
 * @param parent that of the rule around, for which `&` stands
 * @returns of each, `none` when it matches no element, `invalid` when a browser refuses the rule, or this function does not understand it
 */
export function readSelectors(list: string, parent: Selector | null): ReadSelector[] {
  return itemsOf(list).map((item) => readSelector(item.trim(), parent))
}

/** Reads the selectors of a rule within another, with each of its parents: of elements in those of the parent, where they have no `&`. */
export function readNestedSelectors(list: string, parents: Selector[]): ReadSelector[] {
  const texts = itemsOf(list).map((item) => {
    const text = item.trim()
    return !/^[>+~]/.test(text) && text.replace(inAttribute, '').includes('&') ? text : `& ${text}`
  })
  const specificity = strongest(parents)
  return parents.flatMap((parent) => texts.map((text) => readSelector(text, { ...parent, specificity })))
}

const inAttribute = /\[[^[\]]*\]/g

const itemsOf = (list: string): string[] => /[([]/.test(list) ? list.match(itemOfList) ?? [] : list.split(',')

function readSelector(text: string, parent: Selector | null): ReadSelector {
  if (text.length > maxSelectorChars) return anyElement
  const [, onlyClass, onlyTag] = simple.exec(text) ?? [] // as most are
  if (onlyClass) return { compounds: [{ ...newCompound(), classes: [onlyClass] }], isExact: true, specificity: 1_000, key: `.${onlyClass}`, cost: 1, isPlaced: false }
  if (onlyTag) {
    const tag = hashOf(onlyTag, 0, onlyTag.length)
    return { compounds: [{ ...newCompound(), tag }], isExact: true, specificity: 1, key: String(tag), cost: 1, isPlaced: false }
  }
  const selector = { compounds: [newCompound()], isExact: true, specificity: 0 }
  let isEmpty = true
  for (let end = 0; end < text.length;) {
    token.lastIndex = end
    const found = token.exec(text)
    if (!found) return 'invalid'
    end = token.lastIndex
    const [, combinator, space, all, ampersand, id, className, attribute, operator, quoted, apostrophized, bare, flag, ...others] = found
    const [, colons, pseudo, inside, tag] = others
    const compound = selector.compounds.at(-1)!
    const isList = pseudo !== undefined && colons === ':' && listName.test(pseudo.toLowerCase())
    if (combinator || space) {
      if (isEmpty) return 'invalid'
      addCombinator(selector, combinator)
    } else if (isList || (ampersand && parent)) {
      const read = isList ? readSelectors(inside ?? '', parent) : [parent!]
      const selectors = read.filter((one) => typeof one !== 'string')
      const isNot = pseudo?.toLowerCase() === 'not'
      if (isNot && selectors.length < read.length) return 'invalid'
      if (selectors.length === 0) return 'none'
      if (pseudo?.toLowerCase() !== 'where') selector.specificity += strongest(selectors)
      addList(selector, selectors, isNot, isEmpty)
    } else if (id) {
      if (compound.id !== null && compound.id !== withoutEscapes(id)) return 'none'
      compound.id = withoutEscapes(id)
      selector.specificity += 1_000_000
    } else if (className) {
      compound.classes.push(withoutEscapes(className))
      selector.specificity += 1_000
    } else if (tag) {
      const hash = hashOf(tag, 0, tag.length)
      if (compound.tag !== null && compound.tag !== hash) return 'none'
      compound.tag = hash
      selector.specificity++
    } else if (colons === '::' || (pseudo && oldPseudoElement.test(pseudo))) {
      return (inside === undefined ? pseudoElement : pseudoElementWithValue).test(pseudo!.toLowerCase()) ? 'none' : 'invalid'
    } else if (!all) {
      if (pseudo && !isKnown(pseudo.toLowerCase(), inside)) return 'invalid'
      if (pseudo) {
        selector.specificity += addPseudoClass(selector, pseudo.toLowerCase(), inside)
        isEmpty = false
        continue
      }
      selector.specificity += 1_000
      const value = quoted ?? apostrophized ?? bare ?? ''
      if (!attribute || (operator && value === '')) selector.isExact = false // a value may have had a brace
      else {
        const name = attribute.toLowerCase()
        compound.attributes.push({ name, operator: operator ?? '', value, ignoresCase: flag?.toLowerCase() === 'i' || ignoringCase.has(name) })
      }
    }
    isEmpty = Boolean(combinator || space)
  }
  if (isEmpty) return 'invalid'
  const { compounds, isExact, specificity } = selector
  const isPlaced = compounds.some((one) => one.isPlaced || /[+~]/.test(one.relation))
  const cost = compounds.reduce((sum, compound) => sum + compound.cost, 1)
  return { compounds, isExact, specificity, key: keyOf(compounds.at(-1)!), cost, isPlaced }
}

/** Whether a browser knows a pseudo-class, with this value. */
function isKnown(pseudo: string, value: string | undefined): boolean {
  if (value === undefined) return pseudoClass.test(pseudo)
  if (pseudo === 'has') return !readSelectors(withoutRelations(value), null).includes('invalid')
  return valueOfPseudoClass[pseudo]?.test(value) ?? false
}

const withoutRelations = (list: string) => list.replaceAll(/(^|,)\s*[>+~]/g, '$1')

/** @returns its specificity */
function addPseudoClass(selector: OpenSelector, name: string, value: string | undefined): number {
  const compound = selector.compounds.at(-1)!
  const nths = nthsOf(name, value)
  if (name === 'root' && (compound.tag ?? htmlTag) === htmlTag) compound.tag = htmlTag
  else if (nths) {
    compound.nths.push(...nths)
    compound.isPlaced = true
  } else if (name === 'has') return addDescendants(selector, value!)
  else selector.isExact = false
  return 1_000
}

const htmlTag = hashOf('html', 0, 4)

const nthName = /^(?:(only)|(first|nth)|(?:nth-)?last)-(?:child|(of-type))$/

/** @returns null for another pseudo-class, or one whose value is not understood */
function nthsOf(name: string, value = '1'): Nth[] | null {
  const found = nthName.exec(name)
  const formula = value.toLowerCase().replaceAll(/\s/g, '')
  const [whole, step, offset = '0'] = /^(?:([+-]?\d*)n)?([+-]?\d+)?$/.exec(formulas[formula] ?? formula) ?? []
  if (!found || !whole) return null
  const [, only, fromStart, ofType] = found
  const nth = { step: step === undefined ? 0 : Number(/\d/.test(step) ? step : `${step}1`), offset: Number(offset), isOfType: ofType !== undefined }
  return (only ? [false, true] : [fromStart === undefined]).map((isFromEnd) => ({ ...nth, isFromEnd }))
}

const formulas: Partial<Record<string, string>> = tableOf({ even: '2n', odd: '2n+1' })

/** @returns the specificity of `:has` */
function addDescendants(selector: OpenSelector, list: string): number {
  const compound = selector.compounds.at(-1)!
  const selectors = readSelectors(withoutRelations(list), null).filter((one) => typeof one !== 'string')
  const relations = new Set(itemsOf(list).map((item) => /^\s*([>+~]?)/.exec(item)![1]))
  const [relation] = relations
  const isSimple = selectors.every((one) => one.isExact && one.compounds.length === 1 && !one.isPlaced)
  if (isSimple && relations.size === 1 && (relation === '' || relation === '>') && selectors.length <= maxListOfHas) {
    compound.descendants.push({ compounds: selectors.map(({ compounds }) => compounds[0]!), isChild: relation === '>' })
    compound.isPlaced = true
  } else selector.isExact = false
  return strongest(selectors)
}

/** Maximum selectors in the list of a `:has`. */
const maxListOfHas = 10

const newCompound = (): Compound =>
  ({ tag: null, id: null, classes: [], attributes: [], lists: [], nths: [], descendants: [], cost: 0, isPlaced: false, relation: ' ' })
const withoutEscapes = (text: string) => text.replaceAll('\\', '')

/** The specificity of a list. */
const strongest = (selectors: Selector[]): number => selectors.reduce((most, { specificity }) => Math.max(most, specificity), 0)

/** Matches each element: the reading of a selector that is too long or unknown. */
export const anyElement: Selector = { compounds: [newCompound()], isExact: false, specificity: 1_000, key: '*', cost: 1, isPlaced: false }

type OpenSelector = Pick<Selector, 'compounds' | 'isExact'>

function addCombinator({ compounds }: OpenSelector, combinator = ' '): void {
  compounds.at(-1)!.relation = combinator as Compound['relation']
  compounds.push(newCompound())
}

/**
 * Adds to the last compound that it matches one of some selectors, or none of them. Of those with ancestors, which can be any of the
 * ancestors of the whole selector, only the last compounds count.
 * @param isFirst whether the last compound has no other requirement
 */
function addList(selector: OpenSelector, given: Selector[], isNot: boolean, isFirst: boolean): void {
  const { compounds } = selector
  const last = compounds.at(-1)!
  const only = isFirst && !isNot && given.length === 1 ? given[0]! : null
  if (only) {
    const isWhole = compounds.length === 1
    const own = only.compounds.at(-1)!
    const copy: Compound = {
      ...own, classes: [...own.classes], attributes: [...own.attributes], lists: [...own.lists], nths: [...own.nths],
      descendants: [...own.descendants], relation: ' ',
    }
    selector.compounds = [...(isWhole ? only.compounds : compounds).slice(0, -1), copy]
    selector.isExact &&= only.isExact && (isWhole || only.compounds.length === 1)
    return
  }
  const isSimple = (one: Selector) => one.isExact && one.compounds.length === 1
  const listed = (isNot ? given.filter(isSimple) : given).map((one) => one.compounds.at(-1)!)
  const cost = listed.reduce((sum, one) => sum + one.cost, listed.length)
  const isTooCostly = last.cost + cost > maxCost
  if (isTooCostly || !given.every(isSimple)) selector.isExact = false
  if (isTooCostly) return
  const isPlaced = listed.some((one) => one.isPlaced)
  last.lists.push({ compounds: listed, isNot, isPlaced })
  last.cost += cost
  last.isPlaced ||= isPlaced
}

function keyOf({ id, classes, tag }: Compound): string {
  return id !== null ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : tag !== null ? String(tag) : '*'
}
