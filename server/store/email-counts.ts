import type { Database, Tx } from './database.ts'
import { prepared } from './prepared.ts'
import type { Owner } from './outbox.ts'
import type { Bit, EmailRow } from './schema.ts'

/** One mailbox, or all mail of an account: what a listing counts must not grow with the mailbox. */
export type Mailbox = string

export const mailboxOf = (owner: Owner, addressId?: string): Mailbox => addressId ?? `${owner.accountId}/${owner.mode}`

type Kind = Pick<EmailRow, 'type' | 'is_deleted'>

/**
 * Adds `by` mails (which may be negative) to the count of their mailbox and of their account.
 * @param at when the mail came, in milliseconds since 1970; 0 for one that was there before
 */
export async function countEmails(
  tx: Tx, owner: Owner, addressId: string, kind: Kind, by: number, at = 0,
): Promise<void> {
  for (const mailbox of [mailboxOf(owner), mailboxOf(owner, addressId)]) {
    await add(tx, { owner: mailbox, type: kind.type, is_deleted: kind.is_deleted, by, at })
  }
}

/** Forgets a mailbox, and takes what it held off the account. */
export async function forgetMailbox(tx: Tx, owner: Owner, addressId: string): Promise<void> {
  const held = await tx.sql.deleteFrom('email_counts').where('owner', '=', addressId).returningAll().execute()
  for (const { type, is_deleted, total } of held) {
    await add(tx, { owner: mailboxOf(owner), type, is_deleted, by: -total, at: 0 })
  }
}

export async function totalEmails(
  db: Database, mailbox: Mailbox, kind: { type?: EmailRow['type'], is_deleted: Bit },
): Promise<number> {
  const { rows } = await totals(db, { owner: mailbox, is_deleted: kind.is_deleted })
  return rows.filter((row) => !kind.type || row.type === kind.type).reduce((sum, row) => sum + row.total, 0)
}

const add = prepared<Kind & { owner: string, by: number, at: number }, never>((sql, value) =>
  sql.insertInto('email_counts')
    .values({ owner: value('owner'), type: value('type'), is_deleted: value('is_deleted'), total: value('by'), last_at: value('at') })
    .onConflict((conflict) => conflict.columns(['owner', 'type', 'is_deleted']).doUpdateSet((set) => ({
      total: set('email_counts.total', '+', value('by')),
      last_at: set.case().when('excluded.last_at', '>', set.ref('email_counts.last_at'))
        .then(set.ref('excluded.last_at')).else(set.ref('email_counts.last_at')).end(),
    }))))

const totals = prepared<{ owner: string, is_deleted: Bit }, { type: EmailRow['type'], total: number }>((sql, value) =>
  sql.selectFrom('email_counts').select(['type', 'total'])
    .where('owner', '=', value('owner')).where('is_deleted', '=', value('is_deleted')))
