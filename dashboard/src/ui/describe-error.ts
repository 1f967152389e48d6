import { isOffline, isSentence, sentenceOf } from '../api/errors.ts'
import { texts } from '../texts.ts'

/** The member of the request, with which messages of the server about bad input begin; a form shows them beside its fields. */
const member = /^(?:body|query|path)\.\w+: (.)/

/** What went wrong and what to do, in a sentence. Errors of the server and the SDK are such already; any other is a fault of the page. */
export const describeError = (error: unknown): string =>
  isOffline(error) ? texts.offline.error
    : isSentence(error) ? sentenceOf(error).replace(member, (_, first: string) => first.toUpperCase())
    : typeof error === 'string' ? error
    : texts.errors.fault(error instanceof Error ? error.message : String(error))
