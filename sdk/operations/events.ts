import type { Connection } from '../connection.ts'
import type { MayflyEvent } from '../events/event.ts'
import { subscribe } from '../events/subscribe.ts'
import type { SubscribeOptions } from '../events/subscribe.ts'

/** `mayfly.events`: what happens in the account, as it happens. */
export function eventOperations(connection: Connection) {
  return {
    /**
     * Follows the events of the account, in the order in which they happened. Lost connections are made anew, and nothing
     * is lost or repeated then. It ends with the loop, or with the signal. Nothing is sent before the loop begins.
     * @throws AuthenticationError when the key is revoked, and others that trying again cannot mend
     * @throws InvalidRequestError when `lastEventId` is not one of this server
     * @example
     * for await (const event of mayfly.events.subscribe({ events: ['email.received'] })) {
     *   if (event.type !== 'email.received') continue
     *   console.log(event.data.receivedAt, event.data.from, event.data.subject)
     *   break
     * }
     */
    subscribe(options: SubscribeOptions = {}): AsyncGenerator<MayflyEvent, void, undefined> {
      return subscribe(connection, options)
    },
  }
}
