import type { ClientNetwork } from '../../network.ts'

/** A connection with a request in progress. */
interface Held<Connection> {
  connection: Connection
  /** Grows with the time at which its request began. */
  begun: number
  /** The networks of its client, and its account: those that are known. */
  holders: ClientNetwork[]
}

/**
 * Finds the connection to close in favour of others: the one with the oldest request of the client, or the account, that has most of them,
 * as multiples of a limit for a client. The oldest request is mostly a wait or a stream, which clients repeat.
 * @returns undefined when none has more than one
 */
export function oldestOfLargest<Connection>(all: Iterable<Held<Connection>>): Connection | undefined {
  const sums = new Map<string, { share: number, oldest: Held<Connection> }>()
  let largest: { share: number, oldest: Held<Connection> } | undefined
  for (const held of all) {
    for (const { name, factor } of held.holders) {
      const sum = sums.get(name) ?? { share: 0, oldest: held }
      sums.set(name, sum)
      sum.share += 1 / factor
      if (held.begun < sum.oldest.begun) sum.oldest = held
      if (sum.share > (largest?.share ?? 1)) largest = sum
    }
  }
  return largest?.oldest.connection
}
