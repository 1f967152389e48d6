import type { App, Caller } from '../context.ts'
import { AppError, conflict } from '../errors.ts'
import { findForwardingAddress } from '../store/addresses/forwarding-addresses.ts'
import type { Tx } from '../store/database.ts'
import { enqueueMailDelivery, insertMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import { unbound } from '../store/owner.ts'
import { receivedEmail } from './emails.ts'
import { noForwardingAddress, verifiedForwardingAddress } from './forwarding-addresses.ts'
import { loopIn } from './forwards.ts'
import { checkMail, countMail } from './leaving-mail.ts'
import type { CausedMail } from './leaving-mail.ts'

/**
 * Forwards one received mail, as a rule does.
 * @returns a function that queues it, for the transaction of the request
 * @throws AppError `NOT_FOUND`, `NOT_VERIFIED`, `CONFLICT` for a mail that was sent or goes round in circles, `RATE_LIMITED` by the ledger
 */
export async function forwardEmail(
  app: App, caller: Caller, emailId: string, forwardToId: string,
): Promise<(tx: Tx) => Promise<{ id: string }>> {
  await receivedEmail(app.db, caller, emailId)
  const target = await findForwardingAddress(app.db, unbound(caller), forwardToId)
  if (!target) throw noForwardingAddress()
  const mail: CausedMail = { cause: 'forward', owner: caller, recipient: target.email }
  await checkMail(app, mail)
  return async (tx) => {
    const receipt = await countMail(app, tx, mail)
    if (receipt instanceof AppError) throw receipt
    const { email: recipient } = await verifiedForwardingAddress(tx, caller, forwardToId)
    const { messageId, headers } = await receivedEmail(tx, caller, emailId)
    const loop = await loopIn(tx, { headers: JSON.parse(headers) })
    if (loop !== undefined) throw conflict(loop)
    const status = 'sending' // not `queued`: the authentication of the mail would queue it again
    const id = await insertMailDelivery(tx, caller, { kind: 'forward', emailId, messageId, recipient, status }, receipt)
    await enqueueMailDelivery(tx, { id, accountId: caller.accountId, recipient })
    return { id: emailId }
  }
}
