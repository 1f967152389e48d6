import type { SmtpLimits } from './limits.ts'

/** The properties of a connection that count for the limits per address and per network. */
export interface Client {
  /** By `clientAddress`. */
  address: string
  /** By `clientNetwork`. */
  network: string
  /** False after the end of its session; the socket may stay open until the client closes it. */
  isInSession: boolean
}

type Caps = Pick<SmtpLimits, 'connectionsPerAddress' | 'connectionsPerNetwork'>

/**
 * Whether a new client exceeds a limit: its address or network has as many sessions as it may have, or twice as many open sockets, left
 * open after sessions.
 * @param open the others
 */
export function isOneTooMany({ address, network }: Pick<Client, 'address' | 'network'>, open: Iterable<Client>, caps: Caps): boolean {
  const ofAddress = { sessions: 0, sockets: 0 }
  const ofNetwork = { sessions: 0, sockets: 0 }
  for (const client of open) {
    if (client.network !== network) continue
    count(ofNetwork, client)
    if (client.address === address) count(ofAddress, client)
  }
  return isFull(ofAddress, caps.connectionsPerAddress) || isFull(ofNetwork, caps.connectionsPerNetwork)
}

type Counts = Record<'sessions' | 'sockets', number>

function count(counts: Counts, { isInSession }: Client) {
  counts.sockets++
  if (isInSession) counts.sessions++
}

const isFull = ({ sessions, sockets }: Counts, max: number) => sessions >= max || sockets >= 2 * max
