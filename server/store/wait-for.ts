import { onAbort } from '../on-abort.ts'
import type { Database } from './database.ts'

/**
 * Looks for something until it is there: now, and whenever a commit announces the topic.
 * @param options.timeoutMs how long it is waited for
 * @param options.gone ends the wait at once
 * @returns undefined when it was not there in time
 */
export function waitFor<T>(
  db: Database, topic: string, look: () => Promise<T | undefined>, { timeoutMs, gone }: { timeoutMs: number, gone: AbortSignal },
): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>()
  const tryIt = () => void look().then((found) => { if (found !== undefined) resolve(found) }, reject)
  const onCommit = (topics: Set<string>) => { if (topics.has(topic)) tryIt() }
  const stop = () => resolve(undefined)
  const timer = setTimeout(stop, timeoutMs)
  const stopListening = onAbort(gone, stop)
  db.commits.on('committed', onCommit) // before the first look, so that nothing is missed between them
  tryIt()
  return promise.finally(() => {
    clearTimeout(timer)
    stopListening()
    db.commits.off('committed', onCommit)
  })
}
