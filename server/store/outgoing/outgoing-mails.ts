import { timestamp } from '../../clock.ts'
import type { Database } from '../database.ts'
import type { DeliveryRow } from '../schema/outgoing.ts'
import type { MailDelivery } from './mail-deliveries.ts'

/** An outgoing mail, as the operator sees it. */
export interface OutgoingMailRecord extends Pick<MailDelivery, 'id' | 'kind' | 'mode' | 'emailId' | 'status' | 'attempts'> {
  createdAt: string
  from: string
  to: string
  subject: string
  nextAttemptAt: string | null
  sentAt: string | null
  reason: string | null
}

/** Mail of all accounts in these states, newest first. */
export async function listOutgoingMails(db: Database, wanted: { statuses: readonly OutgoingMailRecord['status'][], limit: number }): Promise<OutgoingMailRecord[]> {
  const rows = await selectOutgoing(db).where('deliveries.status', 'in', wanted.statuses)
    .orderBy('deliveries.id', 'desc').limit(wanted.limit).execute()
  return rows.map(toOutgoingMail)
}

export async function findOutgoingMail(db: Database, id: string): Promise<OutgoingMailRecord | undefined> {
  const row = await selectOutgoing(db).where('deliveries.id', '=', id).executeTakeFirst()
  return row && toOutgoingMail(row)
}

/** A left join: a delivery can outlive its message. */
const selectOutgoing = (db: Database) => db.sql.selectFrom('deliveries').leftJoin('messages', 'messages.id', 'deliveries.message_id')
  .selectAll('deliveries').select(['messages.from_address', 'messages.subject'])

const toOutgoingMail = (row: DeliveryRow & { from_address: string | null, subject: string | null }): OutgoingMailRecord => ({
  id: row.id,
  createdAt: timestamp(row.created_at),
  kind: row.kind,
  mode: row.mode,
  emailId: row.email_id,
  from: row.from_address ?? '',
  to: row.recipient,
  subject: row.subject ?? '',
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: timestamp(row.next_at),
  sentAt: timestamp(row.sent_at),
  reason: row.failure_reason,
})
