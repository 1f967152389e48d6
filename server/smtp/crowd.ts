import type { SmtpLimits } from './limits.ts'

/** A connection, as far as the share of its address counts. */
export interface Client {
  remoteAddress: string
  /** By `clientNetwork`. */
  network: string
  /** Its session has not ended; the socket stays open until the client hangs up. */
  isInSession: boolean
}

type Caps = Pick<SmtpLimits, 'connectionsPerAddress' | 'connectionsPerNetwork'>

/** Whether an address, or its network, has too many sessions, or too many sockets that it does not hang up after a session. */
export function isOneTooMany({ remoteAddress, network }: Client, open: Iterable<Client>, caps: Caps): boolean {
  const ofAddress = { sessions: 0, sockets: 0 }
  const ofNetwork = { sessions: 0, sockets: 0 }
  for (const client of open) {
    if (client.network !== network) continue
    count(ofNetwork, client)
    if (client.remoteAddress === remoteAddress) count(ofAddress, client)
  }
  return exceeds(ofAddress, caps.connectionsPerAddress) || exceeds(ofNetwork, caps.connectionsPerNetwork)
}

type Counts = Record<'sessions' | 'sockets', number>

function count(counts: Counts, { isInSession }: Client) {
  counts.sockets++
  if (isInSession) counts.sessions++
}

const exceeds = ({ sessions, sockets }: Counts, max: number) => sessions > max || sockets > 2 * max
