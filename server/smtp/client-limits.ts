import type { SmtpLimits } from './limits.ts'

/** A connection, as the limits per address and per network count it. */
export interface SmtpClient {
  /** Normalized by `clientAddress`. */
  address: string
  /** That of `clientNetwork`. */
  network: string
  /** False after the end of its session; the socket may stay open until the client closes it. */
  isInSession: boolean
}

type ClientLimits = Pick<SmtpLimits, 'connectionsPerAddress' | 'connectionsPerNetwork'>

/**
 * Whether a new client exceeds a limit: its address or network has as many sessions as it may have, or twice as many open sockets, left
 * open after sessions.
 * @param open the other connections
 */
export function exceedsClientLimits(
  { address, network }: Pick<SmtpClient, 'address' | 'network'>, open: Iterable<SmtpClient>, limits: ClientLimits,
): boolean {
  const ofAddress = { sessions: 0, sockets: 0 }
  const ofNetwork = { sessions: 0, sockets: 0 }
  for (const client of open) {
    if (client.network !== network) continue
    count(ofNetwork, client)
    if (client.address === address) count(ofAddress, client)
  }
  return isFull(ofAddress, limits.connectionsPerAddress) || isFull(ofNetwork, limits.connectionsPerNetwork)
}

type Counts = Record<'sessions' | 'sockets', number>

function count(counts: Counts, { isInSession }: SmtpClient) {
  counts.sockets++
  if (isInSession) counts.sessions++
}

const isFull = ({ sessions, sockets }: Counts, max: number) => sessions >= max || sockets >= 2 * max
