import { dayMs } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import type { Member, MemberCreate, MemberInvited } from '../contract/types.gen.ts'
import { conflict, notFound } from '../errors.ts'
import { parseMailbox } from '../mailbox.ts'
import { findAccount } from '../store/accounts/accounts.ts'
import { firstOwner, inviteMember, listMembers, removeMember, updateRole } from '../store/accounts/members.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Role } from '../store/schema/values.ts'
import { hashOf } from './api-keys.ts'
import { isOwnDomain } from './domains.ts'
import { queueMail } from './forwarding-addresses.ts'
import { checkMail } from './leaving-mail.ts'
import type { CausedMail } from './leaving-mail.ts'
import { emailOfAccount } from './managed-accounts.ts'
import { linkUrl, newToken } from './sign-in-links.ts'
import { writeInvitationMail } from './system-mail.ts'

/** Days for which an invitation can be used. Errors and mails name it. */
export const invitationDays = 7
/** Maximum people of an account, its own address among them. */
const maxMembers = 50

/** The people of the caller's account, its own address first. */
export async function listAccountMembers(db: Database | Tx, { accountId }: Caller): Promise<Member[]> {
  return [firstOwner(await findAccount(db, accountId)), ...await listMembers(db, accountId)]
}

/**
 * Invites a person to the caller's account. The link is in the answer, and is mailed by a server that sends mail to others. A person who
 * has not used an earlier one gets a new one, with the new role.
 * @returns a function that adds the member and queues the mail, for the transaction of the request
 * @throws AppError `INVALID_REQUEST` when it is not one address, `CONFLICT` for a person of the account and at the maximum,
 * `RATE_LIMITED` by the ledger of mail that leaves
 */
export async function invite(app: App, caller: Caller, { email: text, role }: MemberCreate): Promise<(tx: Tx) => Promise<MemberInvited>> {
  const email = emailOfAccount(text)
  const { accountId } = caller
  const token = newToken()
  const url = linkUrl(app.baseUrl(), token)
  const mail: CausedMail | undefined = await isMailed(app, email)
    ? { cause: 'verification', owner: { accountId, mode: 'live' }, recipient: email }
    : undefined
  if (mail) await checkMail(app, mail)
  const account = await findAccount(app.db, accountId)
  const source = mail && await writeInvitationMail(app, parseMailbox(email)!, { url, account: account.email, days: invitationDays })
  return async (tx) => {
    if (mail) await queueMail(app, tx, mail, source!)
    const members = await listAccountMembers(tx, caller)
    const isKnown = members.some((member) => member.email === email)
    if (!isKnown && members.length >= maxMembers) throw tooManyMembers()
    const invitation = { hash: hashOf(token), expiresAt: tx.now + invitationDays * dayMs }
    const member = email === account.email ? undefined : await inviteMember(tx, { accountId, email, role, ...invitation })
    if (!member) throw conflict(`${email} is a member of this account already.`)
    return { ...member, invitationUrl: url }
  }
}

/** A server that captures mail shows the link alone. Users of this server issue addresses at its domains, and would get links of others. */
const isMailed = async (app: App, email: string) => app.config.outbound.kind !== 'capture' && !await isOwnDomain(app, parseMailbox(email)!.domain)

const tooManyMembers = () => conflict(`There are ${maxMembers} people in this account already, which is as many as there may be. Remove one first.`)

/** Changes the role of a member of the caller's account. @throws AppError `NOT_FOUND`, `CONFLICT` for the first owner */
export async function changeRole(tx: Tx, caller: Caller, id: string, role: Role): Promise<Member> {
  const member = id === caller.accountId ? undefined : await updateRole(tx, caller.accountId, id, role)
  if (!member) throw noMember(caller, id)
  return member
}

/**
 * Removes a member of the caller's account. The member's sessions of the account end.
 * @throws AppError `NOT_FOUND`, `CONFLICT` for the first owner
 */
export async function endMembership(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (id === caller.accountId || !await removeMember(tx, caller.accountId, id)) throw noMember(caller, id)
}

/** The address of an account stays an owner: so an account has one at any time, whatever two owners do at once. */
const noMember = ({ accountId }: Caller, id: string) => id === accountId
  ? conflict('The address of the account itself stays an owner. It can be neither removed nor given another role.')
  : notFound('member')
