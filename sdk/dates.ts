import { MayflyError } from './errors.ts'
import { maps, times } from './generated/times.gen.ts'

/** Levels of arrays and objects in an answer or an event at most: Mayfly's have less than ten. */
const maxDepth = 64

/**
 * Makes `Date`s of the times in what JSON has given.
 * @throws MayflyError when it is nested more deeply than `maxDepth`
 */
export function withDates<Body>(value: Body, name = '', depth = 0): Body {
  if (depth > maxDepth) throw new MayflyError(`JSON of more than ${maxDepth} levels`)
  if (typeof value === 'string') return (times.includes(name) ? new Date(value) : value) as Body
  if (!maps.includes(name)) for (const key in value) value[key] = withDates(value[key], key, depth + 1)
  return value
}
