import type { ClientNetwork } from '../network.ts'

/** A connection, as the limits of its networks count it. */
export interface SmtpClient {
  /** Normalized by `clientAddress`. */
  address: string
  /** Those of `clientNetworks`. */
  networks: ClientNetwork[]
  /** False after the end of its session; the socket may stay open until the client closes it. */
  isInSession: boolean
}

/**
 * Whether a new client exceeds a limit: one of its networks has as many sessions as it may have, or twice as many open sockets, left open
 * after sessions.
 * @param open the other connections
 * @param max sessions of the smallest network
 */
export function exceedsClientLimits({ networks }: Pick<SmtpClient, 'networks'>, open: Iterable<SmtpClient>, max: number): boolean {
  const counts = networks.map(({ factor }) => ({ max: max * factor, sessions: 0, sockets: 0 }))
  for (const client of open) {
    for (const [i, count] of counts.entries()) {
      if (client.networks[i]?.name !== networks[i]!.name) continue
      count.sockets++
      if (client.isInSession) count.sessions++
    }
  }
  return counts.some(({ max, sessions, sockets }) => sessions >= max || sockets >= 2 * max)
}
