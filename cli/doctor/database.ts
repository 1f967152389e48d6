import { ok, problem } from './check.ts'
import type { Check } from './check.ts'

/** Whether this version can open the file, and whether a server uses it. */
export const database: Check = {
  name: 'database',
  async run({ config, database }) {
    const file = config.database
    if (database.kind === 'none') return ok(`${file} is not there yet, the first start makes it`)
    if (database.kind === 'unusable') {
      return problem(`${file} cannot be opened: ${database.reason}`, 'Let MAYFLY_DATABASE name a file that this user may read and write, in a folder where it may make others.')
    }
    if (database.kind === 'incomplete') return problem(`${file} ${database.reason}`, database.wayOut)
    if (database.newer) return problem(`${file} ${database.newer}`, 'Start that version.')
    const server = database.isServed ? 'a server runs on it' : 'no server runs on it'
    return ok(`${file} can be opened, ${server}${database.missing.length > 0 ? '; the next start brings it up to date' : ''}`)
  },
}
