import type { ErrorBody } from '../contract/types.gen.ts'

/** `{ success: false, error: { code, message, details } }` */
export function toClassicError({ error, code, details }: ErrorBody): object {
  return { success: false, error: { code, message: error, ...details && { details } } }
}
