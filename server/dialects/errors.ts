import type { ErrorBody } from '../contract/types.gen.ts'
import { secondsPerHour } from './requests.ts'

/** `{ success: false, error: { code, message, details } }` */
export function toClassicError({ error, code, details }: ErrorBody): object {
  const message = inHours(error)
  return {
    success: false,
    error: { code, message, ...details && { details: details.map(({ path, message }) => ({ path, message: inHours(message) })) } },
  }
}

/** The maximum lifetime of a plan, which the domain gives in seconds. */
const inHours = (text: string) => text.replace(/<= (\d+), the longest lifetime in seconds/, (_, seconds: string) =>
  `<= ${Number(seconds) / secondsPerHour}, the longest lifetime in hours`)
