import { preparedForList } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ownedBy } from '../owner.ts'
import type { AddressRow } from '../schema/addresses.ts'
import type { Owner } from '../schema/values.ts'

/** The senders of an address, as patterns; without allowed ones, all are allowed that are not blocked. */
export interface SenderLists {
  allowed: string[]
  blocked: string[]
}

/** Replaces the lists that are given. @returns false when the owner has no such address */
export async function setSenderLists(tx: Tx, owner: Owner, id: string, lists: Partial<SenderLists>): Promise<boolean> {
  const { allowed_senders, blocked_senders } = senderColumns(lists)
  const row = await tx.sql.updateTable('addresses')
    .set({ ...lists.allowed && { allowed_senders }, ...lists.blocked && { blocked_senders } })
    .where('id', '=', id).$call(ownedBy(owner)).returning('id').executeTakeFirst()
  return row !== undefined
}

/** The lists of addresses of any owner, by id. */
export async function findSenderLists(db: Database, addressIds: string[]): Promise<Map<string, SenderLists>> {
  const rows = await selectLists(db, addressIds)
  return new Map(rows.map((row) => [row.id, { allowed: listOf(row.allowed_senders), blocked: listOf(row.blocked_senders) }]))
}

type SenderColumns = Pick<AddressRow, 'allowed_senders' | 'blocked_senders'>

export const senderColumns = ({ allowed = [], blocked = [] }: Partial<SenderLists>): SenderColumns =>
  ({ allowed_senders: textOf(allowed), blocked_senders: textOf(blocked) })

const textOf = (patterns: string[]) => patterns.length > 0 ? JSON.stringify(patterns) : null

const listOf = (text: string | null): string[] => text === null ? [] : JSON.parse(text)

const selectLists = preparedForList<string, SenderColumns & { id: string }>((sql, ids) => sql.selectFrom('addresses')
  .select(['id', 'allowed_senders', 'blocked_senders']).where('id', 'in', ids))
