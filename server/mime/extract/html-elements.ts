import { tableOf } from '../table-of.ts'

/** An element that is of importance for the text, the links or the visibility of a page. */
export interface HtmlElement {
  name: string
  /** Its number, 0 for all elements that are not named here. */
  index: number
  /** Before and after its content. */
  lineBreaks: number
  /** Whether no browser shows its content. */
  isHidden: boolean
  /** Without tags, the content ends at the closing tag only: `text` has entities, `raw` has none, `rest` is the whole rest of the page. */
  content: 'tags' | 'text' | 'raw' | 'rest'
  isVoid: boolean
  /** Whether a page has only one, around everything. */
  isRoot: boolean
  /** How it is shown without a style. */
  display: 'inline' | 'block' | 'table'
  /** Open elements that end where it begins (HTML Standard, section 13.2.6.4). */
  closes: readonly HtmlElement[]
  /** Whether an element around it is not closed within it. */
  isScope: boolean
  /** Whether it has margins above and below. */
  hasMargins: boolean
  /** Whether browsers show something else in place of its content: always, or in SVG. */
  isReplaced: 'never' | 'always' | 'in SVG'
  /** Declarations of browsers. */
  css: string
}

const words = (list: string): string[] => list.split(' ')

const lineBreaks: Record<number, string[]> = {
  1: words('br div tr li table section header footer article center dt dd address aside caption details dialog fieldset figcaption figure form hgroup legend main menu nav '
    + 'summary'),
  2: words('p h1 h2 h3 h4 h5 h6 ul ol blockquote pre hr'),
}
const hidden = words('script style title noscript template iframe noembed noframes')
const contents: Partial<Record<HtmlElement['content'], string[]>> = {
  text: words('title textarea'), raw: words('script style xmp iframe noembed noframes'), rest: ['plaintext'],
}
const voids = words('area base br col embed hr img input link meta param source track wbr')
const tableParts = words('thead tbody tfoot caption tr td th')
const endingParagraphs = words('address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 '
  + 'header hgroup hr li main menu nav ol p pre section summary ul listing xmp dd dt table plaintext')
const roots = words('html body')
const controls = words('button input select textarea')
const scopes = words('table caption td th button object marquee foreignobject')
const closed: Record<string, string[]> = tableOf({
  a: ['a'], li: ['li', 'p'], dd: words('dd dt p'), dt: words('dd dt p'), td: words('td th'), th: words('td th'), tr: words('tr td th caption'),
  ...Object.fromEntries(words('thead tbody tfoot caption').map((name) => [name, tableParts])),
})
const others = words('head font mark sup datalist svg foreignobject')
const replaced = words('audio video canvas meter progress')
/** Elements of SVG whose texts are no part of the drawing. */
const replacedInSvg = words('defs symbol desc metadata clippath mask pattern marker')
/** Elements of HTML that end an SVG in which they begin (HTML Standard, section 13.2.6.5). */
const endingSvg = words('b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small '
  + 'span strong strike sub sup table tt u ul var')
const css: Record<string, string> = tableOf({
  ...Object.fromEntries(words('pre listing').map((name) => [name, 'white-space:pre;'])),
  svg: 'display:inline-block;overflow:hidden;',
  ...Object.fromEntries(words('dialog datalist').map((name) => [name, 'display:none;'])),
  mark: 'color:#000;background:#ff0;',
  ...Object.fromEntries(controls.map((name) => [name, `color:#000;background:${name === 'button' ? '#eee' : '#fff'};font-size:13px;text-indent:0;`])),
})

function elementOf(name: string, index: number): HtmlElement {
  const content = (Object.keys(contents) as HtmlElement['content'][]).find((kind) => contents[kind]!.includes(name))
  const isOfTable = name === 'table' || tableParts.includes(name)
  return {
    name, index, css: css[name] ?? '', content: content ?? 'tags', isHidden: hidden.includes(name), isVoid: voids.includes(name), isRoot: roots.includes(name), isScope: scopes.includes(name), closes: [],
    hasMargins: [...lineBreaks[2]!, 'dl', 'figure', 'fieldset'].includes(name),
    isReplaced: replaced.includes(name) ? 'always' : replacedInSvg.includes(name) ? 'in SVG' : 'never',
    lineBreaks: Number(Object.keys(lineBreaks).find((count) => lineBreaks[Number(count)]!.includes(name)) ?? 0),
    display: isOfTable ? 'table' : [...roots, ...controls, ...endingParagraphs].includes(name) ? 'block' : 'inline',
  }
}

/** Every element that is not named here. */
const otherElement = elementOf('', 0)

const names = new Set([
  ...Object.values(lineBreaks), ...Object.values(contents), hidden, voids, tableParts, endingParagraphs, roots, controls, scopes,
  replaced, replacedInSvg, endingSvg,
  Object.keys(closed), others,
].flat())
/** By the hash of its name, in which these names differ: this is faster than to cut out the name of each tag and make it lower case. */
const elements = new Map([...names].map((name, i) => [hashOf(name, 0, name.length), elementOf(name, i + 1)]))
export const elementCount = elements.size + 1
for (const element of elements.values()) {
  const own = closed[element.name] ?? (endingParagraphs.includes(element.name) ? ['p'] : [])
  element.closes = [...own, ...(endingSvg.includes(element.name) ? ['svg'] : [])].map(elementNamed)
}

export function elementNamed(name: string): HtmlElement {
  return elements.get(hashOf(name, 0, name.length))!
}

/** The elements that may stand before the content of a page. */
export const beforeContent: readonly HtmlElement[] = ['html', 'head', 'meta', 'link', 'base'].map(elementNamed)

/** Returns the element whose name, in any case, stands between two indexes. @param hash that of the name */
export function elementAt(source: string, start: number, end: number, hash: number): HtmlElement {
  const element = elements.get(hash)
  return element && element.name.length === end - start && hasNameAt(source, start, element.name) ? element : otherElement
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
  for (let i = start; i < end; i++) hash = nextHash(hash, source.charCodeAt(i))
  return hash
}

export function nextHash(hash: number, code: number): number {
  return Math.imul(hash, 31) + (code | 0x20) | 0
}
