import type { Authentication } from '../contract/types.gen.ts'
import { getDomain } from 'tldts'
import type { Envelope } from '../envelope.ts'
import { networkOf } from '../network.ts'
import { insertAuthentication } from '../store/authentications.ts'
import { enqueueForwards } from '../store/deliveries.ts'
import type { Tx } from '../store/database.ts'

/**
 * Notes who vouches for a received mail, and lets its forwards go. The first result stays.
 * @param arc header fields that seal it, for a mail that is forwarded
 */
export async function noteAuthentication(
  tx: Tx, messageId: string, results: Authentication | null, arc: string | null,
): Promise<void> {
  if (await insertAuthentication(tx, messageId, results, arc)) await enqueueForwards(tx, messageId)
}

/**
 * Mails of different lanes never wait for one another's name servers. The lane names all that a sender could flood: the
 * account that receives, the network of the client and the registrable domain; each has its bound.
 */
export function authenticationLane(accountId: string, { sender, helo, remoteAddress }: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>) {
  const host = (sender.slice(sender.lastIndexOf('@') + 1) || helo).toLowerCase().slice(0, longestHost)
  return [accountId, networkOf(remoteAddress, networkBits), getDomain(host) ?? host.replaceAll('/', '')].join('/')
}

/** Characters of a domain name. */
const longestHost = 255

/** Bits of an address that one site usually has. */
const networkBits = { ipv4: 24, ipv6: 48 }
