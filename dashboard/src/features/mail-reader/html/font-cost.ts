/** Maximum different characters of all fonts: a browser looks for a font for each that most fonts do not have. */
export const maxCharacters = 10_000

/** Characters that most fonts have. */
const usual = /[\0-\u024f]+/g

/** What makes a font another one. */
const fontProperties = ['font-family', 'font-size', 'font-weight', 'font-style', 'font-stretch', 'font-variant-caps', 'font-kerning', '-webkit-font-smoothing']

/** Whether fonts for so many characters are to be found that the layout would stop the page for seconds. @param shown without a layout */
export function hasManyFonts(shown: Document): boolean {
  const counted = new Set<string>()
  const nodes = shown.createTreeWalker(shown.documentElement, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const node = nodes.currentNode as Text
    const unusual = node.data.replaceAll(usual, '')
    if (!unusual) continue
    const parent = node.parentElement!
    const style = shown.defaultView!.getComputedStyle(parent)
    const language = parent.closest<HTMLElement>('[lang]')?.lang ?? ''
    const font = [language, ...fontProperties.map((property) => style.getPropertyValue(property))].join('\n')
    for (const character of unusual) counted.add(`${font}\n${character}`)
    if (counted.size > maxCharacters) return true
  }
  return false
}

/** @returns the index of the different character after so many others; undefined when the text has fewer */
export function findUnusual(text: string, after: number): number | undefined {
  const counted = new Set<string>()
  for (const { 0: character, index } of text.matchAll(/[^\0-\u024f]/gu)) {
    if (counted.add(character).size > after) return index
  }
  return undefined
}
