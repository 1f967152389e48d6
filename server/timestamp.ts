import { dayMs } from './durations.ts'

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

let knownDay = NaN
let prefix = ''

/**
 * A time as the API shows it: ISO 8601 in UTC with milliseconds. A list holds many of them, mostly of few days,
 * and this takes a fraction of what Date takes.
 * @param time milliseconds since 1970; null for none
 */
export function timestamp(time: number): string
export function timestamp(time: number | null): string | null
export function timestamp(time: number | null): string | null {
  if (time === null) return null
  const today = Math.floor(time / dayMs)
  if (today !== knownDay) {
    knownDay = today
    prefix = new Date(today * dayMs).toISOString().slice(0, 11)
  }
  const rest = time - today * dayMs
  const seconds = Math.floor(rest / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${prefix}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${String(rest % 1000).padStart(3, '0')}Z`
}

/** The day in UTC, YYYY-MM-DD. @param time milliseconds since 1970 */
export const dayOf = (time: number): string => timestamp(time).slice(0, 10)
