import { isOffline } from '../api/errors.ts'
import { texts } from '../texts.ts'

/** The member of the request, with which messages of the server about bad input begin; a form shows them beside its fields. */
const member = /^(?:body|query|path)\.\w+: (.)/

/** What went wrong and what to do, in a sentence. The server's own errors are such sentences already. */
export const describeError = (error: unknown): string =>
  isOffline(error) ? texts.offline.error
    : error instanceof Error && error.message ? error.message.replace(member, (_, first: string) => first.toUpperCase())
    : texts.errors.unknown
