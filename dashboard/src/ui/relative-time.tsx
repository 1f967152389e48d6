import { useSyncExternalStore } from 'react'
import { locale } from '../language.ts'
import { texts } from '../texts.ts'

const formats = {
  relative: new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }),
  exact: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
}
const units = [['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3_600], ['minute', 60], ['second', 1]] as const

/** One timer for all times of the page. */
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function listen(listener: () => void) {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present time in ms since 1970, in steps. @param stepSeconds the component is drawn again only after so many seconds */
export const useNow = (stepSeconds = 1): number =>
  useSyncExternalStore(listen, () => Math.floor(now / 1_000 / stepSeconds) * stepSeconds * 1_000)

/** Seconds after which relative times are drawn again; until then, a time that has just passed is later than `useNow`. */
const stepSeconds = 10

/** `5 min. ago`, `in 3 hr.`; the exact time on hover. */
export function RelativeTime({ at }: { at: Date | string }) {
  const date = new Date(at)
  const seconds = Math.round((date.getTime() - useNow(stepSeconds)) / 1_000)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  const text = seconds > -10 && seconds <= stepSeconds ? texts.now : formats.relative.format(Math.trunc(seconds / size), unit)
  return <time dateTime={date.toISOString()} title={formats.exact.format(date)}>{text}</time>
}

/** `2 d 4 h`, `59:03`: the time that is left, counting down. Empty when it is over. */
export function TimeLeft({ until }: { until: Date | string }) {
  const date = new Date(until)
  const seconds = Math.floor((date.getTime() - useNow()) / 1_000)
  return <time dateTime={date.toISOString()} title={formats.exact.format(date)}>{formatSeconds(seconds)}</time>
}

export function formatSeconds(seconds: number): string {
  if (seconds <= 0) return ''
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60]
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`
}
