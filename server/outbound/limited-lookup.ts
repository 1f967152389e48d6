/** Returns the records of a name, as `dns.promises.resolve` does. */
export type Lookup = (name: string, type: string) => Promise<unknown[]>

/** Of a TXT record and of a name. Other name servers choose the answers, so longer and further records are left out. */
const maxTextChars = 4096
const maxRecords = 100

/**
 * Limits the time of several look-ups together. After it, each fails with ETIMEOUT.
 */
export function limitLookups(lookup: Lookup, timeoutMs: number): { lookup: Lookup, end(): void } {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })), timeoutMs)
  })
  expired.catch(() => {}) // against an unhandled rejection while no look-up runs
  return {
    async lookup(name, type) {
      const records = await Promise.race([expired, lookup(name, type)])
      return records.filter((record) => !Array.isArray(record) || record.join('').length <= maxTextChars).slice(0, maxRecords)
    },
    end: () => clearTimeout(timer),
  }
}
