import type { DomainCreated } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { inTransaction } from '../store/database.ts'
import { findDomain, isVerifiedDomain } from '../store/domains.ts'
import type { DnsFinding, DnsFindings } from '../store/domains.ts'
import type { DomainRow } from '../store/schema.ts'
import { checkNow } from './domain-checks.ts'
import { dnsRecordsOf, inUse, noDomain, withRecords } from './domains.ts'

/**
 * Has a domain checked at once.
 * @returns the id of the check, null when the domain is verified already
 * @throws AppError `NOT_FOUND`, `CONFLICT` when another account holds the domain
 */
export function requestCheck(app: App, caller: Caller, id: string): Promise<string | null> {
  return inTransaction(app.db, async (tx) => {
    const row = await findDomain(tx, caller, id)
    if (!row) throw noDomain()
    if (row.status === 'verified') return null
    if (await isVerifiedDomain(tx, row.domain)) throw inUse(row.domain)
    return checkNow(tx, id)
  })
}

/** Whether a check is over, or its domain is removed. */
export async function isChecked(app: App, caller: Caller, id: string, checkId: string): Promise<true | undefined> {
  const row = await findDomain(app.db, caller, id)
  return !row || isOver(row, checkId) || undefined
}

/**
 * A domain with its DNS records, and a message with the result of a check.
 * @throws AppError `NOT_FOUND`, `CONFLICT` when another account holds the domain
 */
export async function describeCheck(
  app: App, caller: Caller, id: string, checkId: string | null,
): Promise<{ data: DomainCreated, message: string }> {
  const row = await findDomain(app.db, caller, id)
  if (!row) throw noDomain()
  const data = withRecords(app, row)
  if (row.status === 'verified') return { data, message: `${row.domain} is verified.` }
  if (await isVerifiedDomain(app.db, row.domain)) throw inUse(row.domain)
  if (checkId !== null && isOver(row, checkId)) return { data, message: inWords(app, row, JSON.parse(row.findings!) as DnsFindings) }
  return { data, message: `The name servers of ${row.domain} have not answered yet. The check goes on; ask again in a moment.` }
}

/** Checks of a domain run one after the other, in the order of their ids. */
const isOver = (row: DomainRow, checkId: string) => row.checked_by !== null && row.checked_by >= checkId

function inWords(app: App, row: DomainRow, { txt, mx }: DnsFindings): string {
  const records = dnsRecordsOf(app, row)
  const sentences = [
    sentence(`The TXT record of ${row.domain}`, txt, records.txt.value),
    sentence(`The MX record of ${row.domain}`, mx, records.mx.value),
  ]
  return [...new Set(sentences.filter((text) => text !== ''))].join(' ') ||
    `Both records of ${row.domain} were found while another account held it. Ask again.`
}

function sentence(record: string, finding: DnsFinding, value: string): string {
  switch (finding.kind) {
    case 'found': return ''
    case 'missing': return `${record} was not found.`
    case 'wrong': return `${record} is ${finding.instead}, not ${value}.`
    case 'unknown': return `${finding.reason}. It is tried again later.`
  }
}
