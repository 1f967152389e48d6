/** The time, as a value that tests replace by a clock of their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `task` once at a time in milliseconds since 1970, or soon if it has passed. @returns a function that cancels this */
  at(time: number, task: () => void): () => void
  /** Set for the clock of a machine, which others do not share. A database for several nodes corrects it: `store/database.ts`. */
  isOfMachine?: boolean
}

/** Node fires a longer timer at once. */
const maxTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  isOfMachine: true,
  now: Date.now,
  at(time, task) {
    let timer: NodeJS.Timeout
    const arm = () => {
      const left = time - Date.now()
      timer = left > maxTimerMs ? setTimeout(arm, maxTimerMs) : setTimeout(task, Math.max(0, left))
      timer.unref()
    }
    arm()
    return () => clearTimeout(timer)
  },
}

/** Calls `task` again and again. @returns a function that ends this */
export function atIntervals(clock: Clock, intervalMs: number, task: () => void): () => void {
  let cancel = () => {}
  const plan = () => {
    cancel = clock.at(clock.now() + intervalMs, () => {
      plan()
      task()
    })
  }
  plan()
  return () => cancel()
}

/** Durations in milliseconds. */
export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Maximum days whose text is kept. A list has few, such as those of creation and expiry. */
const maxDays = 64

const texts = (count: number, digits: number, end: string) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0') + end)

const hours = texts(24, 2, ':')
const minutes = texts(60, 2, ':')
const seconds = texts(60, 2, '.')
const milliseconds = texts(1000, 3, 'Z')
const days = new Map<number, string>()

/**
 * A time as the API shows it: ISO 8601 in UTC with milliseconds. A list holds many of them, and this takes a fraction of what Date takes.
 * @param time milliseconds since 1970; null for none
 */
export function timestamp(time: number): string
export function timestamp(time: number | null): string | null
export function timestamp(time: number | null): string | null {
  if (time === null) return null
  const day = Math.floor(time / dayMs)
  const ms = time - day * dayMs
  const minute = Math.floor(ms / 60_000)
  const hour = Math.floor(minute / 60)
  return (days.get(day) ?? addDay(day)) + hours[hour]! + minutes[minute - 60 * hour]! +
    seconds[Math.floor(ms / 1000) - 60 * minute]! + milliseconds[ms % 1000]!
}

/** The day in UTC, YYYY-MM-DD. @param time milliseconds since 1970 */
export const dayOf = (time: number): string => timestamp(time).slice(0, 10)

function addDay(day: number): string {
  const text = new Date(day * dayMs).toISOString().slice(0, 11)
  if (days.size >= maxDays) days.clear()
  days.set(day, text)
  return text
}
