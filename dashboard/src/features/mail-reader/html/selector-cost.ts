/** Estimates the cost of a rule for a mail: characters of selectors that are compared with elements. */
export type CostOfSelector = (rule: CSSRule) => number

/** The elements that a browser compares with a selector whose last compound has a name, such as `.a`. */
interface Named {
  count: number
  /** The maximum number of elements around one of them. */
  depth: number
}

/** The cost of a rule for each element that is compared, in addition to its selector: that of its declarations. */
export const costOfRule = 20

/** A part of the values of an attribute that is compared within them: `[class*="a"]` or `[class~="a"]`, without its string. */
const searchedAttribute = /^\[(?:[^\]|]*\|)?([^\]|*~=]*)[*~]=/

/** Characters of a value that a browser searches in the time of a character of a selector. */
const searchedTogether = 10

/** The names of a compound. */
const names = /(?:^|[.#])[\w\u0080-\uffff-]+/g

/**
 * Estimates the work of a browser that compares all elements with the selector of a rule. It compares those that have the last name of
 * the selector; a descendant combinator is tried on all elements around each. Selectors within it (`:is()`, `:not()`, `:where()`, and `&`
 * in a nested rule) are tried on each of these, so that their work is multiplied.
 */
export function openSelectorCost(root: Element): CostOfSelector {
  const { all, byName, valueLengths } = indexNames(root)
  const costOfAttribute = (brackets: string): number => {
    const name = searchedAttribute.exec(brackets)?.[1]?.toLowerCase()
    if (name === undefined) return brackets.length
    const length = name.includes('\\') ? Math.max(...valueLengths.values()) : valueLengths.get(name) ?? 0
    return brackets.length + length / searchedTogether
  }
  const simplify = (selector: string) => withoutStrings(selector)
    .replaceAll(/\[[^\]]*\]/g, (brackets) => `[${Math.ceil(costOfAttribute(brackets))}]`)
    .replaceAll(/\s*([>+~,(])\s*/g, '$1').replaceAll(/\s+(?=\))/g, '').replaceAll(/\s+/g, ' ').trim()

  /** @returns the cost of `&` */
  const costOfOuter = (rule: CSSRule, depth: number): number => {
    let outer = rule.parentRule
    while (outer && !(outer instanceof CSSStyleRule)) outer = outer.parentRule
    return outer ? costOf(simplify(outer.selectorText), depth, costOfOuter(outer, depth)) : 1
  }

  return (rule) => {
    const selector = selectorOf(rule)
    if (selector === undefined) return costOfRule * all.count
    let cost = 0
    for (const part of splitList(simplify(selector))) {
      const { count, depth } = findNamed(part, byName) ?? all
      cost += (costOf(part, depth, costOfOuter(rule, depth)) + costOfRule) * count
    }
    return cost
  }
}

function indexNames(root: Element): { all: Named, byName: Map<string, Named>, valueLengths: Map<string, number> } {
  const all: Named = { count: 0, depth: 1 }
  const byName = new Map<string, Named>()
  const depths = new Map<Element | null, number>()
  const valueLengths = new Map<string, number>()
  for (const element of [root, ...root.getElementsByTagName('*')]) {
    const depth = (depths.get(element.parentElement) ?? 0) + 1
    depths.set(element, depth)
    const classes = new Set(Array.from(element.classList, (name) => `.${name.toLowerCase()}`))
    record(all, depth)
    for (const { name, value } of element.attributes) valueLengths.set(name, Math.max(valueLengths.get(name) ?? 0, value.length))
    for (const name of [element.localName, `#${element.id.toLowerCase()}`, ...classes]) {
      const named = byName.get(name) ?? { count: 1, depth: 1 } // one more, for the comparisons with none
      byName.set(name, named)
      record(named, depth)
    }
  }
  return { all, byName, valueLengths }
}

function record(named: Named, depth: number) {
  named.count++
  named.depth = Math.max(named.depth, depth)
}

const selectorOf = (rule: CSSRule): string | undefined =>
  rule instanceof CSSStyleRule ? rule.selectorText : rule.constructor.name === 'CSSNestedDeclarations' ? '&' : undefined

/** Names with an escape become `\`. */
const withoutStrings = (selector: string): string => selector
  .replaceAll(/\\(?:[0-9a-f]{1,6}\s?|[^])/gi, '\\').replaceAll(/"[^"]*"|'[^']*'/g, '')

function splitList(selectors: string): string[] {
  const parts = ['']
  let depth = 0
  for (const text of selectors.split(/(?<=[(),])|(?=[(),])/)) {
    depth += Number(text === '(') - Number(text === ')')
    if (text === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += text
  }
  return parts
}

/** @returns undefined for a selector that may be compared with all elements */
function findNamed(part: string, byName: Map<string, Named>): Named | undefined {
  let compounds = part
  for (let before = ''; before !== compounds;) compounds = (before = compounds).replaceAll(/\([^()]*\)/g, '')
  const last = compounds.slice(Math.max(...Array.from(' >+~', (combinator) => compounds.lastIndexOf(combinator))) + 1)
  if (/[\\|&(]/.test(last)) return undefined
  const found = Map.groupBy(last.matchAll(names), ([name]) => /^[.#]?/.exec(name)![0])
  return (found.get('#') ?? found.get('.') ?? found.get(''))
    ?.map(([name]) => byName.get(name.toLowerCase()) ?? { count: 1, depth: 1 })
    .reduce((largest, named) => named.count > largest.count ? named : largest)
}

/** The length of a text, in which the cost of each attribute is in brackets. */
const lengthOf = (text: string): number =>
  Array.from(text.matchAll(/\[(\d+)\]/g)).reduce((length, [, cost]) => length + Number(cost), text.length)

/** @returns the comparisons of one element with a list of selectors, in characters */
function costOf(simplified: string, depth: number, costOfOuter: number): number {
  const lists = [{ closed: 0, length: 0, tried: 1 }]
  const endSelector = (list: typeof lists[number]) => {
    list.closed += list.length * list.tried
    Object.assign(list, { length: 0, tried: 1 })
    return list.closed
  }
  for (const text of simplified.split(/(?<=[ (),&])|(?=[ (),&])/)) {
    const list = lists.at(-1)!
    if (text === '(') lists.push({ closed: 0, length: 0, tried: 1 })
    else if (text === ')' && lists.length > 1) lists.at(-2)!.length += endSelector(lists.pop()!)
    else if (text === ',') endSelector(list)
    else list.length += text === '&' ? costOfOuter : lengthOf(text)
    if (text === ' ' || text.endsWith(':lang')) list.tried = depth // a language is that of an element around
  }
  return endSelector(lists[0]!)
}
