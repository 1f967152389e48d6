import { isOffline } from '../api/errors.ts'
import { texts } from '../texts.ts'

/** What went wrong and what to do, in a sentence. The server's own errors are such sentences already. */
export const describeError = (error: unknown): string =>
  isOffline(error) ? texts.offline.error : error instanceof Error && error.message ? error.message : texts.errors.unknown
