import type { RateLimit } from './answers.ts'

/** What came with the answer of a call. */
export interface Answer<Data> {
  data: Data
  response: {
    status: number
    headers: Headers
    /** The `X-Request-Id`, for the server's log. */
    requestId: string | undefined
  }
  /** What is left of the rate limit. Undefined where the answer does not tell. */
  rateLimit: RateLimit | undefined
}

/**
 * What every call returns: a promise of its result.
 * @example
 * const { data, response, rateLimit } = await mayfly.addresses.create().withResponse()
 * console.log(data.address, response.status, response.requestId, rateLimit?.remaining)
 */
export interface MayflyPromise<Data> extends Promise<Data> {
  /** Also gives the answer's status and headers, and what is left of the rate limit. */
  withResponse(): Promise<Answer<Data>>
}

export function toMayflyPromise<Data>(answer: Promise<Answer<Data>>): MayflyPromise<Data> {
  const promise = answer.then(({ data }) => data)
  return Object.assign(promise, {
    withResponse() {
      promise.catch(() => {}) // the other promise reports it
      return answer.then((all) => all)
    },
  })
}
