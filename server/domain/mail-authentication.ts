import { getDomain } from 'tldts'
import type { Authentication } from '../contract/types.gen.ts'
import type { Envelope } from '../envelope.ts'
import { clientNetwork } from '../network.ts'
import { insertAuthentication } from '../store/mail/authentications.ts'
import { enqueueForwards } from '../store/outgoing/mail-deliveries.ts'
import type { Tx } from '../store/database.ts'
import type { Lane } from '../store/jobs/lanes.ts'

/**
 * Records the authentication results of a received mail, and queues its forwards. Later results are ignored.
 * @param arc header fields of the ARC seal, for a mail that is forwarded
 */
export async function recordAuthentication(
  tx: Tx, messageId: string, results: Authentication | null, arc: string | null,
): Promise<void> {
  if (await insertAuthentication(tx, messageId, results, arc)) await enqueueForwards(tx, messageId)
}

/**
 * The job lane of a mail: receiving account, network of the client and registrable domain of the sender. Each of the three limits the
 * jobs that run at once, so name servers that do not answer delay only mail that shares them.
 */
export function authenticationLane(
  accountId: string, { sender, helo, remoteAddress }: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>,
): Lane<'authenticate-message'> {
  const host = (sender.slice(sender.lastIndexOf('@') + 1) || helo).toLowerCase().slice(0, maxHostLength)
  return { account: accountId, network: clientNetwork(remoteAddress), senderDomain: getDomain(host) ?? host }
}

/** Maximum characters of a domain name. */
const maxHostLength = 255
