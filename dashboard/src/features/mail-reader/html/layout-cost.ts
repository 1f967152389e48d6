import { costOfWords, maxWordCost } from './word-cost.ts'

/** Maximum different characters of all fonts: a browser looks for a font for each that most fonts do not have. */
export const maxCharacters = 10_000

/** Maximum characters, each times the inline elements around it, of which each line has a box. */
const maxInlineCost = 2_000_000

/** Maximum boxes that float: for each the browser compares the places that those before it leave, again at each scale. */
const maxFloats = 1_000

/** Characters that most fonts have. */
const usual = /[\0-\u024f]+/g

/** Properties by which fonts differ. */
const fontProperties = [
  'font-family', 'font-size', 'font-weight', 'font-style', 'font-stretch', 'font-variant-caps', 'font-kerning', '-webkit-font-smoothing',
]

/**
 * Whether the layout would stop the page for seconds: fonts for so many characters are to be found, text is within so many inline
 * elements, words are too long, or so many boxes float.
 * @param shown without a layout
 */
export function isSlowToLayOut(shown: Document): boolean {
  const view = shown.defaultView!
  const characters = new Set<string>()
  const depths = new Map<Element, number>()
  const nodes = shown.createTreeWalker(shown.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  let inlineCost = 0
  let floats = 0
  let wordCost = 0
  while (nodes.nextNode()) {
    const node = nodes.currentNode as Element | Text
    const parent = node.parentElement!
    if ('localName' in node) {
      const { display, float } = view.getComputedStyle(node)
      floats += float === 'none' ? 0 : 1
      if (floats > maxFloats) return true
      if (display === 'inline') depths.set(node, (depths.get(parent) ?? 0) + 1)
      wordCost += costOfWords(node.getAttribute('alt') ?? '')
      continue
    }
    if (parent.localName !== 'style') wordCost += costOfWords(node.data)
    inlineCost += node.data.length * (depths.get(parent) ?? 0)
    const unusual = node.data.replaceAll(usual, '')
    const font = unusual && fontOf(parent, view)
    for (const character of unusual) characters.add(`${font}\n${character}`)
    if (inlineCost > maxInlineCost || characters.size > maxCharacters) return true
  }
  return wordCost > maxWordCost
}

/** @returns different texts for different fonts */
function fontOf(element: Element, view: Window): string {
  const style = view.getComputedStyle(element)
  const language = element.closest<HTMLElement>('[lang]')?.lang ?? ''
  return [language, ...fontProperties.map((property) => style.getPropertyValue(property))].join('\n')
}

/** @returns the index of the different character after so many others; undefined when the text has fewer */
export function findUnusual(text: string, after: number): number | undefined {
  const counted = new Set<string>()
  for (const { 0: character, index } of text.matchAll(/[^\0-\u024f]/gu)) {
    if (counted.add(character).size > after) return index
  }
  return undefined
}
