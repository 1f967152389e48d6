import { randomBytes } from 'node:crypto'
import type { DnsRecords, DomainCreate, DomainCreated } from '../contract/types.gen.ts'
import type { App, Caller, Services } from '../context.ts'
import { conflict, limitReached, notFound } from '../errors.ts'
import type { Tx } from '../store/database.ts'
import { countDomains, insertDomain, isVerifiedDomain, removeDomain, toDomain } from '../store/addresses/domains.ts'
import type { StoredDomain } from '../store/addresses/domains.ts'
import { updateBinding } from './domain-addresses.ts'
import { checkNow, checkTopic, dropChecks } from './domain-checks.ts'
import { customDomainName } from './domain-names.ts'

/** Maximum domains of an account and mode: their list has no pages. */
const maxDomains = 100

/**
 * Adds a domain. It is checked at once, then on a schedule (`domain-checks.ts`).
 * @throws AppError `INVALID_REQUEST` when it cannot be a custom domain, `CONFLICT` when the account has it already, another account
 * has verified it, or the account has `maxDomains`
 * @see spec "POST /api/v1/domains"
 */
export async function createDomain(tx: Tx, app: Services, caller: Caller, input: DomainCreate): Promise<DomainCreated> {
  const domain = customDomainName(app, input.domain)
  const token = randomBytes(16).toString('hex')
  if (await isVerifiedDomain(tx, domain)) throw inUse(domain)
  const stored = await insertDomain(tx, caller, { domain, token })
  if (!stored) throw inUse(domain)
  if (await countDomains(tx, caller) > maxDomains) {
    throw limitReached('domains', maxDomains)
  }
  await checkNow(tx, stored.id)
  return withRecords(app, stored)
}

/**
 * Removes a domain. Its addresses receive no mail from now on, even if an account adds the name again.
 * @throws AppError `NOT_FOUND`
 * @see spec "DELETE /api/v1/domains/:id"
 */
export async function deleteDomain(tx: Tx, caller: Caller, id: string): Promise<void> {
  if (!await removeDomain(tx, caller, id)) throw notFound('domain')
  await updateBinding(tx, id)
  await dropChecks(tx, id)
  tx.announce(checkTopic(id)) // ends waits for a check
}

export const withRecords = (app: Services, stored: StoredDomain): DomainCreated =>
  ({ ...toDomain(stored), dnsRecords: dnsRecordsOf(app, stored) })

/** The DNS records of a domain: TXT proves its ownership, MX routes its mail to this server. */
export const dnsRecordsOf = ({ config }: Pick<App, 'config'>, { domain, token }: Pick<StoredDomain, 'domain' | 'token'>): DnsRecords => ({
  mx: { type: 'MX', host: domain, value: config.mxHost, priority: 10 },
  txt: { type: 'TXT', host: domain, value: `mayfly-verify=${token}` },
})

export const inUse = (domain: string) => conflict(`${domain} is in use already.`)
