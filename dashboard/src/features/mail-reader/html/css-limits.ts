import { maxLinesOfPart } from './css-allowed.ts'
import { lengthOf } from './html-cost.ts'
import { costOfRule, openSelectorCost } from './selector-cost.ts'

/**
 * Siblings (`~`, `:nth-child(1 of i)`), and selectors within selectors: a browser compares each element with many others. Few clients of
 * mail know them. Nor do they know parts such as `::marker`.
 */
const costlySelector = /:has\(|~(?!=)|:nth-[a-z-]+\([^)]*\sof\s|(?:\([^(]*){4}|::(?!before|after|first-l)/i

const generatedPart = /::(?:before|after)/

/** Maximum style rules within each other, whose selectors are combined. */
const maxRuleDepth = 3

/** Maximum cost of all rules of a mail (`selector-cost.ts`). */
const maxCost = 500_000_000

/** Maximum blocks and brackets within each other. Parsers of browsers call themselves for each, and crash at some ten thousand. */
const maxDepth = 50

/** Escapes of the letters of `url`. */
const [u, r, l] = [['u', '[57]5'], ['r', '[57]2'], ['l', '[46]c']]
  .map(([letter, code]) => String.raw`(?:\\?${letter}|\\0{0,4}${code}\s?)`) as [string, string, string]

/** All but brackets: URLs without quotes, escapes with their name, strings, comments (CSS Syntax Module, section 4.3). */
const tokens = new RegExp([
  String.raw`(?<![\w\u0080-\uffff-])${u}${r}${l}\(\s*(?!["'\s])(?:[^)\\]|\\[^])*\)?`,
  String.raw`\\(?:[0-9a-f]{1,6}\s?|[^])[\w-]*`,
  String.raw`"(?:[^"\\\n]|\\[^])*"?`,
  String.raw`'(?:[^'\\\n]|\\[^])*'?`,
  String.raw`/\*[^]*?(?:\*/|$)`,
].join('|'), 'gi')

const closers: Record<string, string> = { '{': '}', '(': ')', '[': ']' }

/** Whether blocks or brackets of a style sheet or of declarations are nested too deeply for a parser. */
export function isTooDeep(css: string): boolean {
  const open: string[] = []
  for (const [bracket] of css.replaceAll(tokens, ' ').matchAll(/[{}()[\]]/g)) {
    const closer = closers[bracket]
    if (closer) open.push(closer)
    else if (open.at(-1) === bracket) open.pop()
    if (open.length > maxDepth) return true
  }
  return false
}

/** Maximum cost to paint all declarations of a mail (`costOf`). */
export const maxPaintCost = 2_000

/** Maximum cost of the selectors by which the elements of costly rules are counted. */
const maxCountCost = 20_000_000

/** States that a layout can end and begin: it moves the element away from the pointer, and back. */
const pointedAt = /:(?:hover|active|focus)/i

/** Properties that leave all elements in their places. */
const still = /color$|^(?:background|text-decoration)-|^(?:box-shadow|cursor|opacity)$/

/** Maximum characters, and elements as so many characters each, of a mail whose layout may be done again and again. */
const maxRepeated = 20_000
const charactersOfElement = 10

/** Limits what the style sheets and style attributes of a mail cost in all. */
export interface StyleBudget {
  /** Whether one more rule may be shown. */
  admitRule: (rule: CSSRule) => boolean
  /**
   * Whether a property may be in a rule: a layout that is repeated while the pointer rests must be quick, and `layout-cost.ts` does not
   * count parts of elements that float.
   */
  admitProperty: (rule: CSSRule, property: string) => boolean
  /** Whether one more declaration may be shown. @param cost for all elements that have it */
  admitPainting: (cost: number) => boolean
  /** The maximum number of times that a declaration of a rule is painted: once for each element, or for each line of generated content. */
  countPainted: (rule: CSSRule, property: string) => number
}

export function openStyleBudget(root: Element): StyleBudget {
  const elements = root.getElementsByTagName('*').length + 1
  const isRepeated = elements * charactersOfElement + lengthOf(root) <= maxRepeated
  const costOfSelector = openSelectorCost(root)
  let cost = 0
  let paintCost = 0
  let countCost = 0
  return {
    admitRule(rule) {
      const selector = rule instanceof CSSStyleRule ? rule.selectorText : ''
      if (costlySelector.test(selector) || depthOf(rule) > maxRuleDepth) return false
      const costOfRule = costOfSelector(rule)
      if (cost + costOfRule > maxCost) return false
      cost += costOfRule
      return true
    },
    admitProperty: (rule, property) =>
      (isRepeated || still.test(property) || !rulesAround(rule).some(({ selectorText }) => pointedAt.test(selectorText)))
      && !(property === 'float' && rulesAround(rule).some(({ selectorText }) => selectorText.includes('::'))),
    admitPainting(cost) {
      if (paintCost + cost > maxPaintCost) return false
      paintCost += cost
      return true
    },
    countPainted(rule, property) {
      const selector = rule instanceof CSSStyleRule && depthOf(rule) === 1 ? rule.selectorText : undefined
      const isCounted = selector !== undefined && (countCost += Math.max(costOfSelector(rule), elements * costOfRule)) <= maxCountCost
      const lines = selector === undefined || generatedPart.test(selector) ? maxLinesOfPart(property) : 1
      return lines * ((isCounted ? countSelected(root, selector) : undefined) ?? elements)
    },
  }
}

/** Leaves out states, such as `:hover`, and parts of elements. @returns undefined for selectors that would match less then, or are slow */
function countSelected(root: Element, selector: string): number | undefined {
  if (/[(\\]/.test(selector) || selector.includes('[') && selector.includes(':')) return undefined
  try {
    return root.querySelectorAll(selector.replaceAll(/::?[\w-]+/g, '')).length + 1
  } catch {
    return undefined // the selector had nothing but states and parts
  }
}

/** The number of style rules around a rule, itself included. */
const depthOf = (rule: CSSRule): number => rulesAround(rule).length

/** The style rules around a rule, itself included. */
function rulesAround(rule: CSSRule): CSSStyleRule[] {
  const rules: CSSStyleRule[] = []
  for (let around: CSSRule | null = rule; around; around = around.parentRule) if (around instanceof CSSStyleRule) rules.push(around)
  return rules
}
