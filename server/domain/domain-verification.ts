import type { App, Caller } from '../context.ts'
import type { DomainCreated } from '../contract/types.gen.ts'
import { notFound } from '../errors.ts'
import { findDomain, isVerifiedDomain } from '../store/addresses/domains.ts'
import type { DnsFinding, DomainFindings, StoredDomain } from '../store/addresses/domains.ts'
import type { Tx } from '../store/database.ts'
import { checkNow, dnsRecordsOf, inUse, withRecords } from './domains.ts'

/**
 * Has a domain checked at once.
 * @returns the id of the check, null when the domain is verified already
 * @throws AppError `NOT_FOUND`, `CONFLICT` when another account holds the domain
 */
export async function requestCheck(tx: Tx, caller: Caller, id: string): Promise<string | null> {
  const stored = await findDomain(tx, caller, id)
  if (!stored) throw notFound('domain')
  if (stored.status === 'verified') return null
  if (await isVerifiedDomain(tx, stored.domain)) throw inUse(stored.domain)
  return checkNow(tx, id)
}

/** Whether a check is over, or its domain is removed. */
export async function isChecked(app: App, caller: Caller, id: string, checkId: string): Promise<true | undefined> {
  const stored = await findDomain(app.db, caller, id)
  return !stored || isOver(stored, checkId) || undefined
}

/**
 * A domain with its DNS records, and a message with the result of a check.
 * @throws AppError `NOT_FOUND`, `CONFLICT` when another account holds the domain
 */
export async function describeCheck(
  app: App, caller: Caller, id: string, checkId: string | null,
): Promise<{ data: DomainCreated, message: string }> {
  const stored = await findDomain(app.db, caller, id)
  if (!stored) throw notFound('domain')
  const data = withRecords(app, stored)
  if (stored.status === 'verified') return { data, message: `${stored.domain} is verified.` }
  if (await isVerifiedDomain(app.db, stored.domain)) throw inUse(stored.domain)
  if (checkId !== null && isOver(stored, checkId)) {
    if (stored.findings!.isHeldElsewhere) throw inUse(stored.domain)
    return { data, message: inWords(app, stored, stored.findings!) }
  }
  return { data, message: `The name servers of ${stored.domain} have not answered yet. The check goes on; ask again in a moment.` }
}

/** Checks of a domain run one after the other, in the order of their ids. */
const isOver = (stored: StoredDomain, checkId: string) => stored.checkedBy !== null && stored.checkedBy >= checkId

function inWords(app: App, stored: StoredDomain, { txt, mx }: DomainFindings): string {
  const records = dnsRecordsOf(app, stored)
  const sentences = [
    sentence(`The TXT record of ${stored.domain}`, txt, records.txt.value),
    sentence(`The MX record of ${stored.domain}`, mx, records.mx.value),
  ]
  return [...new Set(sentences.filter((text) => text !== ''))].join(' ') ||
    `Both records of ${stored.domain} were found while another account held it. Ask again.`
}

function sentence(record: string, finding: DnsFinding, value: string): string {
  switch (finding.kind) {
    case 'found': return ''
    case 'missing': return `${record} was not found.`
    case 'wrong': return `${record} is ${finding.instead}, not ${value}.`
    case 'unknown': return `${finding.reason}. It is tried again later.`
  }
}
