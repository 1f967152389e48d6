import { hourMs } from '../../server/clock.ts'

/** The "now" of the document's examples: their past events are earlier, planned events and expiries later. A test checks that. */
export const exampleNow = '2026-03-14T09:34:00.000Z'

/** Interval at which a running mock updates its shift: not for each request, so that its answers agree. */
const renewMs = hourMs

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
const wholeTime = new RegExp(`^${time.source}$`)
const timesInText = new RegExp(time, 'g')
const timestampsInText = /(?<="timestamp":)\d+/g

/** @returns a function that returns the milliseconds from `exampleNow` to now */
export function exampleShift(now: () => number): () => number {
  const startMs = now()
  return () => startMs + Math.floor((now() - startMs) / renewMs) * renewMs - Date.parse(exampleNow)
}

/** Shifts every member that is a time. Times within a text, such as the source of a mail, stay. */
export function shiftTimes<T>(value: T, shiftMs: number): T {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) =>
    typeof member === 'string' && wholeTime.test(member) ? shifted(member, shiftMs) : member) as T
}

/** Shifts the times of server-sent events, which are JSON within text. */
export function shiftEvents(text: string, shiftMs: number): string {
  return text
    .replaceAll(timesInText, (time) => shifted(time, shiftMs))
    .replaceAll(timestampsInText, (timestamp) => String(Number(timestamp) + shiftMs))
}

/**
 * Shifts a cursor back to the time of the examples. Clients make cursors of the times in answers, which were shifted.
 * @param cursor the id of an example is returned unchanged
 */
export function cursorOfExamples(cursor: string, shiftMs: number): string {
  const ms = Number.parseInt(cursor.slice(0, 13).replace('-', ''), 16)
  if (!(ms > Date.parse(exampleNow))) return cursor.toLowerCase()
  const hex = Math.max(0, ms - shiftMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${cursor.slice(13)}`.toLowerCase()
}

const shifted = (time: string, shiftMs: number) => new Date(Date.parse(time) + shiftMs).toISOString()
