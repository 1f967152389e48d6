import { maps, times } from './generated/times.gen.ts'

/** Makes `Date`s of the times in what JSON has given. */
export function withDates<Body>(value: Body, name = ''): Body {
  if (typeof value === 'string') return (times.includes(name) ? new Date(value) : value) as Body
  if (!maps.includes(name)) for (const key in value) value[key] = withDates(value[key], key)
  return value
}
