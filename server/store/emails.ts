import { sql as raw } from 'kysely'
import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely'
import type { Email, EmailSummary } from '../contract/types.gen.ts'
import { addAccountBytes } from './account-bytes.ts'
import { attachmentsOf } from './attachments.ts'
import type { Database, Tx } from './database.ts'
import { prepared } from './prepared.ts'
import type { Value } from './prepared.ts'
import { countArrival, countEmails, mailboxOf, totalEmails } from './email-counts.ts'
import type { Owner } from './owner.ts'
import { isShown } from './removed-mailboxes.ts'
import type { Bit, DeliveryRow, EmailRow, MessageRow, Schema } from './schema.ts'
import { timestamp } from '../timestamp.ts'

/** Characters of a body in a list; the detail has all of it. */
export const listedBodyLength = 65_536

export type NewEmail = Pick<EmailRow, 'id' | 'account_id' | 'mode' | 'address_id' | 'message_id' | 'type' | 'recipient' | 'received_at' | 'is_read'>

/** @param bytes of its message */
export async function insertEmail(tx: Tx, email: NewEmail, bytes: number): Promise<void> {
  await insert(tx, email)
  const owner = { accountId: email.account_id, mode: email.mode }
  await countArrival(tx, owner, email.address_id, email.type, email.received_at)
  await addAccountBytes(tx, email.account_id, bytes)
}

export interface EmailFilter {
  addressId?: string
  type?: EmailRow['type']
  isDeleted: boolean
  /** An id; only mail that arrived later. */
  after?: string
  limit: number
  offset: number
}

/** Newest first: an id is made when its mail arrives, so ids sort by arrival. */
export async function listEmails(
  db: Database, owner: Owner, filter: EmailFilter,
): Promise<{ emails: EmailSummary[], total: number }> {
  const values: ListValues = {
    accountId: owner.accountId,
    mode: owner.mode,
    addressId: filter.addressId ?? '',
    isDeleted: toBit(filter.isDeleted),
    type: filter.type ?? 'received',
    after: filter.after ?? '',
    limit: filter.limit,
    offset: filter.offset,
  }
  const list = listings[filter.addressId ? 'ofAddress' : 'ofAccount'][filter.type ? 'ofType' : 'ofAnyType']
  const [page, total] = await Promise.all([list.rows(db, values), countListed()])
  return { emails: page.rows.map(toEmailSummary), total }

  async function countListed() {
    if (filter.after) return (await list.total(db, values)).rows[0]!.total
    // an address of another account has counts too, but none for this caller
    if (filter.addressId && !(await ownsMailbox(db, { ...owner, addressId: filter.addressId })).rows[0]) return 0
    return totalEmails(db, mailboxOf(owner, filter.addressId), { type: filter.type, is_deleted: values.isDeleted })
  }
}

/** Emails by their ids, in that order; what has gone is left out. */
export async function findSummaries(db: Database, ids: string[]): Promise<EmailSummary[]> {
  const found = await Promise.all(ids.map((id) => summary(db, { id })))
  return found.flatMap(({ rows }) => rows.map(toEmailSummary))
}

export async function findEmail(db: Database, owner: Owner, id: string): Promise<Email | undefined> {
  const row = (await detail(db, { ...owner, id })).rows[0]
  return row && toEmail(row, row.has_attachments ? await attachmentsOf(db, row.message_id) : [])
}

/** The message behind an email of this owner. */
export async function findMessageOf(db: Database, owner: Owner, id: string): Promise<{ messageId: string, size: number } | undefined> {
  return db.sql.selectFrom('emails').innerJoin('messages', 'messages.id', 'emails.message_id')
    .select(['messages.id as messageId', 'messages.size'])
    .where('emails.id', '=', id).where('account_id', '=', owner.accountId).where('mode', '=', owner.mode).where(isShown)
    .executeTakeFirst()
}

/** @returns false when there is no such email */
export async function updateEmail(
  tx: Tx, owner: Owner, id: string, flags: { isRead?: boolean, isStarred?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql.updateTable('emails')
    .set((set) => ({
      is_read: flags.isRead === undefined ? set.ref('is_read') : toBit(flags.isRead),
      is_starred: flags.isStarred === undefined ? set.ref('is_starred') : toBit(flags.isStarred),
    }))
    .where('id', '=', id).where('account_id', '=', owner.accountId).where('mode', '=', owner.mode).where(isShown)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Soft: it can still be listed with `is_deleted=true`. @returns undefined when there is none, or it was deleted before */
export async function deleteEmail(tx: Tx, owner: Owner, id: string): Promise<{ addressId: string } | undefined> {
  const row = await tx.sql.updateTable('emails').set({ is_deleted: 1 })
    .where('id', '=', id).where('account_id', '=', owner.accountId).where('mode', '=', owner.mode)
    .where('is_deleted', '=', 0).where(isShown)
    .returning(['address_id as addressId', 'type']).executeTakeFirst()
  if (!row) return undefined
  await countEmails(tx, owner, row.addressId, { type: row.type, is_deleted: 0 }, -1)
  await countEmails(tx, owner, row.addressId, { type: row.type, is_deleted: 1 }, 1)
  return row
}

export const toBit = (flag: boolean): Bit => flag ? 1 : 0

const insert = prepared<NewEmail, never>((sql, value) => sql.insertInto('emails').values({
  id: value('id'),
  account_id: value('account_id'),
  mode: value('mode'),
  address_id: value('address_id'),
  message_id: value('message_id'),
  type: value('type'),
  recipient: value('recipient'),
  received_at: value('received_at'),
  is_read: value('is_read'),
} as EmailRow))

interface ListValues extends Owner {
  addressId: string
  isDeleted: Bit
  type: EmailRow['type']
  after: string
  limit: number
  offset: number
}

/** The compiled queries of a listing, for each set of filters that wants its own index. */
const listings = {
  ofAccount: { ofAnyType: listing({}), ofType: listing({ type: true }) },
  ofAddress: { ofAnyType: listing({ address: true }), ofType: listing({ address: true, type: true }) },
}

function listing(filter: { address?: true, type?: true }) {
  const filtered = (sql: Kysely<Schema>, value: Value<ListValues>) =>
    sql.selectFrom('emails')
      .where('account_id', '=', value('accountId')).where('mode', '=', value('mode'))
      .where('is_deleted', '=', value('isDeleted')).where('emails.id', '>', value('after')).where(isShown)
      .$if(!!filter.address, (query) => query.where('address_id', '=', value('addressId')))
      .$if(!!filter.type, (query) => query.where('type', '=', value('type')))
  return {
    rows: prepared<ListValues, SummaryRow>((sql, value) => summarized(filtered(sql, value))
      .orderBy('emails.id', 'desc').limit(value('limit')).offset(value('offset'))),
    total: prepared<ListValues, { total: number }>((sql, value) => filtered(sql, value)
      .select((count) => count.fn.countAll<number>().as('total'))),
  }
}

const summary = prepared<{ id: string }, SummaryRow>((sql, value) =>
  summarized(sql.selectFrom('emails').where('emails.id', '=', value('id')).where(isShown)))

const summarized = (emails: SelectQueryBuilder<Schema, 'emails', object>) => emails
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(shownColumns).select(['has_attachments', 'preview', ...cutBodies()]).select(sentStatus)

const ownsMailbox = prepared<Owner & { addressId: string }, { id: string }>((sql, value) => sql.selectFrom('addresses').select('id')
  .where('id', '=', value('addressId')).where('account_id', '=', value('accountId')).where('mode', '=', value('mode')))

const detail = prepared<Owner & { id: string }, DetailRow>((sql, value) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .leftJoin('authentications', 'authentications.message_id', 'emails.message_id')
  .leftJoin('deliveries', 'deliveries.email_id', 'emails.id')
  .select(shownColumns)
  .select([
    'emails.message_id', 'has_attachments', 'messages.size', 'codes', 'links', 'headers', 'body_text', 'body_html', 'authentications.results',
    'deliveries.status', 'deliveries.recipient as delivered_to', 'sent_at', 'failure_reason',
  ])
  .where('emails.id', '=', value('id')).where('emails.account_id', '=', value('accountId')).where('emails.mode', '=', value('mode'))
  .where(isShown))

const shownColumns = [
  'emails.id', 'address_id', 'type', 'emails.recipient', 'is_read', 'is_starred', 'emails.received_at', 'from_address', 'from_name', 'subject',
] as const

/** A mail that was sent has one delivery, which knows how far it is. */
const sentStatus = (row: ExpressionBuilder<Schema, 'emails'>) =>
  row.selectFrom('deliveries').select('status').whereRef('email_id', '=', 'emails.id').where('kind', '=', 'sent').as('status')

/** One character more than is shown, to know whether something was cut. */
const cutBodies = () => [
  raw<string>`substr(body_text, 1, ${raw.lit(listedBodyLength + 1)})`.as('body_text'),
  raw<string>`substr(body_html, 1, ${raw.lit(listedBodyLength + 1)})`.as('body_html'),
]

type ShownRow =
  & Pick<EmailRow, 'id' | 'address_id' | 'type' | 'recipient' | 'is_read' | 'is_starred' | 'received_at'>
  & Pick<MessageRow, 'from_address' | 'from_name' | 'subject' | 'body_text' | 'body_html' | 'has_attachments'>
type SummaryRow = ShownRow & Pick<MessageRow, 'preview'> & { status: DeliveryRow['status'] | null }
type DetailRow =
  & ShownRow & Pick<MessageRow, 'size' | 'codes' | 'links' | 'headers'> & Pick<EmailRow, 'message_id'>
  & { results: string | null }
  & (Delivered | { status: null, delivered_to: null, sent_at: null, failure_reason: null })
type Delivered = Pick<DeliveryRow, 'status' | 'sent_at' | 'failure_reason'> & { delivered_to: string }

const toEmailSummary = (row: SummaryRow): EmailSummary => ({
  ...toShown(row),
  status: row.status,
  bodyText: cut(row.body_text),
  bodyHtml: cut(row.body_html),
  isTruncated: row.body_text.length > listedBodyLength || row.body_html.length > listedBodyLength,
  hasAttachments: row.has_attachments === 1,
  preview: row.preview,
})

const cut = (body: string) => body.length > listedBodyLength ? body.slice(0, listedBodyLength).toWellFormed() : body

const toEmail = (row: DetailRow, attachments: Email['attachments']): Email => ({
  ...toShown(row),
  bodyText: row.body_text,
  bodyHtml: row.body_html,
  attachments,
  headers: JSON.parse(row.headers),
  codes: JSON.parse(row.codes),
  links: JSON.parse(row.links),
  size: row.size,
  authentication: row.results === null ? null : JSON.parse(row.results),
  ...(row.type === 'sent' ? { ...toDelivery(row), forwarding: null } : { ...undelivered, forwarding: toForwarding(row) }),
})

const undelivered = { status: null, sentAt: null, failureReason: null }

const toDelivery = (row: Pick<DetailRow, 'status' | 'sent_at' | 'failure_reason'>) => ({
  status: row.status,
  sentAt: row.sent_at === null ? null : timestamp(row.sent_at),
  failureReason: row.failure_reason,
})

const toForwarding = (row: DetailRow) => row.status === null ? null : { ...toDelivery(row), status: row.status, to: row.delivered_to }

const toShown = (row: ShownRow) => ({
  id: row.id,
  addressId: row.address_id,
  type: row.type,
  from: row.from_address,
  fromName: row.from_name,
  to: row.recipient,
  subject: row.subject,
  isRead: row.is_read === 1,
  isStarred: row.is_starred === 1,
  receivedAt: timestamp(row.received_at),
})
