import { unnamedAccounts } from '../config/cells.ts'
import type { App } from '../context.ts'
import type { MailDoor, Recipient, ReturnPath } from '../envelope.ts'
import { conflict, nothingFound, utf8Needed } from '../errors.ts'
import type { RecipientPath } from '../mailbox.ts'
import { faultOfSender, inLowerCase, isAscii, parseRecipient, splitRecipient } from '../mailbox.ts'
import { findAccountByEmail, lockAccountIfPresent } from '../store/accounts/accounts.ts'
import { freeNameOfDeleted, isNameOfOther } from '../store/addresses/address-names.ts'
import { findCatchAll, findRecipient } from '../store/addresses/addresses.ts'
import type { ReceivingAddress } from '../store/addresses/addresses.ts'
import { findDomainHolder } from '../store/addresses/domains.ts'
import type { DomainHolder } from '../store/addresses/domains.ts'
import { inTransaction } from '../store/database.ts'
import { findOwnerAccount, ownerEmail } from './accounts.ts'
import { isReceivedRole, issueAddress } from './addresses.ts'
import { maxLifetimeSeconds, refuseWhenAccountFull } from './plans.ts'
import { readReturnPath, returnPathPrefix } from './return-path.ts'
import { refuseBlockedSender } from './sender-lists.ts'
import { refuseEndedLogin } from './smtp-logins.ts'
import type { LoggedIn } from './smtp-logins.ts'

interface RecipientOptions {
  /** Size of the mail in bytes, as the client announced it; 0 when unknown. */
  bytes?: number
  /** The sender of the envelope; without it, or with the null sender, no sender is refused. */
  sender?: string
  /** Whether the client has asked for SMTPUTF8 (RFC 6531, section 3.4), so that the address may have characters beyond ASCII. */
  allowsUtf8?: boolean
}

/**
 * Finds the recipient of an address; `alias+tag@domain` is delivered to `alias@domain`. Mail to a return path of this server is a
 * delivery report on a mail that it sent. The addresses of postmaster and abuse are issued if there are none.
 * @throws MailRefusedError; AppError `NOT_FOUND` when it is unknown, expired, malformed, forged or of another host, `CONFLICT` when the
 * address of such a role cannot be issued at the moment
 */
export async function acceptRecipient(
  app: App, rcpt: string, { bytes = 0, sender = '', allowsUtf8 = false }: RecipientOptions = {},
): Promise<Recipient | ReturnPath> {
  const { defaultDomain } = app.config
  const path = parseRecipient(rcpt, { defaultDomain, allowsUtf8 })
  if (!path) throw noMailbox()
  const { alias, local, domain } = path
  const { returnPath, holder, isCaught } = await resolve(app, path, () => issueRole(app, alias, domain))
  if (returnPath) return returnPath
  if (!holder) throw noMailbox()
  const { id: addressId, accountId, hasFaults, hasSenders } = holder
  if (hasSenders && sender !== '') await refuseBlockedSender(app.db, addressId, sender)
  await refuseWhenAccountFull(app, { accountId, addressId }, bytes)
  return { addressId, accountId, address: `${local}@${domain}`, hasFaults, hasSenders, ...isCaught && { via: 'domain' } }
}

/** Finds the account of a recipient that `acceptRecipient` would accept, without a change. A return path has an account without a name. */
export async function findRecipientAccount(app: App, rcpt: string): Promise<string | undefined> {
  const path = parseRecipient(rcpt, { defaultDomain: app.config.defaultDomain })
  if (!path) return undefined
  const { returnPath, holder } = await resolve(app, path, () => holderOfRoles(app, path.domain))
  return returnPath ? unnamedAccounts.ofReturnPath : holder?.accountId
}

/**
 * Finds the return path or the address to which a path leads.
 * @param ofRole called for the address of a role that was not issued
 */
async function resolve<Role>(app: App, { alias, local, domain }: RecipientPath, ofRole: () => Promise<Role | undefined>) {
  const isCustom = domain !== app.config.defaultDomain
  const returnPath = !isCustom && local.startsWith(returnPathPrefix) ? await readReturnPath(app, local) : undefined
  if (returnPath) return { returnPath }
  const holder = await findRecipient(app.db, `${alias}@${domain}`, isCustom) ?? (isReceivedRole(alias) ? await ofRole() : undefined)
  const caught = !holder && isCustom ? await findCatchAll(app.db, domain) : undefined
  return { holder: holder ?? caught, isCaught: caught !== undefined }
}

/**
 * Accepts a recipient of mail that a program sends with a login: whichever it is, the address of the login gets the mail.
 * The senders that the address allows and blocks are those of the program, too.
 * @throws MailRefusedError; AppError `NOT_FOUND` for a text that is no mailbox, `INVALID_API_KEY` when the login has ended
 */
export async function acceptForLogin(app: App, login: LoggedIn, rcpt: string, options: RecipientOptions = {}): Promise<Recipient> {
  const current = await refuseEndedLogin(app, login)
  checkForeign(rcpt, options)
  return acceptForeign(app, current, rcpt, { ...options, via: 'login' })
}

const noMailbox = () => nothingFound('No such mailbox here')

/**
 * Accepts a recipient that was not issued, at any domain, for the address of `MAYFLY_CATCH_ALL`. That is issued to the owner account if it
 * is not there. Mail to the former addresses of others is refused, as long as their names are reserved, and all to domains of others.
 * @throws MailRefusedError; AppError `NOT_FOUND` for a text that is no mailbox, for such an address, and without an owner account
 */
export async function acceptForAll(app: App, rcpt: string, options: RecipientOptions = {}): Promise<Recipient> {
  const { catchAll, defaultDomain } = app.config
  if (catchAll === null) throw noMailbox()
  checkForeign(rcpt, options)
  const holder = await findRecipient(app.db, `${catchAll}@${defaultDomain}`, false) ?? await issueRole(app, catchAll, defaultDomain)
  // an address that another account had before the setting was made must not get the mail of all
  if (!holder || holder.accountId !== await findOwnerAccount(app)) throw noMailbox()
  if (await isOfOther(app, holder.accountId, rcpt)) throw noMailbox()
  return acceptForeign(app, holder, rcpt, { ...options, via: 'server' })
}

/**
 * Whether mail that no address gets is for another account: for its name at the default domain, with whichever tag, or for any at a domain
 * that it has verified, also where the local part is malformed.
 */
async function isOfOther({ db, config: { defaultDomain } }: App, accountId: string, rcpt: string): Promise<boolean> {
  const { alias, domain } = splitRecipient(rcpt, defaultDomain)
  if (domain === undefined) return false
  if (domain === defaultDomain) return isNameOfOther(db, accountId, `${alias.replaceAll(/["\\]/g, '')}@${defaultDomain}`)
  const domainHolder = await findDomainHolder(db, domain)
  return domainHolder !== undefined && domainHolder.accountId !== accountId
}

function checkForeign(rcpt: string, { allowsUtf8 = false }: RecipientOptions) {
  if (faultOfSender(rcpt)) throw noMailbox()
  if (!allowsUtf8 && !isAscii(rcpt)) throw utf8Needed()
}

async function acceptForeign(
  app: App, { id: addressId, accountId, hasFaults, hasSenders }: Omit<ReceivingAddress, 'mode'>, rcpt: string,
  { bytes = 0, sender = '', via }: RecipientOptions & { via: MailDoor },
): Promise<Recipient> {
  if (hasSenders && sender !== '') await refuseBlockedSender(app.db, addressId, sender)
  await refuseWhenAccountFull(app, { accountId, addressId }, bytes)
  return { addressId, accountId, address: inLowerCase(rcpt), via, hasFaults, hasSenders }
}

/** The account to which the address of a role is issued; `domainId` is null for the default domain. */
type Holder = Omit<DomainHolder, 'domainId'> & { domainId: string | null }

/**
 * Issues `postmaster@domain`, `abuse@domain` or the address of `MAYFLY_CATCH_ALL`: at the default domain to the owner account, at a custom
 * domain to the account that has verified it. Like any other address it expires; the next mail issues it again.
 * @returns undefined when there is no such account
 * @throws AppError `CONFLICT` while the name belongs to an address that has just expired
 */
async function issueRole(app: App, alias: string, domain: string): Promise<ReceivingAddress | undefined> {
  const isCustom = domain !== app.config.defaultDomain
  const holder = await holderOfRoles(app, domain)
  if (!holder) return undefined
  const { domainId, plan, ...owner } = holder
  const input = { alias, domain, domainId, lifetimeSeconds: maxLifetimeSeconds[plan] }
  await inTransaction(app.db, async (tx) => {
    if (!await lockAccountIfPresent(tx, owner.accountId)) return // deleted meanwhile
    if (!isCustom) await freeNameOfDeleted(tx, `${alias}@${domain}`) // of an owner account before this one
    await issueAddress(tx, owner, input)
  })
  const issued = await findRecipient(app.db, `${alias}@${domain}`, isCustom) // another session may have issued it first
  if (!issued) throw conflict('The address has just expired. Try again later.')
  return issued
}

/** The account that gets the mail to the roles of a domain. */
async function holderOfRoles({ db, config }: App, domain: string): Promise<Holder | undefined> {
  if (domain !== config.defaultDomain) return findDomainHolder(db, domain)
  const account = await findAccountByEmail(db, ownerEmail(config.defaultDomain))
  return account && { accountId: account.id, mode: 'live', domainId: null, plan: account.plan }
}
