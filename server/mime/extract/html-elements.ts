/** An element that is of importance for the text or the links of a page. */
export interface HtmlElement {
  name: string
  /** Before and after its content. */
  lineBreaks: number
  isHidden: boolean
  /** Without tags, the content ends at the closing tag only: `text` has entities, `raw` has none, `rest` is the whole rest of the page. */
  content: 'tags' | 'text' | 'raw' | 'rest'
}

const lineBreaks: Record<number, string> = {
  1: 'br div tr li table section header footer article center dt dd',
  2: 'p h1 h2 h3 h4 h5 h6 ul ol blockquote pre hr',
}
const hidden = words('script style title noscript template iframe noembed noframes')
const contents: Partial<Record<HtmlElement['content'], string>> = {
  text: 'title textarea', raw: 'script style xmp iframe noembed noframes', rest: 'plaintext',
}
const others = 'a img td th'

function words(list: string): string[] {
  return list.split(' ')
}

function elementOf(name: string): HtmlElement {
  const content = (Object.keys(contents) as HtmlElement['content'][]).find((kind) => words(contents[kind]!).includes(name))
  return {
    name, content: content ?? 'tags', isHidden: hidden.includes(name),
    lineBreaks: Number(Object.keys(lineBreaks).find((count) => words(lineBreaks[Number(count)]!).includes(name)) ?? 0),
  }
}

const names = [...Object.values(lineBreaks), ...Object.values(contents), others].flatMap(words).concat(hidden)
/** By the hash of its name, in which these names differ: this is faster than to cut out the name of each tag and make it lower case. */
const elements = new Map(names.map((name) => [hashOf(name, 0, name.length), elementOf(name)]))

/** Returns the element whose name, in any case, stands between two indexes; undefined for any other name. @param hash that of the name */
export function elementAt(source: string, start: number, end: number, hash: number): HtmlElement | undefined {
  const element = elements.get(hash)
  return element && element.name.length === end - start && hasNameAt(source, start, element.name) ? element : undefined
}

/** Whether a name, given in lower case, stands at an index in any case. */
export function hasNameAt(source: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = source.charCodeAt(start + i)
    const lower = code >= 0x41 && code <= 0x5a ? code | 0x20 : code
    if (lower !== name.charCodeAt(i)) return false
  }
  return true
}

/** A hash of the name, in any case, between two indexes. */
export function hashOf(source: string, start: number, end: number): number {
  let hash = 0
  for (let i = start; i < end; i++) hash = Math.imul(hash, 31) + (source.charCodeAt(i) | 0x20) | 0
  return hash
}
