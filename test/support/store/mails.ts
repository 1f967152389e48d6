import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'

export async function removeEmails({ app }: TestApp): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.deleteFrom('emails').execute())
}

/** Changes the text of all mails. */
export async function setBodyText({ app }: TestApp, text: string): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.updateTable('messages').set({ body_text: text }).execute())
}

/** Puts the first mail of an address into its mailbox again, as often. @param firstSeq of mails that are newer than all others */
export async function repeatEmail({ app }: TestApp, addressId: string, count: number, firstSeq?: number): Promise<void> {
  const email = await app.db.sql.selectFrom('emails').selectAll().where('address_id', '=', addressId).orderBy('id').executeTakeFirstOrThrow()
  await inTransaction(app.db, async (tx) => {
    for (let i = 1; i <= count; i++) {
      await tx.sql.insertInto('emails').values({ ...email, id: tx.newId(), seq: firstSeq ? firstSeq + i : -i - count * email.seq! }).execute() // a number of its own
    }
  })
}

/** The SMTP envelope that is stored with an email. */
export async function envelopeOf({ app }: TestApp, emailId: string): Promise<Record<string, unknown>> {
  const { envelope } = await app.db.sql.selectFrom('messages').innerJoin('emails', 'emails.message_id', 'messages.id')
    .select('envelope').where('emails.id', '=', emailId).executeTakeFirstOrThrow()
  return JSON.parse(envelope)
}

/** Marks the mailboxes of addresses as being removed, without removing them. @returns a function that takes the marks back */
export async function markMailboxesRemoved({ app }: TestApp, addressIds: string[]): Promise<() => Promise<void>> {
  await inTransaction(app.db, (tx) => tx.sql.insertInto('removed_mailboxes').values(addressIds.map((id) => ({ address_id: id }))).execute())
  return async () => { await inTransaction(app.db, (tx) => tx.sql.deleteFrom('removed_mailboxes').execute()) }
}
