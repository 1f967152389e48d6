import { onAbort } from '../../deadline.ts'
import type { Database } from '../database.ts'
import { pollMs } from '../shared-database.ts'

/**
 * Calls `look` now, and after each commit that announces the topic, until it finds something. With several nodes also every `pollMs`.
 * @param options.timeoutMs maximum time of the wait, by the clock of the database
 * @param options.gone ends the wait at once
 * @returns undefined after the timeout, or when `gone` is aborted
 */
export function waitFor<T>(
  db: Database, topic: string, look: () => Promise<T | undefined>, { timeoutMs, gone }: { timeoutMs: number, gone: AbortSignal },
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>()
  const tryIt = () => void look().then((found) => { if (found !== undefined) resolve(found) }, reject)
  const onCommit = (topics: Set<string>) => { if (topics.has(topic)) tryIt() }
  const giveUp = () => { resolve(undefined) }
  const stopListening = onAbort(gone, giveUp)
  const cancelTimeout = db.clock.at(db.clock.now() + timeoutMs, giveUp)
  db.commits.on('committed', onCommit) // before the first look, so that nothing is missed between them
  tryIt()
  const polling = db.engine.shared ? setInterval(tryIt, pollMs) : undefined
  return promise.finally(() => {
    clearInterval(polling)
    cancelTimeout()
    stopListening()
    db.commits.off('committed', onCommit)
  })
}
