import { sql as raw } from 'kysely'
import type { ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import { timestamp } from '../../clock.ts'
import type { Address } from '../../contract/types.gen.ts'
import { UnavailableError } from '../../errors.ts'
import { addToTotals } from '../accounts/accounts.ts'
import { prepared } from '../changes/prepared.ts'
import type { MaybePromise } from '../connection.ts'
import type { Database, Tx } from '../database.ts'
import type { LockedRow } from '../engine.ts'
import { hasAccount, hasAccountOrHeld, moveOf, ownedBy } from '../owner.ts'
import type { Moving } from '../owner.ts'
import type { AddressRow } from '../schema/addresses.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit, Owner, Tenant } from '../schema/values.ts'
import { claimName, releaseName } from './address-names.ts'
import { senderColumns } from './sender-lists.ts'
import type { SenderLists } from './sender-lists.ts'

export interface NewAddress {
  owner: Tenant
  address: string
  alias: string
  expiresAt: number
  /** The custom domain that it belongs to; null for the default one. */
  domainId: string | null
  maxEmails?: number | null | undefined
  senders?: Partial<SenderLists> | undefined
}

/** @returns undefined when the name is taken, or reserved for the account that had it */
export async function insertAddress(tx: Tx, input: NewAddress): Promise<Address | undefined> {
  if (!await claimName(tx, { ...input, ...input.owner })) return undefined
  const row: AddressRow = {
    id: tx.newId(),
    account_id: input.owner.accountId,
    mode: input.owner.mode,
    address: input.address,
    alias: input.alias,
    created_at: tx.now,
    expires_at: input.expiresAt,
    is_expired: 0,
    domain_id: input.domainId,
    is_bound: 1,
    smtp_login_hash: null,
    last_login_at: null,
    max_emails: input.maxEmails ?? null,
    smtp_faults: null,
    allowed_senders: null,
    blocked_senders: null,
    ...input.senders && senderColumns(input.senders),
  }
  await insertRow(tx, row)
  addToTotals(tx, input.owner, { addresses: 1, activeAddresses: 1 })
  return toAddress({ ...row, has_domain: true, email_count: 0, unread_count: 0, last_email_at: null }, tx.now)
}

export async function findAddress(db: Database, owner: Owner, id: string): Promise<Address | undefined> {
  const row = (await selectById(db, { ...owner, id })).rows[0]
  return row && toAddress(row, db.now())
}

export async function findAddressInTx(tx: Tx, owner: Owner, id: string): Promise<Address | undefined> {
  const row = (await selectById(tx, { ...owner, id })).rows[0]
  return row && toAddress(row, tx.now)
}

/** The ids that are addresses of the owner. */
export async function ownAddresses(db: Database | Tx, owner: Owner, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.sql.selectFrom('addresses').select('id').where('id', 'in', ids)
    .$call(ownedBy(owner)).execute()
  return rows.map(({ id }) => id)
}

/** No other transaction counts them until this one ends. @returns the number of active addresses of an owner, at most `limit` */
export async function countActive(tx: Tx, owner: Owner, limit: number): Promise<number> {
  await tx.engine.locks.lockName(tx, `bound addresses/${owner.accountId}`)
  return (await tx.sql.selectFrom('addresses').select('id').$call(ownedBy(owner)).where('expires_at', '>', tx.now).limit(limit).execute()).length
}

/** Locks an address, and its account, against changes and removal until the transaction ends. */
export const lockAddressForShare = (tx: Tx, id: string): MaybePromise<LockedRow> => tx.engine.locks.lockRowForShare(tx, 'addresses', id)

export interface AddressHolder extends Tenant {
  id: string
}

export interface ReceivingAddress extends AddressHolder {
  /** Whether its owner has set SMTP faults. */
  hasFaults: boolean
  /** Whether it allows or blocks senders. */
  hasSenders: boolean
}

/**
 * Finds the active address that receives mail to a mailbox.
 * @param address in lower case, without a tag
 * @param isCustom whether its domain is not the default one of this database: a verified domain, or the default one of another cell
 * @throws UnavailableError
 */
export async function findRecipient(db: Database, address: string, isCustom: boolean): Promise<ReceivingAddress | undefined> {
  const lookup = { address, now: db.now() }
  const custom = isCustom ? toReceiving((await selectReceivingAtDomain(db, lookup)).rows) : undefined
  return custom ?? toReceiving((await selectReceiving(db, lookup)).rows)
}

/**
 * Finds the active address that gets mail to a name at a verified domain that was not issued.
 * @param domain in lower case, as A-labels
 * @throws UnavailableError
 */
export async function findCatchAll(db: Database, domain: string): Promise<ReceivingAddress | undefined> {
  return toReceiving((await selectCatchAll(db, { domain, now: db.now() })).rows)
}

type ReceivingRow = AddressHolder & Moving & { hasFaults: SqlBool, hasSenders: SqlBool }

function toReceiving([row]: ReceivingRow[]): ReceivingAddress | undefined {
  if (row?.move) throw new UnavailableError('account')
  if (!row) return undefined
  const { id, accountId, mode, hasFaults, hasSenders } = row
  return { id, accountId, mode, hasFaults: Boolean(hasFaults), hasSenders: Boolean(hasSenders) }
}

/** An active forwarding rule: its destination and its filters. */
export interface ActiveRule {
  forwardTo: string | null
  filterSender: string | null
  filterSubject: string | null
}

/** The owner of an address, and how its mail is handled. */
export type MailHolder = AddressHolder & ActiveRule & { maxEmails: number | null }

/**
 * The owner of an address, expired or not, and its forwarding rule; none for an address of a deleted account. Neither is removed before the
 * transaction ends.
 * @throws UnavailableError
 */
export async function lockAddressHolderForShare(tx: Tx, id: string): Promise<MailHolder | undefined> {
  // sent in this order, so the holder is read as it stays
  const [, { rows: [holder] }] = await Promise.all([lockAddressForShare(tx, id), selectHolder(tx, { id })])
  if (holder?.move) throw new UnavailableError('account')
  return holder
}

/** An address to send from. */
export interface SendingAddress {
  address: string
  expiresAt: number
  /** Whether its domain is the default one, or there and verified. */
  hasDomain: boolean
}

export async function findSendingAddress(db: Database | Tx, owner: Owner, id: string): Promise<SendingAddress | undefined> {
  const row = await db.sql.selectFrom('addresses')
    .select((row) => ['address', 'expires_at as expiresAt', hasDomain(row).as('hasDomain')])
    .where('id', '=', id).$call(ownedBy(owner))
    .executeTakeFirst()
  return row && { ...row, hasDomain: Boolean(row.hasDomain) }
}

/** When an address that is not marked as expired expires, in milliseconds since 1970. */
export async function findExpiry(tx: Tx, id: string): Promise<number | undefined> {
  const row = await tx.sql.selectFrom('addresses').select('expires_at as expiresAt').where('id', '=', id).where('is_expired', '=', 0).executeTakeFirst()
  return row?.expiresAt
}

/** Marks an address as expired. @returns undefined when it is removed, marked already, or not due */
export async function markAddressExpired(
  tx: Tx, id: string,
): Promise<(AddressHolder & { address: string, expiresAt: number }) | undefined> {
  const row = await tx.sql.updateTable('addresses').set({ is_expired: 1 })
    .where('id', '=', id).where('is_expired', '=', 0).where('expires_at', '<=', tx.now).where(hasAccount('addresses'))
    .returning(['id', 'account_id as accountId', 'mode', 'address', 'domain_id as domainId', 'expires_at as expiresAt', 'is_bound'])
    .executeTakeFirst()
  if (!row) return undefined
  await releaseName(tx, row, row.expiresAt)
  addToTotals(tx, row, { activeAddresses: row.is_bound ? -1 : 0 })
  return row
}

/** Removes the address; its mail goes with it. @returns undefined when there is none */
export async function removeAddress(tx: Tx, owner: Owner, id: string): Promise<{ address: string, expiresAt: number } | undefined> {
  const row = await tx.sql.deleteFrom('addresses')
    .where('id', '=', id).$call(ownedBy(owner))
    .returning(['account_id as accountId', 'address', 'domain_id as domainId', 'expires_at as expiresAt', 'is_expired', 'is_bound'])
    .executeTakeFirst()
  if (!row) return undefined
  if (!row.is_expired) await releaseName(tx, row, tx.now)
  addToTotals(tx, owner, { addresses: -1, activeAddresses: row.is_bound && !row.is_expired ? -1 : 0 })
  return row
}

/** The columns of an address that it shows. */
const shownColumns = [
  'addresses.id', 'address', 'alias', 'created_at', 'expires_at', 'smtp_login_hash', 'last_login_at', 'max_emails',
  'allowed_senders', 'blocked_senders',
] as const

export interface ListedRow extends Omit<AddressRow, 'account_id' | 'mode' | 'is_expired' | 'domain_id' | 'is_bound' | 'smtp_faults'> {
  has_domain: SqlBool
  email_count: number | null
  unread_count: number | null
  last_email_at: number | null
}

const insertRow = prepared<AddressRow, never>((sql, value) => sql.insertInto('addresses').values({
  id: value('id'),
  account_id: value('account_id'),
  mode: value('mode'),
  address: value('address'),
  alias: value('alias'),
  created_at: value('created_at'),
  expires_at: value('expires_at'),
  is_expired: value('is_expired'),
  domain_id: value('domain_id'),
  is_bound: value('is_bound'),
  max_emails: value('max_emails'),
  allowed_senders: value('allowed_senders'),
  blocked_senders: value('blocked_senders'),
}))

const selectById = prepared<Owner & { id: string }, ListedRow>((sql, value) => selectAddresses(sql)
  .where('id', '=', value('id')).$call(ownedBy(value)))

type MailboxLookup = { address: string, now: number }

const selectReceiving = prepared<MailboxLookup, ReceivingRow>((sql, value) => sql.selectFrom('addresses')
  .select((row) => ['id', 'account_id as accountId', 'mode', moveOf(row), hasFaults(row).as('hasFaults'), hasSenders(row).as('hasSenders')])
  .where('address', '=', value('address')).where('expires_at', '>', value('now')).where('domain_id', 'is', null)
  .where(hasAccountOrHeld))

const selectReceivingAtDomain = prepared<MailboxLookup, ReceivingRow>((sql, value) => sql.selectFrom('addresses')
  .innerJoin('domains', 'domains.id', 'addresses.domain_id')
  .select((row) => ['addresses.id', 'addresses.account_id as accountId', 'addresses.mode', moveOf(row), hasFaults(row).as('hasFaults'), hasSenders(row).as('hasSenders')])
  .where('address', '=', value('address')).where('expires_at', '>', value('now')).where('domains.status', '=', 'verified')
  .where(hasAccountOrHeld))

const selectCatchAll = prepared<{ domain: string, now: number }, ReceivingRow>((sql, value) => sql.selectFrom('domains')
  .innerJoin('addresses', 'addresses.id', 'catch_all_id')
  .select((row) => ['addresses.id', 'addresses.account_id as accountId', 'addresses.mode', moveOf(row), hasFaults(row).as('hasFaults'), hasSenders(row).as('hasSenders')])
  .where('domain', '=', value('domain')).where('domains.status', '=', 'verified').where('expires_at', '>', value('now'))
  .where(({ or, eb }) => or([eb('addresses.domain_id', 'is', null), eb('is_bound', '=', 1)]))
  .where(hasAccountOrHeld))

const selectHolder = prepared<{ id: string }, MailHolder & Moving>((sql, value) => sql.selectFrom('addresses')
  .leftJoin('forwarding_rules', (join) => join.onRef('address_id', '=', 'addresses.id').on('is_active', '=', 1))
  .leftJoin('forwarding_addresses', (join) => join.onRef('forwarding_addresses.id', '=', 'forward_to_id').on('verified_at', 'is not', null))
  .select((row) => ['addresses.id', 'addresses.account_id as accountId', 'addresses.mode', 'forwarding_addresses.email as forwardTo',
    'filter_sender as filterSender', 'filter_subject as filterSubject', 'max_emails as maxEmails', moveOf(row)])
  .where('addresses.id', '=', value('id')).where(hasAccountOrHeld))

export const hasFaults = (row: ExpressionBuilder<Schema, 'addresses'>) => row('smtp_faults', 'is not', null)

export const hasSenders = (row: ExpressionBuilder<Schema, 'addresses'>) =>
  row.or([row('allowed_senders', 'is not', null), row('blocked_senders', 'is not', null)])

/** Whether the domain of an address is the default one, or there and verified. */
export const hasDomain = (row: ExpressionBuilder<Schema, 'addresses'>) => row.or([
  row('addresses.domain_id', 'is', null),
  row.exists(row.selectFrom('domains').select('domains.id')
    .whereRef('domains.id', '=', 'addresses.domain_id').where('domains.status', '=', raw.lit('verified'))),
])

const [received, notDeleted] = [raw.lit<EmailRow['type']>('received'), raw.lit<Bit>(0)]

/** The counters of received mail that is not deleted. */
const countsOf = (row: ExpressionBuilder<Schema, 'addresses'>) => row.selectFrom('email_counts')
  .whereRef('owner', '=', 'addresses.id').where('type', '=', received).where('is_deleted', '=', notDeleted)

/** Addresses with their email counters, and the time of the latest email, which takes one step of an index. */
export const selectAddresses = (sql: Kysely<Schema>) => sql.selectFrom('addresses').select(shownColumns)
  .select((row) => [
    hasDomain(row).as('has_domain'),
    countsOf(row).select('total').as('email_count'),
    countsOf(row).select('unread').as('unread_count'),
    row.selectFrom('emails').select('received_at')
      .whereRef('address_id', '=', 'addresses.id').where('type', '=', received).where('is_deleted', '=', notDeleted)
      .orderBy('emails.id', 'desc').limit(raw.lit(1)).as('last_email_at'),
  ])

export const toAddress = (row: ListedRow, now: number): Address => ({
  id: row.id,
  address: row.address,
  alias: row.alias,
  isActive: row.expires_at > now && Boolean(row.has_domain),
  createdAt: timestamp(row.created_at),
  expiresAt: timestamp(row.expires_at),
  emailCount: row.email_count ?? 0,
  unreadCount: row.unread_count ?? 0,
  lastEmailAt: row.last_email_at ? timestamp(row.last_email_at) : null,
  hasSmtpLogin: row.smtp_login_hash !== null,
  lastLoginAt: row.last_login_at === null ? null : timestamp(row.last_login_at),
  maxEmails: row.max_emails,
  allowedSenders: row.allowed_senders === null ? [] : JSON.parse(row.allowed_senders),
  blockedSenders: row.blocked_senders === null ? [] : JSON.parse(row.blocked_senders),
})
