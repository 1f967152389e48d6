import { noteCheck } from '../../domain/domain-checks.ts'
import { dnsRecordsOf } from '../../domain/domains.ts'
import type { DnsAnswer, MailExchange } from '../../outbound/dns.ts'
import { readable } from '../../outbound/reasons.ts'
import { findDomainById } from '../../store/domains.ts'
import type { Finding } from '../../store/domains.ts'
import type { Task } from '../task.ts'

/** Looks up the records of a domain. Each domain has a lane. */
export const verifyDomain: Task<{ domainId: string }> = {
  concurrency: 1,
  inAllLanes: 64,
  lease: 60,
  delays: [5, 60, 300],
  async run(app, { domainId }, job) {
    const row = await findDomainById(app.db, domainId)
    if (!row) return async () => {}
    const records = dnsRecordsOf(app, row)
    const { freshResolver } = app.network
    const [txt, mx] = await Promise.all([freshResolver.txt(row.domain), freshResolver.mx(row.domain)])
    app.closing.throwIfAborted()
    const findings = { txt: judgeTxt(txt, records.txt.value), mx: judgeMx(mx, records.mx.value) }
    return (tx) => noteCheck(tx, job, domainId, findings)
  },
}

/** Others may stand beside it, also those of other accounts that wait for the same domain. */
function judgeTxt(answer: DnsAnswer<string>, value: string): Finding {
  return judge(answer, (text) => text === value, (texts) => texts.find((text) => /^mayfly-verify=/i.test(text)))
}

function judgeMx(answer: DnsAnswer<MailExchange>, host: string): Finding {
  const isHost = ({ exchange }: MailExchange) => exchange.toLowerCase().replace(/\.$/, '') === host
  return judge(answer, isHost, (records) => records.map(({ exchange }) => exchange || '"."').join(', '))
}

/** Characters of what was found instead. */
const longestInstead = 100

/** @param insteadOf what was found instead, if it can be taken for the record */
function judge<T>(answer: DnsAnswer<T>, isRight: (record: T) => boolean, insteadOf: (records: T[]) => string | undefined): Finding {
  if (answer.kind === 'unknown') return { kind: 'unknown', reason: answer.reason }
  if (answer.kind === 'none') return { kind: 'missing' }
  if (answer.records.some(isRight)) return { kind: 'found' }
  const instead = insteadOf(answer.records)
  return instead === undefined ? { kind: 'missing' } : { kind: 'wrong', instead: readable(instead.slice(0, longestInstead)) }
}
