import type { IncomingHttpHeaders } from 'node:http'
import type { App, Caller } from '../../context.ts'
import type { operations, OperationId, Operations } from '../../contract/operations.gen.ts'
import type { ChangeRecords } from '../../store/accounts/change-records.ts'

/** A file as an answer. */
export interface Download {
  contentType: string
  filename: string
  /** Bytes. */
  size: number
  content: AsyncIterable<Uint8Array>
}

/** An answer without a body. */
export interface NoContent {
  noContent: true
  headers: Record<string, string>
}

/** JSON with headers of its own. */
export interface WithHeaders<Body> {
  json: Body
  headers: Record<string, string>
}

/** Server-sent events, which come as they happen. */
export interface EventStream {
  eventStream: AsyncIterable<string>
}

/** A request that was let in and is valid: its parts have the types of the document. */
export interface Request<Id extends OperationId> {
  caller: Caller
  path: Defined<Operations[Id]['input']['path']>
  query: Defined<Operations[Id]['input']['query']>
  body: Defined<Operations[Id]['input']['body']>
  headers: IncomingHttpHeaders
  /** Writes the audit rows of the calls before this one. */
  flushAudit(): Promise<void>
  /** Aborted when the caller goes away, or the server closes. */
  readonly gone: AbortSignal
  /**
   * Lets the caller in once more, for an answer that comes later than its request.
   * @throws AppError `INVALID_API_KEY` when the key was revoked meanwhile, `PLAN_REQUIRED`
   */
  admitAgain(): Promise<void>
}

export type Reply<Id extends OperationId> =
  Operations[Id]['reply'] extends Blob | File ? Download
    : (typeof operations)[Id]['isStream'] extends true ? EventStream
      : Id extends 'emails.wait' ? WithHeaders<Operations[Id]['reply']> | NoContent
        : Operations[Id]['reply']

/** An operation that changes nothing. */
export type Read<Id extends OperationId> = (app: App, request: Request<Id>) => Promise<Reply<Id>>

/** An operation that changes something, made by a function of `change.ts`. */
export interface Change<Id extends OperationId> {
  carryOut(app: App, request: Request<Id>, recording: Recording): Promise<Reply<Id>>
  /** Answers the same request sent again, and changes nothing. @param answer the stored answer, parsed */
  repeat(app: App, request: Request<Id>, answer: unknown): Promise<Reply<Id>>
}

/** The audit record, and the row of the `Idempotency-Key`, of a change. */
export interface Recording {
  /** Makes the records. @param answer stored with the key, for `repeat` */
  recordsOf(answer: unknown): ChangeRecords
  /** To be called when the transaction that inserts them is committed. */
  noteCommitted(): void
}

/** One for each operation of the document: a missing one does not compile. */
export type Handlers = {
  [Id in OperationId]: (typeof operations)[Id]['method'] extends 'get' ? Read<Id> : Change<Id>
}

type Defined<T> = Exclude<T, undefined>
