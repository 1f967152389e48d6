import { dayMs } from '../durations.ts'
import type { Tx } from '../store/database.ts'
import { findDomainById, lockDomain, takeDomain, updateDomain } from '../store/addresses/domains.ts'
import type { DnsFindings, StoredDomain } from '../store/addresses/domains.ts'
import { dropWaitingJobs, enqueue, hasOtherJob } from '../store/jobs/jobs.ts'
import type { Job } from '../store/jobs/jobs.ts'
import { updateBinding } from './domain-addresses.ts'
import { domainCheckDelaysMs } from './retry-delays.ts'

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

export async function dropChecks(tx: Tx, domainId: string): Promise<void> {
  await dropWaitingJobs(tx, task, { domain: domainId }, maxWaitingChecks)
}

/** Records the result of a check, changes the status of the domain, and plans the next check. */
export async function recordCheck(tx: Tx, job: Job<'verify-domain'>, domainId: string, findings: DnsFindings): Promise<void> {
  const before = await lockDomain(tx, domainId)
  if (!before) return // removed meanwhile
  await (before.status === 'verified' ? recordRecheck : recordFirst)(tx, before, outcomeOf(findings))
  await updateDomain(tx, domainId, { checkedBy: job.id, findings })
  tx.announce(checkTopic(domainId))
  if (await hasOtherJob(tx, job)) return // a check was requested meanwhile, and will plan the next one
  const runAt = nextCheck((await findDomainById(tx, domainId))!, tx.now)
  if (runAt !== undefined) await enqueueCheck(tx, domainId, runAt)
}

type Outcome = 'found' | 'failed' | 'unknown'

/** A check fails when either record is certainly missing or wrong; without an answer of the name servers it has no result. */
function outcomeOf({ txt, mx }: DnsFindings): Outcome {
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
