/** The records of a name, as `dns.promises.resolve` gives them. */
export type Lookup = (name: string, type: string) => Promise<unknown[]>

/** Strangers choose the answers: characters of a TXT record, and records, that are looked at. */
const longestText = 4096
const mostRecords = 100

/**
 * Look-ups that end together: what is not answered by then is a timeout.
 * @param patience milliseconds
 */
export function limitLookups(lookup: Lookup, patience: number): { lookup: Lookup, end(): void } {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer in time'), { code: 'ETIMEOUT' })), patience)
  })
  expired.catch(() => {}) // no unhandled rejection while no look-up runs
  return {
    async lookup(name, type) {
      const records = await Promise.race([expired, lookup(name, type)])
      return records.filter((record) => !Array.isArray(record) || record.join('').length <= longestText).slice(0, mostRecords)
    },
    end: () => clearTimeout(timer),
  }
}
