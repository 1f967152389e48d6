import { invalidRequest } from '../../errors.ts'

/** A query of the search, parsed: an email has to meet all of it. Times are milliseconds since 1970. */
export interface SearchQuery {
  texts: SearchedText[]
  parts: { part: Part, isExcluded: boolean }[]
  isRead?: boolean
  isStarred?: boolean
  /** A size in bytes that an email exceeds. */
  largerThan?: number
  /** A size in bytes that an email does not exceed. No operator sets it. */
  maxSize?: number
  /** It arrived at this time or later. */
  from?: number
  /** It arrived earlier. */
  until?: number
  /** The query contradicts itself. */
  isImpossible?: true
}

/** Words that an email has or, if excluded, not all of which it has. */
export interface SearchedText {
  /** The part of an email with all of the words; 'any' for any part. */
  field: Field | 'any'
  text: string
  /** In quotes: the words follow one another. */
  isPhrase: boolean
  isExcluded: boolean
}

export type Field = 'from' | 'to' | 'subject'
export type Part = 'code' | 'link' | 'attachment'

/** Maximum conditions with a minus sign: each reads a list of the index. */
const maxExcluded = 5

/** A query of words alone, in which no sign has a meaning. */
export const wordsQuery = (text: string): SearchQuery =>
  ({ texts: [{ field: 'any', text, isPhrase: false, isExcluded: false }], parts: [] })

/**
 * Parses a query: words, phrases in quotes, and operators such as `from:shop`, each excluded by a minus sign before it. A colon belongs to
 * a word where no letters alone are before it, or where nothing, a slash or a number is after it: `12:30`, `https://shop.example`,
 * `localhost:3000`, `Re:`.
 * @param path of the member of the request that has the query
 * @throws AppError `INVALID_REQUEST` for an unknown operator, a value that it does not take, and too many exclusions
 */
export function parseSearch(q: string, path: 'query.q' | 'body.q' = 'query.q'): SearchQuery {
  try {
    return parse(q)
  } catch (error) {
    throw error instanceof QueryError ? invalidRequest(path, error.message) : error
  }
}

class QueryError extends Error {}

function parse(q: string): SearchQuery {
  const query: SearchQuery = { texts: [], parts: [] }
  for (const [all, minus, name, quoted, word = ''] of q.trim().matchAll(tokens)) {
    if (all === '') continue // the end
    const [isExcluded, isPhrase, value] = [minus !== undefined, quoted !== undefined, quoted ?? word]
    const operator = name?.toLowerCase() ?? ''
    if (isOperator(operator)) operators[operator](query, value, isExcluded, isPhrase)
    else if (name !== undefined && !ofWord.test(value)) throw unknownOperator(name, value)
    else query.texts.push({ field: 'any', text: name === undefined ? value : `${name}:${value}`, isPhrase, isExcluded })
  }
  const excluded = [...query.texts, ...query.parts].filter(({ isExcluded }) => isExcluded)
  if (excluded.length > maxExcluded) throw invalid(`can exclude ${maxExcluded} conditions at most`)
  return query
}

/** A minus sign, the name of an operator before its colon, and a text: in quotes, whose end can be missing, or up to the next space. */
const tokens = /(-(?=\S))?(?:([a-z]+):)?(?:"([^"]*)"?|(\S*))\s*/giy

/** The text after a colon that belongs to a word. */
const ofWord = /^(?:$|[/\\]|\d+(?:\W|$))/

type Apply = (query: SearchQuery, value: string, isExcluded: boolean, isPhrase: boolean) => void

const inField = (field: Field): Apply => (query, text, isExcluded, isPhrase) => {
  if (text.trim() === '') throw invalid(`\`${field}:\` needs a text right after it, such as ${field}:shop`)
  query.texts.push({ field, text, isPhrase, isExcluded })
}

/** Notes one of two states; both at once are impossible. */
function note(query: SearchQuery, mark: 'isRead' | 'isStarred', state: boolean) {
  if (query[mark] === !state) query.isImpossible = true
  query[mark] = state
}

/** By name, each adds a condition to a query. */
const operators = {
  from: inField('from'),
  to: inField('to'),
  subject: inField('subject'),
  has(query, value, isExcluded) {
    query.parts.push({ part: oneOf('has', ['code', 'attachment', 'link'], value), isExcluded })
  },
  is(query, value, isExcluded) {
    const state = oneOf('is', ['unread', 'read', 'starred'], value)
    if (state === 'starred') note(query, 'isStarred', !isExcluded)
    else note(query, 'isRead', (state === 'read') !== isExcluded)
  },
  before(query, value, isExcluded) {
    query.until = Math.min(query.until ?? Infinity, dayOf('before', value, isExcluded))
  },
  after(query, value, isExcluded) {
    query.from = Math.max(query.from ?? 0, dayOf('after', value, isExcluded))
  },
  larger(query, value, isExcluded) {
    const [, digits, unit = ''] = /^(\d{1,12})(b|kb?|mb?)?$/i.exec(value) ?? []
    if (isExcluded) throw cannotExclude('larger')
    if (digits === undefined) throw invalid('`larger:` takes a size, such as larger:100kb or larger:1mb')
    query.largerThan = Math.max(query.largerThan ?? 0, Number(digits) * (unitBytes[unit[0]?.toLowerCase() ?? ''] ?? 1))
  },
} satisfies Record<string, Apply>

const unitBytes: Record<string, number> = { k: 1_024, m: 1_024 ** 2 }

const isOperator = (name: string): name is keyof typeof operators => Object.hasOwn(operators, name)

function oneOf<Value extends string>(name: string, values: Value[], value: string): Value {
  const found = values.find((each) => each === value.toLowerCase())
  if (!found) throw invalid(`\`${name}:\` takes ${values.slice(0, -1).join(', ')} or ${values.at(-1)!}`)
  return found
}

/** The beginning of a day in UTC. */
function dayOf(name: string, value: string, isExcluded: boolean): number {
  if (isExcluded) throw cannotExclude(name)
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : NaN
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) throw invalid(`\`${name}:\` takes a day, such as ${name}:2026-11-01`)
  return time
}

const invalid = (message: string) => new QueryError(message)

const cannotExclude = (name: string) => invalid(`\`-${name}:\` is not possible`)

const unknownOperator = (name: string, value: string) => invalid(`has an unknown operator, \`${name}:\`. The operators are ` +
  `${Object.keys(operators).map((each) => `${each}:`).join(' ')}. Write a text with a colon in quotes: "${name}:${value}"`)
