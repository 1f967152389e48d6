import { dayOf } from '../../clock.ts'
import { counterStep } from '../changes/group-end.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import type { EndStep } from '../engine.ts'
import { ownedBy } from '../owner.ts'
import type { EmailCountsRow } from '../schema/counts.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit, Owner, Tenant } from '../schema/values.ts'

/** A mailbox (the id of its address), or all mail of an owner. Totals are O(1): counters are kept for each key. */
export type CountKey = string

export const countKeyOf = (owner: Tenant, addressId?: string): CountKey => addressId ?? `${owner.accountId}/${owner.mode}`

type CountKind = Pick<EmailRow, 'type' | 'is_deleted'>

interface CountedEmail {
  addressId: string
  type: EmailRow['type']
  isRead: boolean
  /** Milliseconds since 1970. */
  receivedAt: number
}

/** Counts a new email in its mailbox, its account and its day. */
export function countArrival(tx: Tx, owner: Tenant, { addressId, type, isRead, receivedAt }: CountedEmail): void {
  addToBoth(tx, owner, addressId, { type, is_deleted: 0, total: 1, ever: 1, unread: isRead ? 0 : 1 })
  const isReceived = type === 'received' ? 1 : 0
  tx.atEnd(dayStep, {
    account_id: owner.accountId, mode: owner.mode, day: dayOf(receivedAt), received: isReceived, sent: 1 - isReceived,
  })
}

/** Adds to the counters of existing emails, of a mailbox and its account; `ever` and the daily counts stay. */
export function countEmails(
  tx: Tx, owner: Tenant, addressId: string, { type, is_deleted }: CountKind, change: { by: number, unread: number },
): void {
  addToBoth(tx, owner, addressId, { type, is_deleted, total: change.by, ever: 0, unread: change.unread })
}

/** Removes the counters of a mailbox, and subtracts them from those of the account. */
export function removeMailboxCounts(tx: Tx, owner: Tenant, addressId: string): void {
  tx.atEnd(removalStep, { owner: addressId, account: countKeyOf(owner) })
}

/** Removes the counters of some mailboxes or accounts. */
export function removeCounts(tx: Tx, keys: CountKey[]): void {
  for (const owner of keys) tx.atEnd(removalStep, { owner, account: null })
}

export async function totalEmails(
  db: Database | Tx, mailbox: CountKey, kind: TotalKind,
): Promise<number> {
  const { rows } = await selectTotals(db, { owner: mailbox, is_deleted: kind.is_deleted })
  return sumOf(rows, kind)
}

/** As `totalEmails`, of the addresses of an owner with a bound. */
export async function totalEmailsWithin(db: Database, owner: Owner, kind: TotalKind): Promise<number> {
  const { accountId, mode, bound } = owner
  return sumOf((await selectTotalsWithin(db, { accountId, mode, bound, is_deleted: kind.is_deleted })).rows, kind)
}

type TotalKind = { type?: EmailRow['type'] | undefined, is_deleted: Bit }
type TotalRow = { type: EmailRow['type'], total: number }

const sumOf = (rows: TotalRow[], { type }: TotalKind) =>
  rows.filter((row) => !type || row.type === type).reduce((sum, row) => sum + Number(row.total), 0)

function addToBoth(tx: Tx, owner: Tenant, addressId: string, change: Omit<EmailCountsRow, 'owner'>) {
  tx.atEnd(countStep, { ...change, owner: addressId })
  tx.atEnd(countStep, { ...change, owner: countKeyOf(owner), unread: 0 })
}

const countStep = counterStep<EmailCountsRow>({
  table: 'email_counts', key: ['owner', 'type', 'is_deleted'], amounts: ['total', 'ever', 'unread'],
})

const dayStep = counterStep<Schema['daily_counts']>({
  table: 'daily_counts', key: ['account_id', 'mode', 'day'], amounts: ['received', 'sent'],
})

/** Runs after `countStep`: the counters that it removes have the changes of the whole group. */
const removalStep: EndStep<{ owner: CountKey, account: CountKey | null }> = {
  name: 'removed email_counts',
  reads: true,
  async write(at, removals) {
    const removed: EmailCountsRow[] = []
    for (const { owner, account } of removals.sort((a, b) => a.owner < b.owner ? -1 : 1)) {
      const { rows } = await deleteCounts(at, { owner })
      if (account === null) continue
      for (const { type, is_deleted, total } of rows) removed.push({ owner: account, type, is_deleted, total: -total, ever: 0, unread: 0 })
    }
    await countStep.write(at, removed)
  },
}

const deleteCounts = prepared<{ owner: string }, EmailCountsRow>((sql, value) =>
  sql.deleteFrom('email_counts').where('owner', '=', value('owner')).returningAll())

const selectTotals = prepared<{ owner: string, is_deleted: Bit }, TotalRow>((sql, value) =>
  sql.selectFrom('email_counts').select(['type', 'total'])
    .where('owner', '=', value('owner')).where('is_deleted', '=', value('is_deleted')))

const selectTotalsWithin = prepared<Owner & { is_deleted: Bit }, TotalRow>((sql, value) =>
  sql.selectFrom('email_counts').select(({ fn }) => ['type', fn.sum<number>('total').as('total')])
    .where('owner', 'in', (from) => from.selectFrom('addresses').select('addresses.id').$call(ownedBy(value, 'addresses')))
    .where('is_deleted', '=', value('is_deleted')).groupBy('type'))
