import { databaseLabel } from '../../server/config/database-url.ts'
import { ok, problem, warning } from './check.ts'
import type { Check } from './check.ts'

/** Whether this version can open the database, whether a server uses it, and whether other users can read it. */
export const database: Check = {
  name: 'database',
  async run({ config, database }) {
    const file = databaseLabel(config.database)
    if (database.kind === 'unreachable') return problem(database.reason.replace(/^MAYFLY_DATABASE: /, ''), 'Correct this, then start the server. It waits a minute for a database that only starts later, and ends at once for another reason.')
    if (database.kind === 'none') return ok(`${file} is not there yet, the first start makes it`)
    if (database.kind === 'unusable') {
      return problem(`${file} cannot be opened: ${database.reason}`, 'Let MAYFLY_DATABASE name a file that this user may read and write, in a folder where it may make others.')
    }
    if (database.kind === 'incomplete') return problem(`${file} ${database.reason}`, database.wayOut)
    if (database.newer) return problem(`${file} ${database.newer}`, 'Start that version.')
    const server = database.isServed ? 'a server runs on it' : 'no server runs on it'
    const state = ok(`${file} can be opened, ${server}${database.missing.length > 0 ? '; the next start brings it up to date' : ''}`)
    if (database.kind === 'server' || database.openMode === null) return state
    return [state, warning(`${file}: every user of this machine can read the mail in it (mode ${database.openMode})`, `chmod 600 ${file}*`)]
  },
}
