import type { App } from '../context.ts'
import { AppError } from '../errors.ts'
import { findAccountByEmail } from '../store/accounts.ts'
import { findRecipient } from '../store/addresses.ts'
import type { AddressHolder } from '../store/addresses.ts'
import { inTransaction } from '../store/database.ts'
import { findDomainHolder } from '../store/domains.ts'
import type { DomainHolder } from '../store/domains.ts'
import { ownerEmail } from './accounts.ts'
import { issueAddress } from './addresses.ts'
import { longestLifetime } from './plans.ts'

/** The alias at which every domain takes mail (RFC 5321, section 4.5.1). */
export const postmaster = 'postmaster'

type Account = Omit<DomainHolder, 'domainId'> & { domainId: string | null }

/**
 * Issues `postmaster@domain`: at the default domain to the owner account, at a custom one to the account that holds it. It is an
 * address like any other, which expires, and is issued again with the next mail.
 * @returns undefined when there is no such account
 * @throws AppError `CONFLICT` when the name is still bound to the address that has just expired
 */
export async function issuePostmaster(app: App, domain: string): Promise<AddressHolder | undefined> {
  const isCustom = domain !== app.config.defaultDomain
  const account = await (isCustom ? findDomainHolder(app.db, domain) : ownerAccount(app))
  if (!account) return undefined
  const { domainId, plan, ...owner } = account
  await inTransaction(app.db, (tx) => issueAddress(tx, owner, { alias: postmaster, domain, domainId, lifetime: longestLifetime[plan] }))
  const issued = await findRecipient(app.db, `${postmaster}@${domain}`, isCustom) // by this session, or by another one just before
  if (!issued) throw new AppError('CONFLICT', 'The address has just expired. Try again later.')
  return issued
}

async function ownerAccount({ db, config }: App): Promise<Account | undefined> {
  const account = await findAccountByEmail(db, ownerEmail(config.defaultDomain))
  return account && { accountId: account.id, mode: 'live', domainId: null, plan: account.plan }
}
