import { setTimeout } from 'node:timers/promises'
import type { Context } from 'koa'
import { onAbort } from '../on-abort.ts'

/** A signal that aborts when the caller of a request disconnects, or the server closes. @param closing aborted when the server closes */
export function goneSignal(closing: AbortSignal, { req, res }: Context): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort()
  const stopListening = onAbort(closing, abort)
  const end = () => {
    stopListening()
    abort()
  }
  if (res.closed || req.socket.destroyed) end()
  else res.once('close', end)
  return gone.signal
}

/** Waits, or resolves early when the signal aborts. */
export async function pause(timeoutMs: number, gone: AbortSignal): Promise<void> {
  try {
    await setTimeout(timeoutMs, undefined, { signal: gone })
  } catch (error) {
    if (!gone.aborted) throw error
  }
}
