import { sql as raw } from 'kysely'
import { idBoundary } from '../../ids.ts'
import { domainPart } from '../../mailbox.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { enqueue, makeDue } from '../jobs/jobs.ts'
import { discardMessages } from '../mail/message-removal.ts'
import { hasAccountOrIsSystem, ofAccount } from '../owner.ts'
import type { RemovalBatch } from '../page.ts'
import type { DeliveryRow } from '../schema/outgoing.ts'
import type { Tenant } from '../schema/values.ts'
import type { MailReceipt } from './mail-counts.ts'

export interface MailDelivery extends Tenant {
  id: string
  kind: DeliveryRow['kind']
  /** The email that is sent or forwarded. */
  emailId: string | null
  messageId: string
  recipient: string
  status: DeliveryRow['status']
  attempts: number
  createdAt: number
  /** Whether the ledger counts it: `domain/leaving-mail.ts`. */
  isCounted: boolean
}

export type NewMailDelivery =
  & Pick<MailDelivery, 'kind' | 'emailId' | 'messageId' | 'recipient'>
  & Partial<Pick<MailDelivery, 'status' | 'attempts'>>
  & { failureReason?: string }

/** Records a mail to deliver, queued unless it has another status. With a `failureReason` it is recorded as failed. @returns its id */
export async function insertMailDelivery(tx: Tx, owner: Tenant, input: NewMailDelivery, { isCounted }: MailReceipt): Promise<string> {
  const id = tx.newId()
  await tx.sql.insertInto('deliveries').values({
    id,
    account_id: owner.accountId,
    mode: owner.mode,
    kind: input.kind,
    email_id: input.emailId,
    message_id: input.messageId,
    recipient: input.recipient,
    status: input.failureReason === undefined ? input.status ?? 'queued' : 'failed',
    attempts: input.attempts ?? 0,
    created_at: tx.now,
    next_at: null,
    sent_at: null,
    failure_reason: input.failureReason ?? null,
    is_counted: isCounted ? 1 : 0,
  }).execute()
  return id
}

export type QueuedMailDelivery = Pick<MailDelivery, 'id' | 'accountId' | 'recipient'>

/** Puts a mail in the queue of its account and destination. */
export async function enqueueMailDelivery(tx: Tx, { id, accountId, recipient }: QueuedMailDelivery, runAt?: number): Promise<void> {
  await enqueue(tx, 'deliver-mail', { deliveryId: id }, { lane: { account: accountId, destination: domainPart(recipient) }, runAt })
}

/** Makes deferred deliveries due at once: the operator may have removed their obstacle before this start. */
export async function retryMailDeliveries(tx: Tx): Promise<void> {
  await makeDue(tx, 'deliver-mail')
  await tx.sql.updateTable('deliveries').set({ next_at: tx.now }).where('status', '=', 'deferred').execute()
}

/** Queues the forwards of a message, once its authentication (SPF, DKIM, DMARC) is known. */
export async function enqueueForwards(tx: Tx, messageId: string): Promise<void> {
  const { rows } = await selectWaitingForwards(tx, { messageId })
  for (const delivery of rows) await enqueueMailDelivery(tx, delivery)
}

/** @returns undefined when it is removed, or its account was deleted */
export async function findMailDelivery(db: Database | Tx, id: string): Promise<MailDelivery | undefined> {
  const row = await db.sql.selectFrom('deliveries').select(deliveryColumns).where('id', '=', id).where(hasAccountOrIsSystem).executeTakeFirst()
  return row && { ...row, isCounted: row.isCounted === 1 }
}

/** A delivery whose state is going to be changed: no other transaction changes it until this one ends. */
export async function lockMailDelivery(tx: Tx, id: string): Promise<MailDelivery | undefined> {
  await tx.engine.locks.lockRow(tx, 'deliveries', id)
  return findMailDelivery(tx, id)
}

export interface Forwarded {
  /** The address that received the mail. */
  address: string
  /** The SMTP envelope, as JSON. */
  envelope: string
  receivedAt: number
  /** Header fields of the ARC seal; null for a mail that is not sealed. */
  arc: string | null
}

export async function findForwarded(db: Database, { emailId }: MailDelivery): Promise<Forwarded | undefined> {
  return db.sql.selectFrom('emails').innerJoin('messages', 'messages.id', 'emails.message_id')
    .leftJoin('authentications', 'authentications.message_id', 'messages.id')
    .select(['emails.recipient as address', 'messages.envelope', 'messages.received_at as receivedAt', 'arc'])
    .where('emails.id', '=', emailId).executeTakeFirst()
}

/** Members that are undefined stay as they are. Times are milliseconds since 1970. */
export interface MailDeliveryChange extends Partial<Pick<MailDelivery, 'status' | 'attempts' | 'isCounted'>> {
  nextAt?: number | null
  sentAt?: number | null
  failureReason?: string | null
}

/** Changes the state of a delivery. @returns false when it is removed */
export async function updateMailDelivery(tx: Tx, id: string, change: MailDeliveryChange): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql.updateTable('deliveries').set({
    status: change.status,
    attempts: change.attempts,
    next_at: change.nextAt,
    sent_at: change.sentAt,
    failure_reason: change.failureReason,
    is_counted: change.isCounted === undefined ? undefined : change.isCounted ? 1 : 0,
  }).where('id', '=', id).executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Removes some verification mails that are delivered or have failed, and their messages. @returns how many */
export async function removeVerifications(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const rows = await tx.sql.selectFrom('deliveries').select(['id', 'kind', 'message_id'])
    .where('kind', '=', raw.lit('verification')) // a literal: SQLite uses a partial index only for a literal
    .where('id', '<', idBoundary(before)).where('status', 'in', ['sent', 'captured', 'failed']).orderBy('id').limit(limit).execute()
  await deleteDeliveries(tx, rows)
  return rows.length
}

/**
 * Removes some outgoing mails of a deleted account. The messages of verification mails are in no mailbox, and go with them.
 * @returns how many
 */
export async function removeMailDeliveriesOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const rows = await tx.sql.selectFrom('deliveries').select(['id', 'kind', 'message_id']).$call(ofAccount(accountId)).limit(limit).execute()
  await deleteDeliveries(tx, rows)
  return rows.length
}

async function deleteDeliveries(tx: Tx, rows: Pick<DeliveryRow, 'id' | 'kind' | 'message_id'>[]) {
  if (rows.length === 0) return
  await tx.sql.deleteFrom('deliveries').where('id', 'in', rows.map(({ id }) => id)).execute()
  await discardMessages(tx, rows.filter(({ kind }) => kind === 'verification').map((row) => row.message_id))
}

const deliveryColumns = [
  'id', 'account_id as accountId', 'mode', 'kind', 'email_id as emailId', 'message_id as messageId', 'recipient', 'status', 'attempts',
  'created_at as createdAt', 'is_counted as isCounted',
] as const

const selectWaitingForwards = prepared<{ messageId: string }, QueuedMailDelivery>((sql, value) =>
  sql.selectFrom('deliveries').select(['id', 'account_id as accountId', 'recipient'])
    .where('message_id', '=', value('messageId')).where('kind', '=', 'forward').where('status', '=', 'queued'))
