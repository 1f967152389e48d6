import { expect } from 'chai'
import { Writable } from 'node:stream'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import { document } from '../../server/contract/document.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import { testEngineOf } from '../support/store/engines.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { watchQueries } from '../support/store/queries.ts'

interface Line { path: string, operation: string, status: number }

describe('Fair share: requests of several accounts', () => {
  let app: TestApp
  let other: string
  /** The requests in the order in which they were answered. */
  let answered: Line[]
  /** Messages of the errors in the server's log. */
  let failures: string[]
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 1000 })
  const log = pino({}, new Writable({
    write(chunk: Buffer, _encoding, done) {
      const line = JSON.parse(chunk.toString()) as Line & { msg: string, level: number }
      if (line.msg === 'request') answered.push(line)
      if (line.level >= 50) failures.push(line.msg)
      done()
    },
  }))
  const newAccount = shareTestApp({ log })
  let endSlowness: () => void

  beforeEach(async () => {
    app = await newAccount()
    other = await app.newKey()
    answered = []
    failures = []
    endSlowness = () => {}
  })
  afterEach(() => {
    agent.destroy()
    endSlowness()
  })

  const ask = (key: string, path: string, request: { method?: string, body?: string, agent?: Agent } = {}) => rawRequest(app.url, {
    path: `/api/v1${path}`, agent, ...request,
    headers: { authorization: `Bearer ${key}`, ...(request.body && { 'content-type': 'application/json' }) },
  })

  /** Opens connections, so that the requests after it arrive together. */
  async function openConnections(count: number) {
    await Promise.all(Array.from({ length: count }, () => rawRequest(app.url, { path: '/healthz', agent })))
    answered = []
  }

  /** Makes each query with this SQL block the thread for this time, until the test ends or `endSlowness` is called. */
  function slowDown(part: string, milliseconds: number) {
    const { db } = app.app
    const { execute } = db
    endSlowness = () => { db.execute = execute }
    db.execute = ((sql: string, parameters: unknown[]) => {
      const until = performance.now() + milliseconds
      while (sql.includes(part) && performance.now() < until);
      return execute(sql, parameters)
    })
  }

  /** The number of requests of an operation that were answered before the first of another operation. */
  const before = (first: string, second: string) =>
    answered.slice(0, answered.findIndex(({ operation }) => operation === second)).filter(({ operation }) => operation === first).length

  it('answers a read before most of the expensive requests that another account sent earlier', async () => {
    await openConnections(41)
    slowDown('from "addresses"', 10)
    const many = Array.from({ length: 40 }, () => ask(app.key, '/addresses'))
    const one = ask(other, '/webhooks')
    const answers = await Promise.all([...many, one])
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(41).fill(200))
    expect(before('addresses.list', 'webhooks.list')).to.be.lessThan(20)
  })

  it('makes a change before most of the changes that another account sent earlier', async () => {
    const ownAgent = new Agent({ keepAlive: true })
    await Promise.all(Array.from({ length: 200 }, () => ask(app.key, '/addresses'))) // so that the server knows the account of each connection
    await ask(other, '/addresses', { agent: ownAgent })
    const many = Array.from({ length: 200 }, () => ask(app.key, '/addresses', { method: 'POST', body: '{}' }))
    const one = ask(other, '/webhooks', { method: 'POST', agent: ownAgent, body: '{"url":"https://hooks.example.com/","events":["email.received"]}' })
    const answers = await Promise.all([...many, one])
    ownAgent.destroy()
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(201).fill(201))
    expect(before('addresses.create', 'webhooks.create')).to.be.lessThan(100)
  })

  it('answers all requests of an account that arrive together', async () => {
    await openConnections(30)
    slowDown('from "addresses"', 2)
    await Promise.all(Array.from({ length: 30 }, (_, i) => ask(app.key, `/addresses?offset=${i}`)))
    expect(answered).to.have.length(30)
  })

  it('refuses requests of an account with 600 waiting requests, and none of another account', async function () {
    await openConnections(801)
    slowDown('from "addresses"', 15) // so that fewer than 200 are done when the last one arrives, also on a slow machine
    const many = Array.from({ length: 800 }, () => ask(app.key, '/addresses'))
    const one = ask(other, '/webhooks')
    const refused = Promise.any(many.map(async (answer) => { expect((await answer).status).to.equal(429) }))
    expect((await one).status).to.equal(200)
    await refused
    endSlowness() // the requests that still wait are answered fast
    const statuses = (await Promise.all(many)).map(({ status, headers }) => [status, headers['retry-after']].join(' '))
    expect(new Set(statuses)).to.deep.equal(new Set(['200 ', '429 1']))
    expect(document.info.description).to.include('At most 600 requests of an account')
  })

  it('answers a request before most of the refused requests that other connections have pipelined', async () => {
    const refused = (path: string, key: string) => `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
    await openConnections(1)
    const pipelining = Array.from({ length: 10 }, (_, i) => {
      const socket = connect({ port: app.app.http.port, host: '127.0.0.1' })
      socket.on('error', () => {}).resume()
      socket.write(refused('/webhooks?limit=-1', i % 2 ? app.key : 'svc_live_wrong').repeat(300))
      return socket
    })
    while (answered.length === 0 && !pipelining.some(({ closed }) => closed)) await new Promise(setImmediate)
    expect((await ask(other, '/addresses')).status).to.equal(200)
    expect(pipelining.map(({ closed }) => closed)).to.deep.equal(Array(10).fill(false))
    expect(before('webhooks.list', 'addresses.list')).to.be.lessThan(1_000)
    for (const socket of pipelining) socket.destroy()
  })

  it('reads few chunks of all downloads per turn of the event loop, so that other requests get their turn', async () => {
    const { id: addressId, address } = await app.newAddress()
    await app.send({ to: address, text: 'word '.repeat(200_000) })
    const { id } = await app.onlyEmail(addressId)
    await openConnections(20)
    slowDown('from "message_chunks"', 6) // more than the time of one turn
    let [reads, maxReads] = [0, 0]
    watchQueries(app, (sql) => {
      if (sql.includes('from "message_chunks"')) maxReads = Math.max(maxReads, ++reads)
    })
    const downloads = Promise.all(Array.from({ length: 20 }, () => ask(app.key, `/emails/${id}/raw`)))
    let isOver = false
    void downloads.finally(() => { isOver = true })
    while (!isOver) {
      await new Promise(setImmediate)
      reads = 0
    }
    const lengths = (await downloads).map(({ bytes }) => bytes.length > 1_000_000)
    expect(lengths).to.deep.equal(Array(20).fill(true))
    expect(maxReads).to.be.within(1, testEngineOf(app.app.db).readsATurn)
  })

  it('does not count a request that waits for mail as running', async () => {
    const { id, address } = await app.newAddress()
    const waits = Array.from({ length: 30 }, () => ask(app.key, `/emails/wait?address_id=${id}&timeout=30`))
    for (let i = 0; i < 20; i++) expect((await ask(app.key, '/addresses')).status).to.equal(200)
    await app.send({ to: address, subject: 'awaited' })
    for (const { status, json } of await Promise.all(waits)) expect([status, json.data.subject]).to.deep.equal([200, 'awaited'])
  })

  it('finishes waiting requests before the database is closed, also those of disconnected callers', async () => {
    await using closing = await openTestApp({ log })
    app = closing
    await openConnections(40)
    slowDown('from "addresses"', 5)
    const many = Array.from({ length: 40 }, () => ask(app.key, '/addresses').catch(() => undefined))
    while (app.app.metrics.openRequests.size + answered.length < 40) await new Promise(setImmediate) // all are being handled
    agent.destroy()
    await Promise.all(many)
    await app.app.close()
    expect(failures).to.deep.equal([])
    expect(answered.filter(({ operation }) => operation === 'addresses.list')).to.have.length(40)
  })

  it('gives one connection of an account as many turns as 40 of another account, also for refused requests', async () => {
    await openConnections(41)
    await Promise.all(Array.from({ length: 40 }, () => ask(app.key, '/addresses'))) // so that the server knows the account of each connection
    await ask(other, '/addresses')
    slowDown('from "api_key_version"', 3) // each look-up of a key reads it
    let isOver = false
    let refused = 0
    const flood = Promise.all(Array.from({ length: 40 }, async () => {
      while (!isOver) {
        expect((await ask(app.key, '/nothing')).status).to.equal(404)
        refused++
      }
    }))
    while (refused < 40) await new Promise(setImmediate)
    const before = refused
    for (let i = 0; i < 5; i++) expect((await ask(other, '/addresses')).status).to.equal(200)
    const meanwhile = refused - before
    isOver = true
    await flood
    expect(meanwhile).to.be.lessThan(80)
  })
})
