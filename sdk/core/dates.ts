import { maps, times } from '../generated/times.gen.ts'
import { MayflyError } from './errors.ts'

/** Maximum nesting of arrays and objects in an answer or an event: those of Mayfly have less than ten levels. */
const maxDepth = 64

/**
 * Replaces the times in parsed JSON by `Date`s.
 * @throws MayflyError when it is nested more deeply than `maxDepth`
 */
export function withDates<Body>(value: Body, name = '', depth = 0): Body {
  if (depth > maxDepth) throw new MayflyError(`JSON of more than ${maxDepth} levels`)
  if (typeof value === 'string') return (times.includes(name) ? new Date(value) : value) as Body
  if (!maps.includes(name)) for (const key in value) value[key] = withDates(value[key], key, depth + 1)
  return value
}
