import type { App } from '../../context.ts'
import { dnsRecordsOf, recordCheck } from '../../domain/domains.ts'
import { errorRetryDelaysMs } from '../../domain/retry-delays.ts'
import type { DnsAnswer, MailExchange } from '../../outbound/dns.ts'
import { toSingleLine } from '../../outbound/reasons.ts'
import { findDomainById } from '../../store/addresses/domains.ts'
import type { DnsFinding } from '../../store/addresses/domains.ts'
import type { Task } from '../run-job.ts'

/** Looks up the records of a domain. Each domain has a lane. */
export const verifyDomain: Task<'verify-domain'> = {
  maxPerLane: 1,
  maxInAllLanes: 64,
  errorRetryDelaysMs: errorRetryDelaysMs.domainCheck,
  async run(app, { domainId }, job) {
    const row = await findDomainById(app.db, domainId)
    if (!row) return async () => {}
    const records = dnsRecordsOf(app, row)
    const { freshResolver } = app.network
    const [txt, mx] = await Promise.all([freshResolver.txt(row.domain), freshResolver.mx(row.domain)])
    app.closing.throwIfAborted()
    const findings = { txt: judgeTxt(txt, records.txt.value), mx: judgeMx(mx, records.mx.value) }
    const isFound = findings.txt.kind === 'found' && findings.mx.kind === 'found'
    const isHeldElsewhere = isFound && row.status !== 'verified' && await isHeldByCell(app, row.domain)
    return (tx) => recordCheck(tx, job, domainId, { ...findings, isHeldElsewhere })
  },
}

/** Whether an account of another cell has verified a domain now. @throws UnavailableError */
async function isHeldByCell({ network: { cells } }: App, domain: string): Promise<boolean> {
  cells?.forget(`domain ${domain}`)
  return await cells?.find(`domain ${domain}`, 'domains') !== undefined
}

/** Other TXT records are allowed, also those of other accounts that want to verify the same domain. */
function judgeTxt(answer: DnsAnswer<string>, value: string): DnsFinding {
  return judge(answer, (text) => text === value, (texts) => texts.find((text) => /^mayfly-verify=/i.test(text)))
}

function judgeMx(answer: DnsAnswer<MailExchange>, host: string): DnsFinding {
  const isHost = ({ exchange }: MailExchange) => exchange.toLowerCase().replace(/\.$/, '') === host
  return judge(answer, isHost, (records) => records.map(({ exchange }) => exchange || '"."').join(', '))
}

/** Maximum characters of the value that is shown in place of the expected one. */
const maxInsteadLength = 100

/** @param insteadOf returns the value that was found in place of the record, if there is one */
function judge<T>(answer: DnsAnswer<T>, isRight: (record: T) => boolean, insteadOf: (records: T[]) => string | undefined): DnsFinding {
  if (answer.kind === 'unknown') return { kind: 'unknown', reason: answer.reason }
  if (answer.kind === 'none') return { kind: 'missing' }
  if (answer.records.some(isRight)) return { kind: 'found' }
  const instead = insteadOf(answer.records)
  return instead === undefined ? { kind: 'missing' } : { kind: 'wrong', instead: toSingleLine(instead.slice(0, maxInsteadLength)) }
}
