import { sql as raw } from 'kysely'
import { timestamp } from '../../clock.ts'
import type { SmtpActivity } from '../../contract/types.gen.ts'
import type { Envelope } from '../../envelope.ts'
import { idBoundary } from '../../ids.ts'
import { prepared, preparedForList } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { recipientsOf, senderOf } from '../mail/arrivals.ts'
import type { EnvelopeRow } from '../mail/arrivals.ts'
import { totalEmails } from '../mail/email-counts.ts'
import { isShown } from '../owner.ts'
import { cutPage, pageValues } from '../page.ts'
import type { Page, PageValues, RemovalBatch } from '../page.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Bit } from '../schema/values.ts'

/** Maximum refused tries that are kept for an address. They are removed with it at once: each has a few kilobytes at most. */
export const maxKeptTries = 1_000
/** Maximum recipients of a try that are shown. */
const maxRecipients = 10
/** Maximum characters of the sender and of each recipient that are shown: a refused one may be longer than any address is. */
const maxShownLength = 320

/** An address at which a client was refused, and those of its recipients that concern it. */
export interface TriedAddress {
  addressId: string
  recipients: string[]
}

/** A refused try, without the members that differ by address or that `insertRefusedTry` adds. */
export type RefusedTry = Omit<SmtpActivity, 'id' | 'createdAt' | 'emailId' | 'recipients' | 'recipientsTotal'>

/** Inserts a refused try, and removes the oldest of the address beyond `maxKeptTries`. Does nothing for an address that is removed. */
export async function insertRefusedTry(tx: Tx, { addressId, recipients }: TriedAddress, refused: RefusedTry): Promise<void> {
  const entry = JSON.stringify({ ...refused, ...shown(refused.from, recipients), createdAt: timestamp(tx.now) })
  await insertRow(tx, { addressId, id: tx.newId(), entry })
  await removeOldest(tx, { addressId, kept: maxKeptTries })
}

/**
 * Refused tries and received emails of an address, newest first. An accepted mail is stored as an email alone.
 * @param addressId of an address whose owner was checked
 */
export async function listActivity(
  db: Database, addressId: string, page: Page,
): Promise<{ data: SmtpActivity[], total: number, hasMore: boolean }> {
  const values = { addressId, ...pageValues(page) }
  const [refused, accepted, { rows: [counted] }, emails] = await Promise.all([
    selectRefused(db, values), selectAccepted(db, values), selectTotal(db, { addressId }), totalEmails(db, addressId, { type: 'received', is_deleted: 0 }),
  ])
  const found = [...refused.rows, ...accepted.rows].toSorted((a, b) => a.id < b.id ? 1 : -1).slice(page.offset)
  const { rows, hasMore } = cutPage(found.slice(0, page.limit + 1), page)
  const mails = new Map((await selectMails(db, rows.flatMap(({ id, entry }) => entry === null ? [id] : []))).map((mail) => [mail.id, mail]))
  const data = rows.flatMap(({ id, entry }): SmtpActivity[] => {
    if (entry !== null) return [{ id, ...JSON.parse(entry), emailId: null }]
    const mail = mails.get(id)
    return mail ? [toAccepted(mail)] : [] // removed meanwhile
  })
  return { data, total: (counted?.total ?? 0) + emails, hasMore }
}

/** Removes some refused tries. @returns how many */
export async function removeOldTries(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('smtp_activity')
    .where(({ eb, refTuple, selectFrom }) => eb(refTuple('address_id', 'id'), 'in',
      selectFrom('smtp_activity').select(['address_id', 'id']).where('id', '<', idBoundary(before)).orderBy('id').limit(limit)
        .$asTuple('address_id', 'id')))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The envelope of a try, within its bounds. */
const shown = (from: string, recipients: string[], recipientsTotal = recipients.length) => ({
  from: cut(from), recipients: recipients.slice(0, maxRecipients).map(cut), recipientsTotal,
})

const cut = (text: string) => text.slice(0, maxShownLength).toWellFormed()

type Found = { id: string, entry: string | null }
type Mail = EnvelopeRow & Pick<EmailRow, 'id' | 'recipients_total' | 'received_at'>

function toAccepted(mail: Mail): SmtpActivity {
  const { id, recipients_total: recipientsTotal, received_at: receivedAt, envelope } = mail
  const { remoteAddress, helo } = JSON.parse(envelope) as Envelope
  return {
    id,
    createdAt: timestamp(receivedAt),
    stage: 'end',
    client: remoteAddress === '' ? null : { address: remoteAddress, helo },
    ...shown(senderOf(mail), recipientsOf(mail), recipientsTotal ?? undefined),
    code: 250,
    enhancedCode: '2.6.0',
    text: 'Accepted',
    emailId: id,
  }
}

const insertRow = prepared<{ addressId: string, id: string, entry: string }, never>((sql, value) => sql.insertInto('smtp_activity')
  .columns(['address_id', 'id', 'account_id', 'entry'])
  .expression((from) => from.selectFrom('addresses')
    .select(({ val }) => ['addresses.id as address_id', val(value('id')).as('id'), 'account_id', val(value('entry')).as('entry')])
    .where('addresses.id', '=', value('addressId'))))

const removeOldest = prepared<{ addressId: string, kept: number }, never>((sql, value) => sql.deleteFrom('smtp_activity')
  .where('address_id', '=', value('addressId'))
  .where('id', '<=', (row) => row.selectFrom('smtp_activity').select('id')
    .where('address_id', '=', value('addressId')).orderBy('id', 'desc').limit(raw.lit(1)).offset(value('kept'))))

type PageOfAddress = PageValues & { addressId: string }

const selectRefused = prepared<PageOfAddress, Found>((sql, value) => sql.selectFrom('smtp_activity').select(['id', 'entry'])
  .where('address_id', '=', value('addressId')).where('id', '<', value('before')).orderBy('id', 'desc').limit(value('end')))

const selectAccepted = prepared<PageOfAddress, Found>((sql, value) => sql.selectFrom('emails')
  .select(['id', raw<string | null>`null`.as('entry')])
  .where('address_id', '=', value('addressId')).where('is_deleted', '=', raw.lit<Bit>(0)).where('type', '=', raw.lit<EmailRow['type']>('received'))
  .where('id', '<', value('before')).where(isShown).orderBy('id', 'desc').limit(value('end')))

const selectTotal = prepared<{ addressId: string }, { total: number }>((sql, value) => sql.selectFrom('smtp_activity')
  .select((count) => count.fn.countAll<number>().as('total')).where('address_id', '=', value('addressId')))

const selectMails = preparedForList<string, Mail>((sql, ids) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'type', 'recipient', 'recipients', 'recipients_total', 'emails.received_at', 'envelope', 'from_address'])
  .where('emails.id', 'in', ids))
