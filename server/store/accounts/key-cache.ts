import { prepared } from '../changes/prepared.ts'
import type { Database } from '../database.ts'
import { findKeyHolder } from './api-keys.ts'
import type { KeyHolder } from './api-keys.ts'

/** Maximum holders in memory, about 500 bytes each. Unknown keys are not kept, so they cannot displace others. */
const defaultMaxHolders = 10_000

/**
 * Opens the look-up of keys. Holders stay in memory until a key or an account changes, in this process or another: each look-up reads the
 * version of the keys, which is one row, so a revocation holds from its commit on (docs/decisions/0004). Keys are known by their hash
 * alone.
 * @returns a function that finds the holder by the SHA-256 of the key's value, in hex
 */
export function openKeyCache(db: Database, maxHolders = defaultMaxHolders): (hash: string) => Promise<KeyHolder | undefined> {
  const holders = new Map<string, KeyHolder>()
  let version: number | undefined // of all holders in memory
  return async (hash) => {
    const current = (await selectVersion(db, {})).rows[0]!.version
    if (current !== version) {
      holders.clear()
      version = current
    }
    const known = holders.get(hash)
    if (known) return known
    const found = await findKeyHolder(db, hash)
    if (found && current === version) { // otherwise it may be older than the version
      if (holders.size >= maxHolders) holders.delete(holders.keys().next().value!)
      holders.set(hash, found)
    }
    return found
  }
}

const selectVersion = prepared<object, { version: number }>((sql) => sql.selectFrom('api_key_version').select('version'))
