import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import { systemClock } from '../server/clock.ts'
import { listAddresses } from '../server/store/addresses/address-list.ts'
import { findKeyHolder } from '../server/store/accounts/api-keys.ts'
import { openDatabase } from '../server/store/database.ts'

/** The baseline of reading: node:http alone, with the key look-up and the SQL of `GET /api/v1/addresses?limit=20`. */
const file = process.env['MAYFLY_DATABASE']!
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
const [keyQuery, ...listQueries] = await recordQueries(hashOf(process.env['BENCH_KEY']!))
const sqlite = new Sqlite(file, { readonly: true })
const findKey = sqlite.prepare(keyQuery!.sql)
const [list, count] = listQueries.map(({ sql, parameters }) => sqlite.prepare(sql).bind(parameters))

const server = createServer((request, response) => {
  const key = request.headers.authorization!.slice('Bearer '.length)
  if (!findKey.get(hashOf(key))) return response.writeHead(401).end()
  const addresses = list!.all()
  const { total } = count!.get() as { total: number }
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  return response.end(JSON.stringify({ data: { addresses, total, limit: 20, offset: 0, hasMore: total > 20 } }))
})
server.listen(0, '127.0.0.1', () => console.log(`listening http=http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))

/** The same queries as the server's, so that both do the same work. */
async function recordQueries(hash: string) {
  const recorded: { sql: string, parameters: readonly unknown[] }[] = []
  const db = await openDatabase(file, systemClock)
  const { execute } = db
  db.execute = (sql, parameters) => {
    recorded.push({ sql, parameters })
    return execute(sql, parameters)
  }
  const owner = await findKeyHolder(db, hash)
  await listAddresses(db, owner!, { limit: 20, offset: 0 })
  await db.close()
  return recorded
}
