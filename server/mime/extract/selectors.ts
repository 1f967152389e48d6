import { hashOf } from './html-elements.ts'

/** The members of an element by which selectors match it. */
export interface Matched {
  /** The hash of its name. */
  tag: number
  id: string
  class: string
  /** The attributes that selectors of the page name, by their names, with the values of this element; null where it has none. */
  others: ReadonlyMap<string, string | null>
}

/** Compounds such as "p.note", each an ancestor of the next one. */
export interface Selector {
  compounds: Compound[]
  /** Whether it matches exactly these elements; else it matches only some of them. */
  isExact: boolean
  specificity: number
  /** The first requirement of its last compound, as a key of an index. */
  key: string
}

interface Compound { tag: number | null, id: string | null, classes: string[], attributes: Attribute[], isParent: boolean }
interface Attribute { name: string, operator: string, value: string, ignoresCase: boolean }

/** Attributes whose values browsers compare regardless of the case (HTML Standard, section 4.16.2), of those that mails have. */
const ignoringCase = new Set(['align', 'bgcolor', 'color', 'dir', 'face', 'lang', 'media', 'rel', 'target', 'text', 'type', 'valign'])

const name = String.raw`((?:[\w-]|[^\x00-\x7f]|\\.)+)`
const token = new RegExp([
  String.raw`\s*([>+~])\s*|(\s+)|(\*)|#${name}|\.${name}`,
  String.raw`|\[\s*([a-z][\w-]*)\s*(?:([~^$*|]?=)\s*(?:"([^"]*)"|'([^']*)'|([^"'\s\]]+))\s*(?:\s([is])\s*)?)?\]|(\[)[^[\]]*\]`,
  String.raw`|(::?)([\w-]+)(?:\([^()]*\))?|${name}`,
].join(''), 'yi')
const pseudoElement = /^(?:before|after|first-l(?:etter|ine))$/
const simple = /^(?:\.([\w-]+)|([a-z][a-z\d]*))$/i
/** Names that Chromium does not know make the whole rule invalid. */
const foreign = /^-(?:moz|ms|o)-/

/** @returns `none` for a pseudo-element, `invalid` when a browser refuses the rule, or this function does not understand it */
export function readSelector(text: string): Selector | 'none' | 'invalid' {
  const [, onlyClass, onlyTag] = simple.exec(text) ?? [] // as most are
  if (onlyClass) return { compounds: [{ ...newCompound(), classes: [onlyClass] }], isExact: true, specificity: 1_000, key: `.${onlyClass}` }
  if (onlyTag) {
    const tag = hashOf(onlyTag, 0, onlyTag.length)
    return { compounds: [{ ...newCompound(), tag }], isExact: true, specificity: 1, key: String(tag) }
  }
  let compounds = [newCompound()]
  let isExact = true
  let [ids, classes, tags] = [0, 0, 0]
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const found = token.exec(text)
    if (!found) return 'invalid'
    const [, combinator, space, all, id, className, attribute, operator, quoted, apostrophized, bare, flag, ...others] = found
    const [otherAttribute, colons, pseudo, tag] = others
    const compound = compounds.at(-1)!
    if (combinator === '+' || combinator === '~') {
      isExact = false
      compounds = [newCompound()] // siblings are not known
    } else if (combinator || space) {
      compound.isParent = combinator === '>'
      if (!compound.isParent && compounds.at(-2)?.isParent) { // would need backtracking
        isExact = false
        compounds = [compound]
      }
      compounds.push(newCompound())
    } else if (id) [compound.id, ids] = [withoutEscapes(id), ids + 1]
    else if (className) classes = compound.classes.push(withoutEscapes(className)) && classes + 1
    else if (tag) [compound.tag, tags] = [hashOf(tag, 0, tag.length), tags + 1]
    else if (colons === '::' || (pseudo && pseudoElement.test(pseudo))) return foreign.test(pseudo!) ? 'invalid' : 'none'
    else if (!all) {
      if (pseudo && foreign.test(pseudo)) return 'invalid'
      classes++
      if (attribute) {
        const name = attribute.toLowerCase()
        const value = quoted ?? apostrophized ?? bare ?? ''
        if (operator && value === '') isExact = false // it may have had a brace
        else compound.attributes.push({ name, operator: operator ?? '', value, ignoresCase: flag?.toLowerCase() === 'i' || ignoringCase.has(name) })
      } else if (pseudo || otherAttribute) isExact = false
    }
  }
  const last = compounds.at(-1)!
  return { compounds, isExact, specificity: (ids * 1_000 + classes) * 1_000 + tags, key: keyOf(last) }
}

const newCompound = (): Compound => ({ tag: null, id: null, classes: [], attributes: [], isParent: false })
const withoutEscapes = (text: string) => text.replaceAll('\\', '')

function keyOf({ id, classes, tag }: Compound): string {
  return id !== null ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : tag !== null ? String(tag) : '*'
}

/** The keys of selectors that can match an element. */
export const keysOf = ({ tag, id, class: classes }: Matched): string[] =>
  ['*', String(tag), ...(id ? [`#${id}`] : []), ...new Set(classes.split(/\s+/).filter(Boolean).map((part) => `.${part}`))]

/** The names of the attributes by which a selector matches. */
export const attributesOf = ({ compounds }: Selector): string[] => compounds.flatMap(({ attributes }) => attributes.map(({ name }) => name))

export const matchesLast = ({ compounds }: Selector, element: Matched): boolean => matchesCompound(compounds.at(-1)!, element)

/** @param ancestors from the root on */
export function matchesAncestors({ compounds }: Selector, ancestors: readonly Matched[]): boolean {
  let at = ancestors.length - 1
  for (let i = compounds.length - 2; i >= 0; i--, at--) {
    const compound = compounds[i]!
    if (!compound.isParent) while (at >= 0 && !matchesCompound(compound, ancestors[at]!)) at--
    if (at < 0 || !matchesCompound(compound, ancestors[at]!)) return false
  }
  return true
}

function matchesCompound({ tag, id, classes, attributes }: Compound, element: Matched): boolean {
  return (tag === null || tag === element.tag) && (id === null || id === element.id)
    && classes.every((one) => hasWord(compared(element.class), one))
    && attributes.every((attribute) => matchesAttribute(attribute, element))
}

/** The part of the value of an attribute that selectors are compared with: each rule would search a long one for each element. */
const compared = (value: string) => value.length > maxComparedLength ? value.slice(0, maxComparedLength) : value

const maxComparedLength = 1_000

function matchesAttribute({ name, operator, value: wanted, ignoresCase }: Attribute, element: Matched): boolean {
  const given = element.others.get(name) ?? null
  if (given === null || operator === '') return given !== null
  const actual = ignoresCase ? compared(given).toLowerCase() : compared(given)
  const value = ignoresCase ? wanted.toLowerCase() : wanted
  if (operator === '=') return actual === value
  if (operator === '|=') return actual === value || actual.startsWith(`${value}-`)
  if (operator === '~=') return hasWord(actual, value)
  return operator === '*=' ? actual.includes(value) : operator === '^=' ? actual.startsWith(value) : actual.endsWith(value)
}

/** Whether a list of words, separated by white space, has a word. */
function hasWord(list: string, word: string): boolean {
  for (let at = list.indexOf(word); at >= 0; at = list.indexOf(word, at + 1)) {
    const end = at + word.length
    if ((at === 0 || list.charCodeAt(at - 1) <= 0x20) && (end === list.length || list.charCodeAt(end) <= 0x20)) return true
  }
  return false
}
