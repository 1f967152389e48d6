import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import { recordQueries } from './recorded-queries.ts'

/**
 * The baseline of requests: node:http alone, with the key look-up and the SQL of `GET /api/v1/addresses?limit=20` and of
 * `POST /api/v1/addresses`. Requests that arrive together share a commit, with an fsync.
 */
const file = process.env['MAYFLY_DATABASE']!
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
const queries = await recordQueries(file, hashOf(process.env['BENCH_KEY']!))
const reader = new Sqlite(file, { readonly: true })
const findKey = reader.prepare(queries.key)
const [list, count] = queries.list.map(({ sql, parameters }) => reader.prepare(sql).bind(parameters))

const writer = new Sqlite(file)
writer.pragma('synchronous = FULL')
const [begin, commit] = ['begin immediate', 'commit'].map((sql) => writer.prepare(sql))
const inserts = queries.create.map(({ sql, valuesOf }) => ({ statement: writer.prepare(sql), valuesOf }))
/** Each runs the statements of a creation, and returns the function that answers it. */
let waiting: (() => () => void)[] = []

const server = createServer((request, response) => {
  const key = request.headers.authorization!.slice('Bearer '.length)
  if (!findKey.get(hashOf(key))) return void response.writeHead(401).end()
  const answer = (status: number, data: object) => {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify({ data }))
  }
  if (request.method === 'POST') return void createAddress(request).then((address) => answer(201, address))
  const addresses = list!.all()
  const { total } = count!.get() as { total: number }
  answer(200, { addresses, total, limit: 20, offset: 0, hasMore: total > 20 })
})
server.listen(0, '127.0.0.1', () => console.log(`listening http=http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.once('SIGTERM', () => process.exit(0))

async function createAddress(request: IncomingMessage): Promise<object> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  JSON.parse(text)
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(commitAll)
    waiting.push(() => {
      const fresh = queries.freshValues()
      for (const { statement, valuesOf } of inserts) {
        if (statement.reader) statement.all(valuesOf(fresh))
        else statement.run(valuesOf(fresh))
      }
      return () => resolve(queries.addressOf(fresh))
    })
  })
}

function commitAll() {
  const changes = waiting
  waiting = []
  begin!.run()
  const answers = changes.map((change) => change())
  commit!.run()
  for (const answer of answers) answer()
}
