import type { RateLimit } from './rate-limit.ts'

/** The result of a call, with the details of its answer. */
export interface Answer<Data> {
  data: Data
  response: {
    status: number
    headers: Headers
    /** The `X-Request-Id`, for the server's log. */
    requestId: string | undefined
  }
  /** The rate limit after this call. Undefined where the answer has no such headers. */
  rateLimit: RateLimit | undefined
}

/**
 * The promise of a call's result.
 * @example
 * const { data, response, rateLimit } = await mayfly.addresses.create().withResponse()
 * console.log(data.address, response.status, response.requestId, rateLimit?.remaining)
 */
export interface MayflyPromise<Data> extends Promise<Data> {
  /** Resolves with the result, the answer's status and headers, and the rate limit. */
  withResponse(): Promise<Answer<Data>>
}

export function toMayflyPromise<Data>(answer: Promise<Answer<Data>>): MayflyPromise<Data> {
  const promise = answer.then(({ data }) => data)
  return Object.assign(promise, {
    withResponse() {
      promise.catch(() => {}) // the promise of `answer` reports the error
      return answer.then((result) => result)
    },
  })
}
