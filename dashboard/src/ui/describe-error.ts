import { isOffline, isSentence, sentenceOf } from '../api/errors.ts'
import { texts } from '../texts.ts'

/** The member of the request, with which messages of the server about bad input begin; a form shows them beside its fields. */
const member = /^(?:body|query|path)\.\w+: (.)/

/** A sentence that says how it failed and what to do, as errors of the server and the SDK do; any other error is a fault of the page. */
export const describeError = (error: unknown): string =>
  isOffline(error) ? texts.offline.error
    : isSentence(error) ? sentenceOf(error).replace(member, (_, first: string) => first.toUpperCase())
    : typeof error === 'string' ? error
    : texts.errors.fault(error instanceof Error ? error.message : String(error))
