import { openDeadline, unlessAborted } from '../deadline.ts'
import type { Lookup } from './dns.ts'

/** Of a TXT record and of a name. Other name servers choose the answers, so longer and further records are left out. */
const maxTextChars = 4096
const maxRecords = 100

/** Limits the time of several look-ups together. After it, each fails with ETIMEOUT. */
export function limitLookups(lookup: Lookup, timeoutMs: number): { lookup: Lookup, end(): void } {
  const timeoutReason = Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })
  const { signal, end } = openDeadline({ timeoutMs, timeoutReason })
  return {
    end,
    async lookup(name, type) {
      const records = await unlessAborted(lookup(name, type), signal)
      return records.filter((record) => !Array.isArray(record) || record.join('').length <= maxTextChars).slice(0, maxRecords)
    },
  }
}
