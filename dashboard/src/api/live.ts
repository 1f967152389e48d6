import type { MayflyEvent } from '@mayfly-mail/sdk'
import { basePath } from './base.ts'
import { takeLastEventId } from './in-page.ts'
import { currentMode } from './mode.ts'
import type { Mode } from './mode.ts'
import { leaveWhenSignedOut } from './query-client.ts'
import { connectWithSession } from './session.ts'

/** Delay before the stream is opened again after an error that the SDK does not retry. */
const retryDelayMs = 5_000

/** Whether the stream of events is open: `offline` after it was lost, until it is open again. */
export type LiveState = 'connecting' | 'online' | 'offline'

interface LiveHandlers {
  onEvent(event: MayflyEvent): void
  onState(state: LiveState): void
  /** Events may have been missed: everything has to be loaded again. */
  onGap(): void
}

type Shared = { event: MayflyEvent } | { state: LiveState } | { ask: true }

/**
 * Follows the events of the account. All tabs of a browser share one connection, since HTTP/1.1 allows six for each host: the tab with the
 * lock reads the stream and tells the others over a channel.
 */
export class LiveEvents {
  readonly #handlers: LiveHandlers
  readonly #channel: BroadcastChannel
  readonly #stop = new AbortController()
  #state: LiveState = 'connecting'
  /** Whether this tab reads the stream, or has read it. */
  #isReader = false
  /** A tab that takes over the stream continues after this event. */
  #lastEventId: string | undefined

  constructor(handlers: LiveHandlers) {
    const mode = currentMode()
    this.#handlers = handlers
    this.#lastEventId = mode === 'live' ? takeLastEventId() : undefined
    this.#channel = new BroadcastChannel(`mayfly-events${basePath}-${mode}`)
    this.#channel.onmessage = ({ data }: MessageEvent<Shared>) => this.#hear(data)
    this.#channel.postMessage({ ask: true } satisfies Shared)
    void whileLeader(mode, this.#stop.signal, (signal) => this.#lead(signal))
  }

  close(): void {
    this.#stop.abort()
    this.#channel.close()
  }

  #hear(data: Shared) {
    if ('event' in data) this.#receive(data.event)
    else if ('state' in data) this.#setState(data.state)
    else if (this.#isReader) this.#channel.postMessage({ state: this.#state } satisfies Shared)
  }

  #receive(event: MayflyEvent) {
    this.#lastEventId = event.lastEventId
    this.#handlers.onEvent(event)
  }

  #setState(next: LiveState) {
    if (next === 'online' && this.#state === 'offline') this.#handlers.onGap()
    this.#state = next
    this.#handlers.onState(next)
  }

  async #lead(signal: AbortSignal) {
    if (this.#isReader) { // it was hidden meanwhile
      this.#state = 'connecting'
      this.#handlers.onGap()
    }
    this.#isReader = true
    await this.#readStream(signal)
  }

  async #readStream(signal: AbortSignal): Promise<void> {
    const client = connectWithSession({
      onRequest: () => this.#tell(this.#state === 'online' ? 'offline' : this.#state), // the stream was lost, and is opened again
      onResponse: ({ status }) => { if (status === 200) this.#tell('online') },
      onRetry: () => this.#tell('offline'),
    })
    const lastEventId = this.#lastEventId
    try {
      for await (const event of client.events.subscribe({ signal, ...lastEventId && { lastEventId } })) {
        this.#receive(event)
        this.#channel.postMessage({ event } satisfies Shared)
      }
    } catch (error) {
      if (leaveWhenSignedOut(error)) return
      this.#tell('offline') // such as a part of the SDK that did not load
      await new Promise((resolve) => { setTimeout(resolve, retryDelayMs) })
      if (!signal.aborted) return this.#readStream(signal)
    }
  }

  #tell(next: LiveState) {
    if (next === this.#state || this.#stop.signal.aborted) return
    this.#setState(next)
    this.#channel.postMessage({ state: next } satisfies Shared)
  }
}

type Lead = (signal: AbortSignal) => Promise<void>

/** Runs `lead` in one tab at a time; without locks (a page over plain HTTP) in each tab while it is shown. */
async function whileLeader(mode: Mode, signal: AbortSignal, lead: Lead) {
  if (!('locks' in navigator)) return whileShown(signal, lead)
  // eslint-disable-next-line no-restricted-properties -- the line before has the other way
  await navigator.locks.request(`mayfly-events${basePath}-${mode}`, { signal }, () => lead(signal)).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

function whileShown(signal: AbortSignal, lead: Lead) {
  let hidden = new AbortController()
  const follow = () => {
    hidden.abort()
    hidden = new AbortController()
    if (document.visibilityState === 'visible') void lead(AbortSignal.any([signal, hidden.signal]))
  }
  document.addEventListener('visibilitychange', follow, { signal })
  follow()
}
