import type { App } from '../context.ts'
import { conflict } from '../errors.ts'
import { findAccountByEmail, keepAccount } from '../store/accounts/accounts.ts'
import { freeNameOfDeleted } from '../store/addresses/address-names.ts'
import { findRecipient } from '../store/addresses/addresses.ts'
import type { AddressHolder } from '../store/addresses/addresses.ts'
import { inTransaction } from '../store/database.ts'
import { findDomainHolder } from '../store/addresses/domains.ts'
import type { DomainHolder } from '../store/addresses/domains.ts'
import { ownerEmail } from './accounts.ts'
import { issueAddress } from './addresses.ts'
import { maxLifetimeSeconds } from './plans.ts'

/** The account to which the address of a role is issued; `domainId` is null for the default domain. */
type Holder = Omit<DomainHolder, 'domainId'> & { domainId: string | null }

/**
 * Issues `postmaster@domain` or `abuse@domain`: at the default domain to the owner account, at a custom domain to the account that has
 * verified it. Like any other address it expires; the next mail issues it again.
 * @returns undefined when there is no such account
 * @throws AppError `CONFLICT` while the name belongs to an address that has just expired
 */
export async function issueRole(app: App, alias: string, domain: string): Promise<AddressHolder | undefined> {
  const isCustom = domain !== app.config.defaultDomain
  const holder = await (isCustom ? findDomainHolder(app.db, domain) : defaultHolder(app))
  if (!holder) return undefined
  const { domainId, plan, ...owner } = holder
  const input = { alias, domain, domainId, lifetimeSeconds: maxLifetimeSeconds[plan] }
  await inTransaction(app.db, async (tx) => {
    if (!await keepAccount(tx, owner.accountId)) return // deleted meanwhile
    if (!isCustom) await freeNameOfDeleted(tx, `${alias}@${domain}`) // of an owner account before this one
    await issueAddress(tx, owner, input)
  })
  const issued = await findRecipient(app.db, `${alias}@${domain}`, isCustom) // another session may have issued it first
  if (!issued) throw conflict('The address has just expired. Try again later.')
  return issued
}

async function defaultHolder({ db, config }: App): Promise<Holder | undefined> {
  const account = await findAccountByEmail(db, ownerEmail(config.defaultDomain))
  return account && { accountId: account.id, mode: 'live', domainId: null, plan: account.plan }
}
