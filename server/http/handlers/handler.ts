import type { IncomingHttpHeaders } from 'node:http'
import type { App, Caller } from '../../context.ts'
import type { OperationId, operations, Operations } from '../../contract/operations.gen.ts'
import type { AuditEntry } from '../../store/accounts/audit-logs.ts'
import type { ChangeRecords } from '../../store/accounts/idempotency-keys.ts'

/** An answer that is a file. */
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

/** Server-sent events, sent as they occur. */
export interface EventStream {
  eventStream: AsyncIterable<string>
}

/** An authorized and valid request: its parts have the types of the document. */
export interface ApiRequest<Id extends OperationId> {
  /** Undefined for an operation that is called without a key and without a session. */
  caller: (typeof operations)[Id]['isPublic'] extends true ? undefined : Caller
  path: Defined<Operations[Id]['input']['path']>
  query: Defined<Operations[Id]['input']['query']>
  body: Defined<Operations[Id]['input']['body']>
  headers: IncomingHttpHeaders
  /** The client from which the request came, and the cookie of its session. */
  client(): { ipAddress: string, userAgent: string | null, replaces: string | undefined }
  /** Sets the cookie of the session in the answer; null removes it. */
  setSession(cookie: string | null): void
  /** Makes the audit record of a request without a caller, which its own transaction inserts. @param reply its `data.id` is the resource */
  auditOf(caller: Caller, reply: unknown): AuditEntry
  /** Writes the audit rows of the calls before this one. */
  flushAudit(): Promise<void>
  /**
   * Ends the request's share of its account's turns, for a handler that waits for seconds: other requests of the account go on.
   * @returns a signal that aborts when the caller disconnects, or the server closes
   */
  beginWait(): AbortSignal
  /**
   * Checks key or session, role, plan and scope again after a wait, in a turn of the account.
   * @throws AppError `INVALID_API_KEY` when the key was revoked, or the session ended or was switched to another account meanwhile,
   * `PLAN_REQUIRED`, `MISSING_SCOPE`
   */
  reauthorize(): Promise<void>
}

export type ApiReply<Id extends OperationId> =
  Operations[Id]['reply'] extends Blob | File ? Download
    : (typeof operations)[Id]['isStream'] extends true ? EventStream
      : Id extends 'emails.wait' ? WithHeaders<Operations[Id]['reply']> | NoContent
        : Operations[Id]['reply']

/** An operation that changes nothing, or one without a caller, to which an `Idempotency-Key` does not apply. */
export type Read<Id extends OperationId> = (app: App, request: ApiRequest<Id>) => Promise<ApiReply<Id>>

/** An operation that changes something, made by a function of `change.ts`. */
export interface Change<Id extends OperationId> {
  carryOut(app: App, request: ApiRequest<Id>, unit: UnitOfWork): Promise<ApiReply<Id>>
  /** Answers the same request sent again, and changes nothing. @param stored the stored answer, parsed */
  repeat(app: App, request: ApiRequest<Id>, stored: unknown): Promise<ApiReply<Id>>
}

/** The one transaction of a change: it also inserts the audit record and the row of the `Idempotency-Key`. */
export interface UnitOfWork {
  /** Whether it may use the disk space that is reserved for deletions. */
  usesReserve: boolean
  /** Makes the records that it inserts. @param stored answer that is stored with the key, for `repeat` */
  recordsOf(stored: unknown): ChangeRecords
  /** To be called when it is committed. */
  markCommitted(): void
}

/** A handler for each operation of the document: a missing one does not compile. */
export type Handlers = {
  [Id in OperationId]: (typeof operations)[Id]['method'] extends 'get' ? Read<Id> : (typeof operations)[Id]['isPublic'] extends true ? Read<Id> : Change<Id>
}

/** The handlers of the operations whose ids begin with a group, such as `addresses`. */
export type HandlersOf<Group extends string> = Pick<Handlers, Extract<OperationId, `${Group}.${string}`>>

type Defined<T> = Exclude<T, undefined>
