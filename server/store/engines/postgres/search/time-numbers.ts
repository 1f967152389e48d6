/** Milliseconds since 1970 from which numbers are counted, and numbers of each millisecond. */
const firstTimeMs = Date.UTC(2025, 0)
const numbersPerMs = 16

/** Characters at the start of an id that hold its millisecond. */
const timeLength = '019ceb93-01f0'.length

/** The lowest number that an email with this id may have: numbers increase with ids. */
export function minNumber(emailId: string): number {
  return Math.max(0, parseInt(emailId.slice(0, timeLength).replace('-', ''), 16) - firstTimeMs) * numbersPerMs
}

/** When the email of a number arrived, in milliseconds since 1970. */
export const timeOf = (number: number) => firstTimeMs + Math.floor(number / numbersPerMs)
