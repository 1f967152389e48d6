import { decodeHTMLAttribute } from 'entities/decode'
import { hasNameAt } from './html-elements.ts'

/** The grammar of HTML tags and comments, as the HTML Standard reads them (section 13.2.5). Indexes are those of the source. */

/** The attributes that are read of a tag. */
export type Attributes = { [name in ReadName]: string | undefined } & {
  count: number
  /** The index after the name of the tag. */
  from: number
}

type ReadName = typeof readNames[number]
const readNames = [
  'style', 'class', 'href', 'id', 'bgcolor', 'hidden', 'color', 'background', 'text', 'media', 'alt', 'role', 'type', 'value', 'size', 'open',
  'popover', 'action', 'formaction',
] as const
const namesByLength = Array.from({ length: 11 }, (_, length) => readNames.filter((name) => name.length === length))

export const newAttributes = (): Attributes => ({
  style: undefined, class: undefined, href: undefined, id: undefined, bgcolor: undefined, hidden: undefined, color: undefined,
  background: undefined, text: undefined, media: undefined, alt: undefined, role: undefined, type: undefined, value: undefined,
  size: undefined, open: undefined, popover: undefined, action: undefined, formaction: undefined, count: 0, from: -1,
})

/**
 * Reads the attributes of a tag. Of repeated attributes, the first counts.
 * @param from the index after the name of the tag
 * @param attributes receives them, in place of those that it has
 * @param others receives those with the names that it has
 * @returns the index after the tag; -1 when it does not end
 */
export function readAttributes(source: string, from: number, attributes: Attributes, others?: Map<string, string | null>): number {
  if (attributes.count > 0) clear(attributes)
  attributes.from = from
  let at = from
  while (at < source.length) {
    const code = source.charCodeAt(at)
    if (code === GREATER) return at + 1
    if (code === SLASH || isSpace(code)) {
      at++
      continue
    }
    const nameStart = at
    const nameEnd = endOfAttributeName(source, at)
    let valueStart = nameEnd
    let valueEnd = nameEnd
    at = skipSpace(source, nameEnd)
    if (source.charCodeAt(at) === EQUALS) {
      at = skipSpace(source, at + 1)
      const quote = source.charCodeAt(at)
      if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
        valueStart = at + 1
        valueEnd = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", valueStart)
        if (valueEnd < 0) return -1
        at = valueEnd + 1
      } else {
        valueStart = at
        at = valueEnd = endOfUnquotedValue(source, at)
      }
    }
    const name = readNameAt(source, nameStart, nameEnd)
    const otherName = others && source.slice(nameStart, nameEnd).toLowerCase()
    if (otherName && others.get(otherName) === null) others.set(otherName, decodeHTMLAttribute(source.slice(valueStart, valueEnd)))
    if (!name) continue
    const value = source.slice(valueStart, valueEnd)
    attributes[name] ??= value.includes('&') ? decodeHTMLAttribute(value) : value
    attributes.count++
  }
  return -1
}

export const noOthers: ReadonlyMap<string, string | null> = new Map()
const ofSecondReading = newAttributes()

/** Reads a tag again, for attributes that selectors name. @param names with the value null */
export function readOthers(source: string, { from }: Attributes, names: ReadonlyMap<string, null>): ReadonlyMap<string, string | null> {
  if (names.size === 0) return noOthers
  const others = new Map<string, string | null>(names)
  if (from >= 0) readAttributes(source, from, ofSecondReading, others)
  return others
}

function clear(attributes: Attributes): void {
  attributes.style = attributes.class = attributes.href = attributes.id = attributes.bgcolor = attributes.hidden = undefined
  attributes.color = attributes.background = attributes.text = attributes.media = attributes.alt = attributes.role = undefined
  attributes.type = attributes.value = attributes.size = attributes.open = attributes.popover = undefined
  attributes.action = attributes.formaction = undefined
  attributes.count = 0
}

function readNameAt(source: string, start: number, end: number): ReadName | undefined {
  const candidates = namesByLength[end - start]
  if (candidates) for (const name of candidates) if (hasNameAt(source, start, name)) return name
  return undefined
}

/** Returns the index after the name of a tag. */
export function endOfTagName(source: string, start: number): number {
  let at = start
  while (at < source.length && !endsTagName(source.charCodeAt(at))) at++
  return at
}

/** Returns the index of the closing tag with a name, given in lower case; the end of the source when there is none. */
export function closingTagOf(name: string, source: string, from: number): number {
  for (let at = source.indexOf('</', from); at >= 0; at = source.indexOf('</', at + 2)) {
    if (endsTagName(source.charCodeAt(at + 2 + name.length)) && hasNameAt(source, at + 2, name)) return at
  }
  return source.length
}

/** Returns the index after a declaration, a comment or a CDATA section. @param start the index after "<!" */
export function endOfDeclaration(source: string, start: number): number {
  if (source.charCodeAt(start) === HYPHEN && source.charCodeAt(start + 1) === HYPHEN) return endOfComment(source, start + 2)
  return source.startsWith('[CDATA[', start) ? indexAfter(source, ']]>', start + 7) : indexAfter(source, '>', start)
}

/** Returns the index after a text; the end of the source when it is not there. */
export function indexAfter(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from)
  return at < 0 ? source.length : at + text.length
}

export const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a

export const SLASH = 0x2f
export const QUESTION = 0x3f
export const EXCLAMATION = 0x21
const HYPHEN = 0x2d
const EQUALS = 0x3d
const GREATER = 0x3e
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

const isSpace = (code: number): boolean =>
  code <= 0x20 && (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c)

const endsTagName = (code: number) => code <= GREATER && (code === GREATER || code === SLASH || isSpace(code))

function skipSpace(source: string, from: number): number {
  let at = from
  while (isSpace(source.charCodeAt(at))) at++
  return at
}

/** The first character belongs to the name, whatever it is. */
function endOfAttributeName(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source.charCodeAt(at) !== EQUALS && !endsTagName(source.charCodeAt(at))) at++
  return at
}

function endOfUnquotedValue(source: string, start: number): number {
  let at = start
  while (at < source.length && source.charCodeAt(at) !== GREATER && !isSpace(source.charCodeAt(at))) at++
  return at
}

/** A comment ends with "-->" or "--!>". An empty one may lack hyphens: `<!-->`. */
function endOfComment(source: string, start: number): number {
  if (source.charCodeAt(start) === GREATER) return start + 1
  if (source.startsWith('->', start)) return start + 2
  for (let at = source.indexOf('--', start); at >= 0; at = source.indexOf('--', at)) {
    while (source.charCodeAt(at) === HYPHEN) at++
    if (source.charCodeAt(at) === GREATER) return at + 1
    if (source.startsWith('!>', at)) return at + 2
  }
  return source.length
}
