import { setTimeout } from 'node:timers/promises'
import { checkPostgres, UnusableDatabase } from './reach.ts'

const askAgainMs = 500

/** Waits until the server takes connections, or fails for a reason that does not pass by itself. @see awaitDatabase */
export async function awaitPostgres(
  url: string, { signal, timeoutMs, onWait }: { signal: AbortSignal, timeoutMs: number, onWait(reason: string): void },
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (let i = 0; ; i++) {
    try {
      return await checkPostgres(url)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof UnusableDatabase) || !error.isTransient || performance.now() > deadline) throw error
      if (i === 0) onWait(error.message)
      await setTimeout(askAgainMs, undefined, { signal })
    }
  }
}
