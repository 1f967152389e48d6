import type { IncomingHttpHeaders } from 'node:http'
import type { App, Caller } from '../../context.ts'
import type { OperationId, operations, Operations } from '../../contract/operations.gen.ts'

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

/** Keeps what a thread makes from being made twice. */
export interface Plan {
  /** The id that an earlier try has noted. What has it may be there or not: that try got no answer. */
  before: string | undefined
  /** Notes the id of what is going to be made. */
  note(id: string): Promise<void>
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
  /** There when the request may be repeated, and a thread makes what it asks for. */
  plan: Plan | undefined
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

/** One for each operation of the document: a missing one does not compile. */
export type Handlers = {
  [Id in OperationId]: (app: App, request: Request<Id>) => Promise<Reply<Id>>
}

type Defined<T> = Exclude<T, undefined>
