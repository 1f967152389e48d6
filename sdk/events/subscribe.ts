import { isPassing } from '../answers.ts'
import { client } from '../client.ts'
import { clock } from '../clock.ts'
import type { Connection } from '../connection.ts'
import { TimeoutError } from '../errors.ts'
import { eventsStream } from '../generated/sdk.gen.ts'
import type { WebhookEvent } from '../generated/types.gen.ts'
import { minPauseMs, sleep, within } from '../retry.ts'
import { streamOf } from '../streams.ts'
import { toEvent } from './event.ts'
import type { MayflyEvent } from './event.ts'
import { streamParser } from './parse-stream.ts'

export interface SubscribeOptions {
  /**
   * Begin after the event that has this `lastEventId`; '0' is before all events that the server keeps. Omitted, with what happens
   * from now on.
   */
  lastEventId?: string
  /** Only these events. Omitted, all. */
  events?: readonly WebhookEvent[]
  /** Ends the subscription; the loop over it ends as if there were no more. */
  signal?: AbortSignal
}

/** Milliseconds without a byte, after which the connection is given up: the server sends a comment every 15 seconds. */
const silenceMs = 45_000
const maxPauseMs = 30_000

const late = () => new TimeoutError('The stream of events is silent')

/** Follows the stream over lost connections. */
export async function* subscribe(
  { open, timeoutMs }: Connection, { signal, events, lastEventId }: SubscribeOptions,
): AsyncGenerator<MayflyEvent, void, undefined> {
  let pauseMs = 1_000
  try {
    for (;;) {
      const headers = lastEventId === undefined ? undefined : { 'Last-Event-ID': lastEventId }
      const stream = await open(
        'events.stream', await eventsStream({ client, headers }), { signal, timeoutMs: Infinity, tryMs: timeoutMs, maxRetries: Infinity },
        async (answer, _, lost) => answer.headers.get('content-type')?.startsWith('text/event-stream') ? streamOf(answer, signal, lost) : undefined,
      )
      const reader = stream.getReader()
      const decoder = new TextDecoder()
      const parse = streamParser()
      try {
        for (;;) {
          const { done, value } = await within({ ms: silenceMs, signal, late }, () => reader.read())
          if (done) break
          for (const block of parse(decoder.decode(value, { stream: true }))) {
            lastEventId = block.id ?? lastEventId
            pauseMs = block.retry ?? pauseMs
            const event = block.data === undefined ? undefined : toEvent(block.data, lastEventId ?? '')
            if (event && (!events || events.includes(event.type))) yield event
          }
        }
      } catch (error) {
        if (!isPassing(error)) throw error
      } finally {
        void reader.cancel().catch(() => {})
      }
      // with jitter, so that not all clients of a restarted server come back at the same moment
      await sleep(Math.max(minPauseMs, Math.min(maxPauseMs, pauseMs) * (0.75 + clock.random() / 4)), signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}
