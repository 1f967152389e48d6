import type { OpenAPIV3_1 } from 'openapi-types'
import { classicDocument } from '../contract/document.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import type { ErrorBody } from '../contract/types.gen.ts'
import { toClassicAnswer } from './answers.ts'
import { toClassicError } from './errors.ts'
import { toClassicEvents } from './events.ts'
import { classicRequests } from './requests.ts'
import type { RequestConversions } from './requests.ts'

/** A dialect of the API: `classic` is the one of openapi/classic.overlay.yaml. */
export type DialectName = 'primary' | 'classic'

/** The differences of a dialect from the primary one. All functions are pure. */
export interface Dialect {
  /** Read at the first call. */
  document(): OpenAPIV3_1.Document
  /** By operation, the parts of the request that the handler gets, of a request that fits the document of the dialect. */
  toPrimary: RequestConversions
  /** The JSON of a success. @param path the members of the path of the request */
  toAnswer(operationId: OperationId, answer: object, path: Record<string, string>): object
  toError(body: ErrorBody): object
  /** The text of server-sent events: whole lines. */
  toEvents(text: string): string
}

export const dialects: Record<DialectName, Dialect | undefined> = {
  primary: undefined,
  classic: {
    document: classicDocument, toPrimary: classicRequests, toAnswer: toClassicAnswer, toError: toClassicError, toEvents: toClassicEvents,
  },
}

export const dialectHeader = 'X-Mayfly-Dialect'
/** As Node has it. */
export const dialectHeaderName = 'x-mayfly-dialect'

const isDialectName = (text: unknown): text is DialectName => typeof text === 'string' && Object.hasOwn(dialects, text)

/** The dialect of an answer. @param named the header of its request @param ofKey the dialect of its key, where that is known */
export const dialectOf = (named: unknown, ofKey: DialectName = 'primary'): Dialect | undefined => dialects[isDialectName(named) ? named : ofKey]
