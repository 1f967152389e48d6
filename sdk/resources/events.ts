import type { Connection } from '../core/connection.ts'
import { load } from '../core/load.ts'
import type { MayflyEvent } from '../events/event.ts'
import type { SubscribeOptions } from '../events/subscribe.ts'

/** `mayfly.events`: the live stream of the account's events. */
export function eventOperations(connection: Connection) {
  return {
    /**
     * Follows the events of the account in their order. Lost connections are reopened without losing or repeating an event. The
     * subscription begins with the loop over it, and ends with the loop or the signal.
     * @throws AuthenticationError when the key is revoked, and other errors that are not transient
     * @throws InvalidRequestError when `lastEventId` is not an id of this server
     * @example
     * for await (const event of mayfly.events.subscribe({ events: ['email.received'] })) {
     *   if (event.type !== 'email.received') continue
     *   console.log(event.data.receivedAt, event.data.from, event.data.subject)
     *   break
     * }
     */
    async *subscribe({ ...options }: SubscribeOptions = {}): AsyncGenerator<MayflyEvent, void, undefined> {
      const { signal } = options
      try {
        const { subscribe } = await load('subscribe', { timeoutMs: connection.timeoutMs, signal }, () => import('../events/subscribe.ts'))
        yield* subscribe(connection, options)
      } catch (error) {
        if (!signal?.aborted) throw error
      }
    },
  }
}
