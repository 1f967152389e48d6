import type { Envelope } from '../../envelope.ts'
import type { Database, Tx } from '../database.ts'
import { isShown, ownedBy } from '../owner.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Owner } from '../schema/values.ts'
import { recipientsOf, senderOf } from './arrivals.ts'

/** An email with what a report, an answer or another delivery of it needs. */
export interface ReceivedEmail {
  id: string
  type: EmailRow['type']
  addressId: string
  messageId: string
  receivedAt: number
  /** Of the envelope, at most 100. */
  recipients: string[]
  /** Of the header; empty when it has none. */
  from: string
  subject: string
  /** Of the envelope; empty for the null sender. */
  sender: string
  /** IP address of the client; empty for mail that did not come over the network. */
  remoteAddress: string
  /** JSON. */
  headers: string
}

/** An email that is not deleted. @returns undefined when the owner has none with this id */
export async function findReceived(db: Database | Tx, owner: Owner, id: string): Promise<ReceivedEmail | undefined> {
  const row = await db.sql.selectFrom('emails').innerJoin('messages', 'messages.id', 'emails.message_id')
    .select([
      'emails.id', 'type', 'address_id', 'message_id', 'emails.received_at', 'recipient', 'recipients', 'from_address', 'subject', 'envelope',
      'headers',
    ])
    .where('emails.id', '=', id).where('is_deleted', '=', 0).$call(ownedBy(owner, 'emails')).where(isShown)
    .executeTakeFirst()
  return row && {
    id, type: row.type, addressId: row.address_id, messageId: row.message_id, receivedAt: row.received_at, headers: row.headers,
    from: row.from_address, subject: row.subject, recipients: recipientsOf(row), sender: senderOf(row),
    remoteAddress: (JSON.parse(row.envelope) as Envelope).remoteAddress,
  }
}
