import { isAtPlace } from './element-places.ts'
import type { Matched } from './element-places.ts'
import type { Attribute, Compound, Selector } from './selectors.ts'

/** Whether selectors match elements. */

/** The keys of selectors that can match an element. */
export const keysOf = ({ tag, id, class: classes }: Matched): string[] =>
  ['*', String(tag), ...(id ? [`#${id}`] : []), ...new Set(classes.split(/\s+/).filter(Boolean).map((part) => `.${part}`))]

/** The names of the attributes by which a selector matches. */
export const attributesOf = ({ compounds }: Pick<Selector, 'compounds'>): string[] =>
  compounds.flatMap(({ attributes, lists }) => [...attributes.map(({ name }) => name), ...lists.flatMap(attributesOf)])

/** Whether its last compound matches an element, regardless of the place of the element. */
export const matchesLast = ({ compounds }: Selector, element: Matched): boolean => matchesCompound(compounds.at(-1)!, element, false)

/** The comparisons of a compound with an element that were made; up to the maximum, they can be tried in any order. */
export interface Work { comparisons: number, max: number }

/** Whether a selector whose last compound matches an element matches it by its place, too. @param ancestors from the root on */
export function matchesPlace({ compounds }: Selector, element: Matched, ancestors: readonly Matched[], work: Work): boolean {
  const last = compounds.at(-1)!
  return (!last.isPlaced || matchesCompound(last, element, true)) && matchesBefore(compounds.length - 1, element, ancestors.length)

  /** Whether the compounds before one match elements around, or before, the element that matches this one. @param depth its ancestors */
  function matchesBefore(index: number, { place }: Matched, depth: number): boolean {
    if (index === 0) return true
    const compound = compounds[index - 1]!
    const { relation } = compound
    const matches = (other: Matched, depthOfOther: number): boolean => {
      work.comparisons += 1 + compound.cost
      return work.comparisons <= work.max && matchesCompound(compound, other, true) && matchesBefore(index - 1, other, depthOfOther)
    }
    if (relation === '>') return depth > 0 && matches(ancestors[depth - 1]!, depth - 1)
    if (relation === '+') return Boolean(place?.previous && matches(place.previous, depth))
    if (relation === '~') {
      for (let at = place?.previous; at && work.comparisons <= work.max; at = at.place?.previous) if (matches(at, depth)) return true
      return false
    }
    for (let at = depth - 1; at >= 0 && work.comparisons <= work.max; at--) if (matches(ancestors[at]!, at)) return true
    return false
  }
}

/** @param withPlace whether pseudo-classes of its place count */
export function matchesCompound(compound: Compound, element: Matched, withPlace: boolean): boolean {
  const { tag, id, classes, attributes, lists } = compound
  return (tag === null || tag === element.tag) && (id === null || id === element.id)
    && classes.every((one) => hasWord(compared(element.class), one))
    && attributes.every((attribute) => matchesAttribute(attribute, element))
    && (!withPlace || isAtPlace(compound, element.place))
    && lists.every(({ compounds, isNot, isPlaced }) =>
      (isPlaced && !withPlace) || compounds.some((one) => matchesCompound(one, element, withPlace)) !== isNot)
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
