import type { RequestOptions } from './options.ts'

/**
 * The client that the functions in `generated/` call. It sends nothing: each function returns an `OperationRequest`, typed by its answer,
 * which `Connection.call` sends.
 */
export const client: Client = {
  get: (input) => ({ method: 'GET', ...input }),
  post: (input) => ({ method: 'POST', ...input }),
  patch: (input) => ({ method: 'PATCH', ...input }),
  delete: (input) => ({ method: 'DELETE', ...input }),
  sse: { get: async (input) => ({ method: 'GET', ...input }) },
}

/** A request to be sent, and the type of its answer. */
export interface OperationRequest<Body> extends RequestParts {
  method: string
  /** For the type alone: never set. */
  answer?: Body
}

interface RequestParts {
  /** The path from `/api/v1` on, with parameters such as `{id}`. */
  url: string
  path?: unknown
  query?: unknown
  body?: unknown
  headers?: unknown
  client?: Client
}

/* eslint-disable @typescript-eslint/no-unused-vars -- the names and the parameters that the generated functions give */
export interface Client {
  get: Send
  post: Send
  patch: Send
  delete: Send
  sse: { get: <Responses, _Errors, _ThrowOnError>(input: RequestParts) => Promise<ServerSentEventsResult<Responses>> }
}

type Send = <Responses, _Errors, _ThrowOnError>(
  input: Omit<OperationRequest<Responses[keyof Responses]>, 'method'>,
) => RequestResult<Responses, _Errors, _ThrowOnError>

export type TDataShape = RequestParts
export type ClientMeta = Record<never, never>
export type Options<Data extends TDataShape, _ThrowOnError, _Response> = Omit<Data, 'url' | 'headers'> & Pick<RequestOptions, 'headers'>
export type RequestResult<Responses, _Errors, _ThrowOnError> = OperationRequest<Responses[keyof Responses]>
export type ServerSentEventsResult<Responses> = OperationRequest<Responses[keyof Responses]>
