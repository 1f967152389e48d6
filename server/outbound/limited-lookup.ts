import { openDeadline, unlessAborted } from '../deadline.ts'

/** The records of a name, as `dns.promises.resolve` gives them. */
export type Lookup = (name: string, type: string) => Promise<unknown[]>

/** Strangers choose the answers: characters of a TXT record, and records, that are looked at. */
const longestText = 4096
const mostRecords = 100

/**
 * Look-ups that share a deadline: one without an answer by then fails with the code of a timeout of DNS.
 */
export function limitLookups(lookup: Lookup, timeoutMs: number): { lookup: Lookup, end(): void } {
  const timeoutReason = Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })
  const { signal, end } = openDeadline({ timeoutMs, timeoutReason })
  return {
    end,
    async lookup(name, type) {
      const records = await unlessAborted(lookup(name, type), signal)
      return records.filter((record) => !Array.isArray(record) || record.join('').length <= longestText).slice(0, mostRecords)
    },
  }
}
