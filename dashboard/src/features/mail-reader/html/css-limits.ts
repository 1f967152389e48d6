/** Siblings (`~`), and selectors within selectors: a browser compares each element with many others. Few clients of mail know them. */
const costlySelector = /:has\(|~(?!=)|(?:\([^(]*){4}/i

/** Style rules within each other, whose selectors are combined. */
const maxRuleDepth = 3

/** The cost of a rule is the length of its selector, plus `costOfRule` for its declarations, times the number of elements. */
const costOfRule = 20
/** Maximum cost of all rules of a mail. */
const maxCost = 500_000_000

/** Blocks and brackets within each other. Parsers of browsers call themselves for each, and crash at some ten thousand. */
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

/** Tells whether one more rule may be shown. */
export type AdmitRule = (rule: CSSRule) => boolean

/** @param elements number of elements of the mail */
export function openStyleBudget(elements: number): AdmitRule {
  let cost = 0
  return (rule) => {
    const selector = rule instanceof CSSStyleRule ? rule.selectorText : ''
    if (costlySelector.test(selector) || depthOf(rule) > maxRuleDepth) return false
    return (cost += (selector.length + costOfRule) * (elements + 1)) <= maxCost
  }
}

/** The number of style rules around a rule, itself included. */
function depthOf(rule: CSSRule): number {
  let depth = 0
  for (let around: CSSRule | null = rule; around; around = around.parentRule) depth += Number(around instanceof CSSStyleRule)
  return depth
}
