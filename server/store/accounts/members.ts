import { timestamp } from '../../clock.ts'
import type { Member, Membership } from '../../contract/types.gen.ts'
import type { Database, Tx } from '../database.ts'
import { hasAccount, ofAccount } from '../owner.ts'
import type { MemberRow } from '../schema/accounts.ts'
import type { Role } from '../schema/values.ts'
import type { Account } from './accounts.ts'
import type { Person } from './sessions.ts'

export interface NewMember {
  accountId: string
  /** As `accountEmail` of `mailbox.ts` writes it. */
  email: string
  role: Role
  /** SHA-256 of the token of the invitation, in hex. */
  hash: string
  /** Of the invitation, in milliseconds since 1970. */
  expiresAt: number
}

/**
 * Invites a person to an account. An invitation that was not used yet is replaced, and its role.
 * @returns undefined for a person who has joined already
 */
export async function inviteMember(tx: Tx, { accountId, email, role, hash, expiresAt }: NewMember): Promise<Member | undefined> {
  const invitation = { role, invitation_hash: hash, invitation_expires_at: expiresAt }
  const row = await tx.sql.insertInto('members')
    .values({ id: tx.newId(), account_id: accountId, email, created_at: tx.now, joined_at: null, is_proven: 0, ...invitation })
    .onConflict((conflict) => conflict.columns(['account_id', 'email']).doUpdateSet(invitation).where('members.joined_at', 'is', null))
    .returningAll().executeTakeFirst()
  return row && toMember(row)
}

/** The members beside the address of the account, in the order in which they were invited. */
export async function listMembers(db: Database | Tx, accountId: string): Promise<Member[]> {
  const rows = await db.sql.selectFrom('members').selectAll().$call(ofAccount(accountId)).orderBy('id').execute()
  return rows.map(toMember)
}

/** @returns undefined when the account has no such member */
export async function updateRole(tx: Tx, accountId: string, id: string, role: Role): Promise<Member | undefined> {
  const row = await tx.sql.updateTable('members').set({ role }).$call(ofAccount(accountId)).where('id', '=', id)
    .returningAll().executeTakeFirst()
  return row && toMember(row)
}

/** Removes a member, and ends the sessions of the account that the person has. @returns false when the account has no such member */
export async function removeMember(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const row = await tx.sql.deleteFrom('members').$call(ofAccount(accountId)).where('id', '=', id).returning('email').executeTakeFirst()
  if (!row) return false
  await tx.sql.deleteFrom('sessions').$call(ofAccount(accountId)).where('email', '=', row.email).execute()
  return true
}

/** The account and the person of an invitation. */
export interface Joined {
  accountId: string
  email: string
}

/**
 * Uses up an invitation.
 * @param hash SHA-256 of its token, in hex
 * @returns undefined for an unknown, used or expired invitation
 */
export async function takeInvitation(tx: Tx, hash: string): Promise<Joined | undefined> {
  const row = await tx.sql.updateTable('members').set({ invitation_hash: null, joined_at: tx.now })
    .where('invitation_hash', '=', hash).where('invitation_expires_at', '>', tx.now).where(hasAccount('members'))
    .returning(['account_id', 'email']).executeTakeFirst()
  return row && { accountId: row.account_id, email: row.email }
}

/** Records that a person opens an account. The invitation is used up. Without a proof of the address, it is not the person who joins. */
export async function markJoined(tx: Tx, { accountId, email, isProven }: Person): Promise<void> {
  if (!isProven) return
  await tx.sql.updateTable('members').set((row) => ({ invitation_hash: null, joined_at: row.fn.coalesce('joined_at', row.val(tx.now)), is_proven: 1 }))
    .$call(ofAccount(accountId)).where('email', '=', email).where('is_proven', '=', 0).execute()
}

/** Maximum accounts of others in the list of a person. */
const maxMemberships = 100

/** An account of which a person is a member, and not its address. */
export type OtherAccount = Omit<Membership, 'isCurrent'>

/**
 * The accounts of which an address is a member, beside its own: those that the person has joined with a proof of the address, then all
 * others in the order of their invitations. An invitation that was opened is not before them: those who invite can open it themselves.
 */
export async function listMemberships(
  db: Database | Tx, email: string, max = maxMemberships,
): Promise<(OtherAccount & { isProven: boolean })[]> {
  const rows = await db.sql.selectFrom('members').innerJoin('accounts', 'accounts.id', 'members.account_id')
    .where('members.email', '=', email).where('accounts.deleted_at', 'is', null)
    .select(['accounts.id', 'accounts.email', 'accounts.plan', 'role', 'joined_at', 'is_proven'])
    .orderBy('is_proven', 'desc').orderBy('members.id').limit(max).execute()
  return rows.map(({ id, email, plan, role, joined_at: joinedAt, is_proven: proven }) =>
    ({ accountId: id, email, plan, role, state: stateOf(joinedAt), isProven: proven === 1 }))
}

/** The address of an account as its first owner, who has the id of the account. */
export const firstOwner = ({ id, email, createdAt }: Account): Member =>
  ({ id, email, role: 'owner', isFirst: true, state: 'joined', createdAt, invitationExpiresAt: null })

const stateOf = (joinedAt: number | null) => joinedAt === null ? 'invited' : 'joined'

const toMember = (row: MemberRow): Member => ({
  id: row.id,
  email: row.email,
  role: row.role,
  isFirst: false,
  state: stateOf(row.joined_at),
  createdAt: timestamp(row.created_at),
  invitationExpiresAt: row.joined_at === null && row.invitation_expires_at !== null ? timestamp(row.invitation_expires_at) : null,
})
