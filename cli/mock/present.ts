/**
 * The time at which the examples of the document are true: what is done lies before it, what is planned or still valid after it.
 * A test compares it with every example.
 */
export const examplePresent = '2026-03-14T09:34:00.000Z'

/** Milliseconds for which the times of a running mock stay as they are, so that its answers agree with one another. */
const renewMs = 3_600_000

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
const wholeTime = new RegExp(`^${time.source}$`)
const timesInText = new RegExp(time, 'g')
const timestampsInText = /(?<="timestamp":)\d+/g

/** @returns a function that tells how many milliseconds the examples have to be moved to be true now */
export function presentShift(now: () => number): () => number {
  const startMs = now()
  return () => startMs + Math.floor((now() - startMs) / renewMs) * renewMs - Date.parse(examplePresent)
}

/** Moves every member that is a time. Times within texts stay, as those of a mail are its sender's. */
export function moveTimes<T>(value: T, shiftMs: number): T {
  return JSON.parse(JSON.stringify(value), (_name, member: unknown) =>
    typeof member === 'string' && wholeTime.test(member) ? moved(member, shiftMs) : member) as T
}

/** Moves the times of events, which are JSON within text. */
export function moveEvents(text: string, shiftMs: number): string {
  return text
    .replaceAll(timesInText, (time) => moved(time, shiftMs))
    .replaceAll(timestampsInText, (timestamp) => String(Number(timestamp) + shiftMs))
}

/**
 * A cursor in the time of the examples. Clients make cursors of times that answers have told, and these were moved.
 * @param cursor an id of an example is returned as it is
 */
export function cursorOfExamples(cursor: string, shiftMs: number): string {
  const ms = Number.parseInt(cursor.slice(0, 13).replace('-', ''), 16)
  if (!(ms > Date.parse(examplePresent))) return cursor.toLowerCase()
  const hex = Math.max(0, ms - shiftMs).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${cursor.slice(13)}`.toLowerCase()
}

const moved = (time: string, shiftMs: number) => new Date(Date.parse(time) + shiftMs).toISOString()
