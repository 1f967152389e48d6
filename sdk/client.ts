import type { RequestOptions } from './options.ts'

/**
 * The client that the functions in `generated/` are made for. It sends nothing: each of them returns what is to be sent,
 * typed by what will come back, and `Connection.call` sends it.
 */
export const client: Client = {
  get: (wanted) => ({ method: 'GET', ...wanted }),
  post: (wanted) => ({ method: 'POST', ...wanted }),
  patch: (wanted) => ({ method: 'PATCH', ...wanted }),
  delete: (wanted) => ({ method: 'DELETE', ...wanted }),
  sse: { get: async (wanted) => ({ method: 'GET', ...wanted }) },
}

/** A request to be sent, and what its answer holds. */
export interface Wanted<Body> extends Parts {
  method: string
  /** Only a type. */
  answer?: Body
}

interface Parts {
  /** From `/api/v1` on, with `{id}` and the like. */
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
  sse: { get: <Responses, _Errors, _ThrowOnError>(wanted: Parts) => Promise<ServerSentEventsResult<Responses>> }
}

type Send = <Responses, _Errors, _ThrowOnError>(
  wanted: Omit<Wanted<Responses[keyof Responses]>, 'method'>,
) => RequestResult<Responses, _Errors, _ThrowOnError>

export type TDataShape = Parts
export type ClientMeta = Record<never, never>
export type Options<Data extends TDataShape, _ThrowOnError, _Response> = Omit<Data, 'url' | 'headers'> & Pick<RequestOptions, 'headers'>
export type RequestResult<Responses, _Errors, _ThrowOnError> = Wanted<Responses[keyof Responses]>
export type ServerSentEventsResult<Responses> = Wanted<Responses[keyof Responses]>
