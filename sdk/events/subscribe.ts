import { clock } from '../core/clock.ts'
import { attemptTimeoutMs } from '../core/connection.ts'
import type { Connection } from '../core/connection.ts'
import { TimeoutError } from '../core/errors.ts'
import { isTransient, minPauseMs, sleep, within } from '../core/retry.ts'
import { readStream } from '../core/streams.ts'
import { checkNames } from '../core/unknown-names.ts'
import type { WebhookEvent } from '../generated/types.gen.ts'
import { checkTypes, readEvent } from './event.ts'
import type { MayflyEvent } from './event.ts'
import { streamParser } from './parse-stream.ts'

export interface SubscribeOptions {
  /**
   * Begin after the event with this `lastEventId`; '0' is before all events that the server keeps. Default: only new events.
   */
  lastEventId?: string
  /** Only events of these types. Default: all. */
  events?: readonly WebhookEvent[]
  /** Ends the subscription, and the loop over it without an error. */
  signal?: AbortSignal
}

const optionNames = { lastEventId: true, events: true, signal: true } satisfies Record<keyof SubscribeOptions, true>

/** The connection is closed after this time without a byte: the server sends a comment every 15 seconds. */
const silenceMs = 45_000
const maxPauseMs = 30_000

const timeoutError = () => new TimeoutError('The stream of events is silent')

/** Follows the stream of events and reconnects when the connection is lost. */
export async function* subscribe(
  { open, timeoutMs }: Connection, options: SubscribeOptions,
): AsyncGenerator<MayflyEvent, void, undefined> {
  checkNames(options, optionNames, 'events.subscribe')
  const { signal, events } = options
  let { lastEventId } = options
  if (events !== undefined) checkTypes(events)
  let pauseMs = 1_000
  try {
    for (;;) {
      const headers = lastEventId === undefined ? undefined : { 'Last-Event-ID': lastEventId }
      const stream = await open(
        'events.stream', { headers },
        { signal, timeoutMs: Infinity, [attemptTimeoutMs]: timeoutMs, maxRetries: Infinity },
        async (answer, _, fail) => isEventStream(answer) ? readStream(answer, signal, fail) : undefined,
      )
      const reader = stream.getReader()
      const decoder = new TextDecoder()
      const parse = streamParser()
      try {
        for (;;) {
          const { done, value } = await within({ timeoutMs: silenceMs, signal, timeoutError }, () => reader.read())
          if (done) break
          for (const block of parse(decoder.decode(value, { stream: true }))) {
            lastEventId = block.id ?? lastEventId
            pauseMs = block.retry ?? pauseMs
            const event = block.data === undefined ? undefined : readEvent(block.data, lastEventId ?? '')
            if (event && (!events || events.includes(event.type))) yield event
          }
        }
      } catch (error) {
        if (!isTransient(error)) throw error
      } finally {
        void reader.cancel().catch(() => {})
      }
      // with jitter, so that the clients of a restarted server do not return all at once
      await sleep(Math.max(minPauseMs, Math.min(maxPauseMs, pauseMs) * (0.75 + clock.random() / 4)), signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

const isEventStream = ({ headers }: Response) => headers.get('content-type')?.startsWith('text/event-stream')
