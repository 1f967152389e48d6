import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import { systemClock } from '../server/clock.ts'
import { listAddresses } from '../server/store/addresses.ts'
import { findKeyHolder } from '../server/store/api-keys.ts'
import { openDatabase } from '../server/store/database.ts'

/** The baseline of reading: node:http alone, with the key look-up and the SQL of `GET /api/v1/addresses?limit=20`. */
const { keySql, listSql, countSql } = await recordSql(process.env['MAYFLY_DATABASE']!)
const sqlite = new Sqlite(process.env['MAYFLY_DATABASE']!)
const [findKey, list, count] = [keySql, listSql, countSql].map((sql) => sqlite.prepare(sql))

const server = createServer((request, response) => {
  const key = request.headers.authorization!.slice('Bearer '.length)
  const holder = findKey!.get(createHash('sha256').update(key).digest('hex')) as { account_id: string, mode: string }
  const bounds = [holder.account_id, holder.mode, 0, Number.MAX_SAFE_INTEGER]
  const addresses = list!.all(...bounds, 20, 0)
  const { total } = count!.get(...bounds) as { total: number }
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ data: { addresses, total, limit: 20, offset: 0, hasMore: total > 20 } }))
})
server.listen(0, '127.0.0.1', () => console.log(`listening http=http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))

/** The statements as the server itself runs them, so that both do the same work. */
async function recordSql(file: string) {
  const seen: string[] = []
  const { prepare } = Sqlite.prototype
  const db = await openDatabase(file, systemClock)
  Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
    seen.push(sql)
    return prepare.call(this, sql)
  } as typeof prepare
  await findKeyHolder(db, '')
  await listAddresses(db, { accountId: '', mode: 'live' }, { limit: 20, offset: 0 })
  Sqlite.prototype.prepare = prepare
  await db.close()
  const [keySql, listSql, countSql] = seen
  return { keySql: keySql!, listSql: listSql!, countSql: countSql! }
}
