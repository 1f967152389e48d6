import type { MayflyEvent } from '@mayfly-mail/sdk'
import { basePath } from './base.ts'
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
 * @returns a function that ends it
 */
export function followEvents(handlers: LiveHandlers): () => void {
  const mode = currentMode()
  const stop = new AbortController()
  const channel = new BroadcastChannel(`mayfly-events${basePath}-${mode}`)
  let state: LiveState = 'connecting'
  let isReader = false
  let lastEventId: string | undefined // a tab that takes over the stream continues after it
  const setState = (next: LiveState) => {
    if (next === 'online' && state === 'offline') handlers.onGap()
    state = next
    handlers.onState(next)
  }
  channel.onmessage = ({ data }: MessageEvent<Shared>) => {
    if ('event' in data) receive(data.event)
    else if ('state' in data) setState(data.state)
    else if (isReader) channel.postMessage({ state } satisfies Shared)
  }
  channel.postMessage({ ask: true } satisfies Shared)
  void whileLeader(mode, stop.signal, async (signal) => {
    if (isReader) { // it was hidden meanwhile
      state = 'connecting'
      handlers.onGap()
    }
    isReader = true
    await readStream(signal)
  })
  return () => {
    stop.abort()
    channel.close()
  }

  function receive(event: MayflyEvent) {
    lastEventId = event.lastEventId
    handlers.onEvent(event)
  }

  function tell(next: LiveState) {
    if (next === state || stop.signal.aborted) return
    setState(next)
    channel.postMessage({ state: next } satisfies Shared)
  }

  async function readStream(signal: AbortSignal) {
    const client = connectWithSession({
      onRequest: () => tell(state === 'online' ? 'offline' : state), // the stream was lost, and is opened again
      onResponse: ({ status }) => { if (status === 200) tell('online') },
      onRetry: () => tell('offline'),
    })
    try {
      for await (const event of client.events.subscribe({ signal, ...lastEventId && { lastEventId } })) {
        receive(event)
        channel.postMessage({ event } satisfies Shared)
      }
    } catch (error) {
      if (leaveWhenSignedOut(error)) return
      tell('offline') // such as a part of the SDK that did not load
      await new Promise((resolve) => { setTimeout(resolve, retryDelayMs) })
      if (!signal.aborted) return readStream(signal)
    }
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
