import { findRun, findTurn, maxTextLength, maxTurns } from './text-turns.ts'

/** Maximum characters of HTML that are shown. */
const maxLength = 2_000_000

/** Maximum tags that are shown: more would stop the page for seconds. */
const maxTags = 100_000

/** Maximum attributes of one tag: the parser compares each with those before it. */
const maxAttributes = 20_000

/** Maximum reads of a character, on average: those of tags within tags are read again. */
const maxReads = 4

const tagName = /<[a-z][^\s/>]*/gi

/** An attribute, as the tokenizer of HTML reads it. @see WHATWG HTML, "Tokenization" */
const attribute = /[\s/]*[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"?|'[^']*'?|[^\s>"'][^\s>]*)?)?/y

/** Whether the browser would need seconds to parse and to show the HTML. Takes linear time. */
export const isCostly = (html: string): boolean =>
  html.length > maxLength || isMoreThan(html.matchAll(/</g), maxTags) || hasManyAttributes(html)

/** Whether a tag has more than `maxAttributes`. Each `<` before a letter counts as a tag, also in comments, styles and attribute values. */
function hasManyAttributes(html: string): boolean {
  let reads = 0
  for (const { 0: name, index } of html.matchAll(tagName)) {
    const start = index + name.length
    attribute.lastIndex = start
    let end = start
    for (let count = 0; attribute.test(html); count++) {
      if (count >= maxAttributes) return true
      end = attribute.lastIndex
    }
    reads += end - start
    if (reads > maxReads * html.length) return true
  }
  return false
}

function isMoreThan(found: IteratorObject<unknown>, max: number): boolean {
  for (let count = 0; count <= max; count++) if (found.next().done) return false
  return true
}

/** Maximum elements within each other: a browser lays out each within the layout of its parent, and crashes at about 350 of some kinds. */
const maxDepth = 256

/** Maximum columns and rows by the spans of cells, beyond the first of each. */
const maxSpans = 100_000

/** Maximum elements, each counted as many times as its layout takes longer than that of most. */
const maxWeight = 100_000
/** Of a quotation the browser counts those around it again for each one before, of an item with a number all items after it. */
const weights: Record<string, number> = { q: 100, details: 25, img: 10, li: 5 }
const weightOfNumberedItem = 50

/**
 * Whether the browser would need seconds to lay out the parsed HTML, or crash. Not for HTML that `isCostly` refuses.
 * @param root outside of any document that is shown
 */
export function isCostlyTree(root: Element): boolean {
  const rows = root.getElementsByTagName('tr').length
  const depths = new Map<Element | null, number>()
  let spans = 0
  let weight = 0
  for (const element of root.getElementsByTagName('*')) {
    const depth = (depths.get(element.parentElement) ?? 0) + 1
    depths.set(element, depth)
    spans += spansOf(element, rows)
    weight += element instanceof HTMLLIElement && element.hasAttribute('value') ? weightOfNumberedItem : weights[element.localName] ?? 1
    if (depth > maxDepth || spans > maxSpans || weight > maxWeight) return true
  }
  if (lengthOf(root) > maxTextLength || findRun(root.textContent) !== undefined) return true
  const isolated = root.querySelectorAll('bdi, bdo, [dir]').length
  return isolated > maxTurns || findTurn(root.textContent, maxTurns - isolated) !== undefined
}

/** @returns the number of characters without style sheets */
export const lengthOf = (root: Element): number =>
  Array.from(root.getElementsByTagName('style')).reduce((length, { textContent }) => length - textContent.length, root.textContent.length)

function spansOf(element: Element, rows: number): number {
  if (element instanceof HTMLTableColElement) return element.span - 1
  if (!(element instanceof HTMLTableCellElement)) return 0
  return element.colSpan - 1 + Math.max(0, Math.min(element.rowSpan, rows) - 1)
}
