import type { Mode } from './schema.ts'

/** Whose data an event, a row or a caller belongs to: test data and live data of an account never meet. */
export interface Owner {
  accountId: string
  mode: Mode
}
