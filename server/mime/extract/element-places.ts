import { elementNamed, hashOf } from './html-elements.ts'
import type { HtmlElement } from './html-elements.ts'
import type { Compound, Descendants } from './selectors.ts'

/** The members of an element by which selectors match it. */
export interface Matched {
  /** The hash of its name. */
  tag: number
  id: string
  class: string
  /** The attributes that selectors of the page name, by their names, with the values of this element; null where it has none. */
  others: ReadonlyMap<string, string | null>
  /** Null where no selector of the page depends on it. */
  place: Place | null
}

/** The elements in one, or those next to one without an element around them. */
export interface Children {
  count: number
  /** By the hash of the name. */
  counts: Map<number, number>
  last: Matched | null
  /** The rows of a table that are in no part of it: browsers make one for them. */
  rows: Children | null
  /** Those of `:has` that match elements in it. */
  found: Set<Descendants>
  /** The same children when the page was read before; null in the first reading. */
  known: Children | null
}

/** The place of an element among its siblings. */
export interface Place {
  siblings: Children
  index: number
  indexOfType: number
  tag: number
  previous: Matched | null
  /** The elements in it. */
  children: Children
}

const [html, head, body, table, tr] = ['html', 'head', 'body', 'table', 'tr'].map(elementNamed)
const ofHead = ['meta', 'link', 'base', 'style', 'title', 'script', 'noscript', 'template'].map(elementNamed)
const tbodyTag = hashOf('tbody', 0, 5)

interface Around { element: HtmlElement, matched: Matched }

/** Follows the places of the elements of a page. */
export class ElementPlaces {
  /** In the order in which the elements begin, which is the same in each reading of a page. */
  readonly all: Children[] = []
  readonly #known: readonly Children[]
  /** The elements of the body, whose tag can be missing. */
  readonly #ofBody: Children
  readonly #ofPage: Children

  /** @param known those of an earlier reading */
  constructor(known: readonly Children[]) {
    this.#known = known
    this.#ofPage = this.#newChildren()
    this.#ofBody = this.#newChildren()
  }

  /**
   * Adds an element to those in the one around it.
   * @param around the innermost open element; undefined outside of elements
   * @returns null for an element of the head
   */
  add(matched: Matched, element: HtmlElement, around: Around | undefined): Place | null {
    const siblings = this.#siblingsOf(element, around)
    const children = element === body ? this.#ofBody : this.#newChildren()
    if (siblings === this.#ofBody && siblings.count === 0 && around?.element !== body && ofHead.includes(element)) return null
    const previous = siblings.last
    const indexOfType = count(siblings, matched.tag)
    siblings.last = matched
    return { siblings, index: siblings.count, indexOfType, tag: matched.tag, previous, children }
  }

  #siblingsOf(element: HtmlElement, around: Around | undefined): Children {
    if (element === html || element === head || element === body) return this.#ofPage
    const children = around?.matched.place?.children
    if (!around || !children || around.element === html || around.element === head) return this.#ofBody
    if (around.element !== table) return children
    if (element !== tr) children.rows = null
    else if (!children.rows) {
      count(children, tbodyTag)
      children.rows = this.#newChildren()
    }
    return children.rows ?? children
  }

  #newChildren(): Children {
    const known = this.#known[this.all.length] ?? null
    const children: Children = { count: 0, counts: new Map(), last: null, rows: null, found: new Set(), known }
    this.all.push(children)
    return children
  }
}

/** @returns the index of the new one, among those with its name */
function count(siblings: Children, tag: number): number {
  siblings.count++
  const index = (siblings.counts.get(tag) ?? 0) + 1
  siblings.counts.set(tag, index)
  return index
}

/** Whether the pseudo-classes of a compound match an element by its place. */
export function isAtPlace({ nths, descendants }: Compound, place: Place | null): boolean {
  if (nths.length === 0 && descendants.length === 0) return true
  if (!place) return false
  const { known } = place.siblings
  const isNth = nths.every(({ step, offset, isOfType, isFromEnd }) => {
    const index = isOfType ? place.indexOfType : place.index
    const total = isOfType ? known?.counts.get(place.tag) : known?.count
    const rest = (isFromEnd ? (total ?? NaN) + 1 - index : index) - offset
    return step === 0 ? rest === 0 : rest / step >= 0 && rest % step === 0
  })
  return isNth && descendants.every((one) => place.children.known?.found.has(one))
}
