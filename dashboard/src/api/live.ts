import type { MayflyEvent } from '@mayfly-mail/sdk'
import { basePath } from './base.ts'
import { isSignedOut } from './errors.ts'
import { currentMode } from './mode.ts'
import type { Mode } from './mode.ts'
import { connectWithSession } from './session.ts'

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
  void whileLeader(mode, stop.signal, () => {
    isReader = true
    return readStream()
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

  async function readStream() {
    const client = connectWithSession({
      onRequest: () => tell(state === 'online' ? 'offline' : state), // the stream was lost, and is opened again
      onResponse: ({ status }) => { if (status === 200) tell('online') },
      onRetry: () => tell('offline'),
    })
    try {
      for await (const event of client.events.subscribe({ signal: stop.signal, ...lastEventId && { lastEventId } })) {
        receive(event)
        channel.postMessage({ event } satisfies Shared)
      }
    } catch (error) {
      if (isSignedOut(error)) location.assign(`${basePath}/sign-in`)
      else tell('offline')
    }
  }
}

/** Runs `lead` in one tab at a time; without locks (a page over plain HTTP) in each tab. */
async function whileLeader(mode: Mode, signal: AbortSignal, lead: () => Promise<void>) {
  if (!('locks' in navigator)) return lead()
  await navigator.locks.request(`mayfly-events${basePath}-${mode}`, { signal }, lead).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
