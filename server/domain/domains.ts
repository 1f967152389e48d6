import { randomBytes } from 'node:crypto'
import { getPublicSuffix } from 'tldts'
import { dayMs } from '../clock.ts'
import { defaultDomainsOf } from '../config/cells.ts'
import type { Config } from '../config/config.ts'
import type { App, Caller, Services } from '../context.ts'
import type { DnsRecords, Domain, DomainCreate, DomainCreated, DomainUpdate } from '../contract/types.gen.ts'
import { conflict, invalidRequest, limitReached, notFound } from '../errors.ts'
import { domainOf } from '../mailbox.ts'
import { bindAddresses } from '../store/addresses/address-names.ts'
import { findSendingAddress, lockAddressForShare } from '../store/addresses/addresses.ts'
import {
  countDomains, findDomain, findDomainById, insertDomain, isVerifiedDomain, lockDomain, removeDomain, takeDomain, toDomain, updateDomain,
} from '../store/addresses/domains.ts'
import type { DomainFindings, StoredDomain } from '../store/addresses/domains.ts'
import type { Tx } from '../store/database.ts'
import { removeWaitingJobs, enqueue, hasOtherJob } from '../store/jobs/jobs.ts'
import type { Job } from '../store/jobs/jobs.ts'
import { domainCheckDelaysMs } from './retry-delays.ts'

/** Maximum domains of an account and mode: their list has no pages. */
const maxDomains = 100

/**
 * Adds a domain. It is checked at once, then on a schedule (`domain-verification.ts`).
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
 * Chooses the address that gets mail to names at a domain that were not issued.
 * @param input.catchAllId null for none
 * @throws AppError `NOT_FOUND`, `INVALID_REQUEST` when the account has no such active address
 */
export async function changeDomain(tx: Tx, caller: Caller, id: string, { catchAllId }: DomainUpdate): Promise<Domain> {
  const domain = await findDomain(tx, caller, id)
  if (!domain) throw notFound('domain')
  const addressId = catchAllId?.toLowerCase() ?? null
  if (addressId !== null) {
    await lockAddressForShare(tx, addressId)
    const address = await findSendingAddress(tx, caller, addressId)
    if (!address?.hasDomain || address.expiresAt <= tx.now) {
      throw invalidRequest('body.catchAllId', 'must be the id of an active address of this account')
    }
  }
  await updateDomain(tx, id, { catchAllId: addressId })
  return toDomain({ ...domain, catchAllId: addressId })
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

/** Maximum addresses per transaction, so that it does not block other changes for long. */
const maxAddressesAtOnce = 200

/**
 * Updates `is_bound` of the addresses of a domain that was verified, has lost its verification or was removed: some now, the others by
 * jobs. Only lists and totals of addresses read it; the row of the domain decides whether one address is active, receives and sends
 * (docs/decisions/0015).
 */
export async function updateBinding(tx: Tx, domainId: string): Promise<void> {
  const changed = await bindAddresses(tx, domainId, maxAddressesAtOnce)
  if (changed === maxAddressesAtOnce) await enqueue(tx, 'bind-addresses', { domainId })
}

/** Milliseconds between the checks of a verified domain. */
const verifiedPauseMs = dayMs
/** Failed checks in a row after which a domain is no longer verified. */
export const maxFailures = 5

/** The topic that a commit announces when it checks or removes a domain. */
export const checkTopic = (domainId: string) => `domains/${domainId}`

/** Queues a check of a pending domain, and restarts its schedule. @returns the id of the check */
export async function checkNow(tx: Tx, domainId: string): Promise<string> {
  await updateDomain(tx, domainId, { pendingSince: tx.now }) // before the checks are dropped: a check that ends now plans none after it
  await dropChecks(tx, domainId)
  return enqueueCheck(tx, domainId, tx.now)
}

async function dropChecks(tx: Tx, domainId: string): Promise<void> {
  await removeWaitingJobs(tx, task, { domain: domainId }, maxWaitingChecks)
}

/** Records the result of a check, changes the status of the domain, and plans the next check. */
export async function recordCheck(tx: Tx, job: Job<'verify-domain'>, domainId: string, findings: DomainFindings): Promise<void> {
  const before = await lockDomain(tx, domainId)
  if (!before) return // removed meanwhile
  if (before.status === 'verified') await recordRecheck(tx, before, outcomeOf(findings))
  else if (!findings.isHeldElsewhere) await recordFirst(tx, before, outcomeOf(findings))
  await updateDomain(tx, domainId, { checkedBy: job.id, findings })
  tx.announce(checkTopic(domainId))
  if (await hasOtherJob(tx, job)) return // a check was requested meanwhile, and will plan the next one
  const runAt = nextCheck((await findDomainById(tx, domainId))!, tx.now)
  if (runAt !== undefined) await enqueueCheck(tx, domainId, runAt)
}

type Outcome = 'found' | 'failed' | 'unknown'

/** A check fails when either record is certainly missing or wrong; without an answer of the name servers it has no result. */
function outcomeOf({ txt, mx }: DomainFindings): Outcome {
  const kinds = [txt.kind, mx.kind]
  if (kinds.includes('missing') || kinds.includes('wrong')) return 'failed'
  return kinds.includes('unknown') ? 'unknown' : 'found'
}

async function recordFirst(tx: Tx, stored: StoredDomain, outcome: Outcome) {
  // stays pending while another account holds the domain
  if (outcome === 'found' && await takeDomain(tx, stored)) await updateBinding(tx, stored.id)
}

async function recordRecheck(tx: Tx, stored: StoredDomain, outcome: Outcome) {
  if (outcome === 'found') return updateDomain(tx, stored.id, { failures: 0 })
  if (outcome === 'unknown') return
  const failures = stored.failures + 1
  if (failures < maxFailures) return updateDomain(tx, stored.id, { failures })
  await updateDomain(tx, stored.id, { status: 'pending', verifiedAt: null, pendingSince: tx.now, failures: 0 })
  await updateBinding(tx, stored.id)
}

/** The next check in the schedule; checks that were missed while the server was down are skipped. */
function nextCheck({ status, pendingSince }: StoredDomain, now: number): number | undefined {
  if (status === 'verified') return now + verifiedPauseMs
  let due = pendingSince
  for (const delayMs of domainCheckDelaysMs) if ((due += delayMs) > now) return due
  return undefined
}

const task = 'verify-domain'
/** Maximum waiting checks of a domain that are dropped; usually there is one. */
const maxWaitingChecks = 100

/** A lane for each domain: name servers that do not answer delay only their domains. */
const enqueueCheck = (tx: Tx, domainId: string, runAt: number) => enqueue(tx, task, { domainId }, { runAt, lane: { domain: domainId } })

/**
 * The name of a domain that an account may add, in lower case and as A-labels.
 * @throws AppError `INVALID_REQUEST` when it is malformed, a public suffix, or a domain of this server
 */
export function customDomainName({ config }: Pick<App, 'config'>, written: string): string {
  const name = domainOf(written)
  if (!name || name.lastIndexOf('.') > name.length - 3) throw refusal('must be a domain such as qa.example.com')
  if (isPublicSuffix(name)) throw refusal(`is a public suffix, which many organizations share. Add your own domain, such as example.${name}`)
  if (isOwn(config, name)) throw refusal('belongs to this server. Leave the domain of an address out to have it there')
  return name
}

/** Whether a domain is the default one of this cell or of another. */
export const isDefaultDomain = (config: Config, domain: string): boolean => defaultDomainsOf(config).includes(domain)

/** Whether this server receives the mail of a domain, so that its users can have addresses there. */
export async function isOwnDomain({ config, db }: App, domain: string): Promise<boolean> {
  return isDefaultDomain(config, domain) || domain === config.mxHost || await isVerifiedDomain(db, domain)
}

/** Suffixes of registries (`co.uk`) and of hosting providers (`github.io`); unlisted suffixes are accepted as domains. */
const isPublicSuffix = (name: string) => name.includes('.') &&
  getPublicSuffix(name, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) === name

/** Parent domains of the default one are refused too: their holder could redirect its mail. */
const isOwn = (config: Config, name: string) => name === config.mxHost
  || defaultDomainsOf(config).some((own) => name === own || name.endsWith(`.${own}`) || own.endsWith(`.${name}`))

const refusal = (message: string) => invalidRequest('body.domain', message)
