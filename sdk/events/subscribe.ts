import { open } from '../call.ts'
import type { Connection } from '../connection.ts'
import { ApiError, NetworkError, RateLimitError, ServerError, TimeoutError } from '../errors.ts'
import type { WebhookEvent } from '../generated/types.gen.ts'
import { sleep } from '../sleep.ts'
import { toEvent } from './event.ts'
import type { MayflyEvent } from './event.ts'
import { streamParser } from './parse-stream.ts'
import type { StreamBlock } from './parse-stream.ts'

export interface SubscribeOptions {
  /** Begin after the event that has this `lastEventId`. Omitted, with what happens from now on. */
  lastEventId?: string
  /** Only these events. Omitted, all. */
  events?: readonly WebhookEvent[]
  /** Ends the subscription; the loop over it ends as if there were no more. */
  signal?: AbortSignal
}

/** Milliseconds without a sign of life, which the server gives every 15 seconds, after which the connection is given up. */
const silenceMs = 45_000
const longestRetryMs = 30_000

/**
 * Follows the stream over lost connections. The client for event streams that is generated from the document is not used:
 * it tries a refused key for ever, takes the end of a connection for the end of the events, and cannot be ended while it pauses.
 */
export async function* subscribe(connection: Connection, options: SubscribeOptions): AsyncGenerator<MayflyEvent, void, undefined> {
  const { signal, events } = options
  const ended = new AbortController()
  const end = () => ended.abort()
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  let { lastEventId } = options
  let retryMs = 1_000
  let failures = 0
  try {
    while (!ended.signal.aborted) {
      let delay = retryMs
      try {
        for await (const block of connect(connection, lastEventId, ended.signal)) {
          failures = 0
          lastEventId = block.id ?? lastEventId
          retryMs = block.retry ?? retryMs
          const event = block.data === undefined ? undefined : toEvent(block.data, lastEventId ?? '')
          if (event && (!events || events.includes(event.type))) yield event
        }
        delay = retryMs
      } catch (error) {
        if (ended.signal.aborted) return
        if (!isPassing(error)) throw error
        delay = (error instanceof ApiError ? error.retryAfterMs : undefined) ?? retryMs * 2 ** failures++
      }
      // not all clients of a server that was away come back at the same moment
      await sleep(Math.min(longestRetryMs, delay) * (0.75 + Math.random() / 4), ended.signal).catch(() => {})
    }
  } finally {
    end()
    signal?.removeEventListener('abort', end)
  }
}

/** One connection, until it ends. */
async function* connect(connection: Connection, lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<StreamBlock> {
  const body = await open(connection, (request) => connection.client.get({
    ...request,
    url: '/api/v1/events',
    security: [{ scheme: 'bearer', type: 'http' }],
    headers: lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
  }), 'text/event-stream', { signal })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const parse = streamParser()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  if (signal.aborted) cancel()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      timer = setTimeout(cancel, silenceMs)
      const { done, value } = await reader.read()
      clearTimeout(timer)
      if (done) return
      yield* parse(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    throw new NetworkError(`The stream of events from ${connection.baseUrl} was lost`, { cause: error })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** Faults that may be over at the next try. */
const isPassing = (error: unknown) =>
  error instanceof NetworkError || error instanceof TimeoutError || error instanceof RateLimitError
  || error instanceof ServerError && error.code !== 'NOT_IMPLEMENTED'
