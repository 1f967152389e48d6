import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { pino } from 'pino'
import { newAddress, startServer } from '../crash/server.ts'
import { delivery, hello } from '../smtp/mailbox.ts'
import { openServer, openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { sendRaw } from '../support/send-raw.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import type { SmallDisk } from '../support/small-disk.ts'
import { openWebhooksWorld } from '../webhooks/world.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const full = { error: 'This server cannot store anything at the moment. Try again later.', code: 'STORAGE_FULL' }
const long = 'long\r\n'.repeat(80_000)

/** Repeats a request until it is refused. @returns the refusal */
async function untilRefused(app: TestApp, method: string, path: string, body: unknown) {
  for (;;) {
    const answer = await app.api(method, path, { body })
    if (answer.status >= 400) return answer
  }
}

/** Sends long mail until one is refused. @returns the refusal */
async function untilMailRefused(app: TestApp, address: string): Promise<string> {
  await using session = await openSession(app.smtp)
  await session.play([hello])
  for (;;) {
    await session.play(delivery(address).slice(0, 3))
    session.send(`${long}\r\n.\r\n`)
    const reply = await session.reply()
    if (!reply.startsWith('250')) return reply
  }
}

const offer = async (app: Pick<TestApp, 'smtp'>, address: string, text: string) => {
  await using session = await openSession(app.smtp)
  const replies = await session.play([hello, ...delivery(address).slice(0, 3), [`${text}\r\n.`, 452], ['NOOP', 250]])
  return replies.at(-2)
}

describe('Storage full', () => {
  it('507 STORAGE_FULL: a change is refused, a mail is answered 452, stored data can be read, and changes work again when there is room', async () => {
    let freeBytes = Infinity
    await using app = await openTestApp({ env: { MAYFLY_MIN_FREE_BYTES: '1000' }, freeBytes: async () => freeBytes })
    const { writer } = app.app.db.engine
    const { id, address } = await app.newAddress({ alias: 'here' })
    await playSession(app.smtp, [hello, ...delivery(address)])
    const { id: emailId } = await app.onlyEmail(id)
    const [{ page_count: pages }] = await rawSql(writer, 'pragma page_count') as [{ page_count: number }]
    await rawSql(writer, `pragma max_page_count = ${pages}`)

    const refused = await untilRefused(app, 'POST', '/addresses', {})
    expect([refused.status, refused.body]).to.deep.equal([507, full])
    expect(refused.headers.get('x-ratelimit-limit')).to.equal('1000000')
    freeBytes = 0 // the limit of pages is per connection, and the threads that write mail have connections of their own
    expect(await untilMailRefused(app, address)).to.equal('452 4.3.1 No room for mail at the moment, try again later')
    const before = (await app.api('GET', '/addresses')).body.data.total
    expect((await app.api('GET', `/emails/${emailId}`)).status).to.equal(200)

    freeBytes = Infinity
    await rawSql(writer, `pragma max_page_count = ${pages * 100}`)
    expect((await app.api('POST', '/addresses', { body: {} })).status).to.equal(201)
    expect((await app.api('GET', '/addresses')).body.data.total).to.equal(before + 1)
    await playSession(app.smtp, [hello, ...delivery(address, long)])
    await app.settled()
    expect((await app.listEmails()).at(-1)!.id).to.equal(emailId)
  })

  it('Full disk: every change except a removal is refused, and works again when there is room', async function () {
    using disk = mountSmallDisk(64)
    if (!disk) return this.skip()
    await using app = await openTestApp({ database: join(disk.folder, 'mayfly.db') })
    const { id, address } = await app.newAddress({ alias: 'here' })
    await playSession(app.smtp, [hello, ...delivery(address), ...delivery(address, long), ...delivery(address)])
    await app.settled()
    const [email, second, third] = await app.listEmails()
    await reserved(disk)
    disk.fill()

    const requests: [string, string, unknown][] = [['PATCH', `/emails/${email!.id}`, { isRead: true }], ['POST', '/addresses', {}]]
    for (const [method, path, body] of requests) {
      const { status, body: answer } = await app.api(method, path, { body })
      expect([status, answer], `${method} ${path}`).to.deep.equal([507, diskFull])
    }
    for (const text of ['short'.repeat(9_000), long]) {
      expect(await offer(app, address, text)).to.equal('452 4.3.1 No room for mail at the moment, try again later')
    }
    expect((await app.api('GET', `/emails/${email!.id}`)).status).to.equal(200)

    expect((await app.api('DELETE', `/emails/${email!.id}`)).status).to.equal(200)
    expect((await app.api('DELETE', `/emails/${second!.id}`, { headers: { 'idempotency-key': 'one' } })).status).to.equal(200)
    disk.fill() // another process takes the released reserve
    expect((await app.listEmails()).map(({ id }) => id)).to.deep.equal([third!.id])

    disk.empty()
    expect((await app.api('PATCH', `/emails/${third!.id}`, { body: { isRead: true } })).status).to.equal(200)
    await playSession(app.smtp, [hello, ...delivery(address, 'short\r\n'), ...delivery(address, long)])
    await app.settled()
    expect((await app.api('GET', '/emails')).body.total).to.equal(3)
    expect((await app.api('DELETE', `/addresses/${id}`)).status).to.equal(200)
  })

  it('Full disk: a server starts, shows stored mail, and accepts changes and mail when there is room', async function () {
    using disk = mountSmallDisk(64)
    if (!disk) return this.skip()
    const database = join(disk.folder, 'mayfly.db')
    const first = await openTestApp({ database, isRealTime: true })
    const { address } = await first.newAddress({ alias: 'here' })
    await playSession(first.smtp, [hello, ...delivery(address)])
    await first.settled()
    await reserved(disk)
    await first[Symbol.asyncDispose]()
    disk.fill()

    const faults: string[] = []
    const log = pino({ level: 'error' }, { write: (line) => { faults.push((JSON.parse(line) as { msg: string }).msg) } })
    const server = await openServer({ database, log })
    try {
      const api = async (method: string, path: string, body?: unknown) => {
        const headers = { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' }
        const answer = await fetch(`${server.http.url}/api/v1${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
        return { status: answer.status, body: await answer.json() as { total: number, code: string } }
      }
      expect((await api('GET', '/emails')).body.total).to.equal(1)
      expect(await api('POST', '/addresses', {})).to.deep.equal({ status: 507, body: diskFull })
      const smtp = { host: '127.0.0.1', port: server.smtp.port }
      expect(await offer({ smtp }, address, 'short')).to.equal('452 4.3.1 No room for mail at the moment, try again later')

      disk.empty()
      expect((await api('POST', '/addresses', {})).status).to.equal(201)
      await playSession(smtp, [hello, ...delivery(address)])
      expect((await api('GET', '/emails')).body.total).to.equal(2)
      expect(faults).to.not.include('job left until its claim is released')
    } finally {
      await server.close()
    }
  })

  it('Full disk: the response of a webhook is stored when there is room, without a second call', async function () {
    using disk = mountSmallDisk(64)
    if (!disk) return this.skip()
    await using world = await openWebhooksWorld({ database: join(disk.folder, 'mayfly.db') })
    const { app, endpoint, subscribe, deliveriesOf } = world
    const { id } = await subscribe({ events: ['address.created'] })
    await reserved(disk)
    endpoint.answer = () => {
      disk.fill()
      app.app.db.engine.reserve.release()
      disk.fill()
      return 200
    }
    await app.newAddress()
    while (endpoint.deliveries.length === 0) await new Promise(setImmediate)
    expect((await deliveriesOf(id))[0]).to.include({ status: 'pending' })
    disk.empty()
    await app.settled()
    expect((await deliveriesOf(id))[0]).to.include({ status: 'succeeded' })
    expect(endpoint.deliveries).to.have.length(1)
  })

  it('Full disk: parallel mails leave MAYFLY_MIN_FREE_BYTES free', async function () {
    using disk = mountSmallDisk(192)
    if (!disk) return this.skip()
    const minFreeBytes = 96 * megabyte
    await using app = await openTestApp({ database: join(disk.folder, 'mayfly.db'), env: { MAYFLY_MIN_FREE_BYTES: String(minFreeBytes) } })
    const { address } = await app.newAddress()
    let accepted = 0
    // a file, as the texts of a mail are stored a second time when it is published, from space that is kept for that
    const head = 'Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=a.bin\r\n\r\n'
    const text = head + 'x'.repeat(998).concat('\r\n').repeat(2_000)
    await Promise.all(Array.from({ length: 12 }, async () => {
      for (let mail = 0; mail < 5; mail++) await sendRaw(app.smtp.port, address, text).then(() => { accepted++ }, () => {})
    }))
    expect(accepted).to.be.within(10, 59)
    console.log(`      ${accepted} of 60 mails of 2 MB accepted, ${Math.round(disk.freeBytes() / megabyte)} MB left of ${minFreeBytes / megabyte}`)
    expect(disk.freeBytes()).to.be.greaterThan(minFreeBytes - 8 * megabyte)
  })

  it('Full disk: the chunks of a mail that was arriving when the server was killed are removed at the next start', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-killed-'))
    try {
      const server = await startServer(folder)
      const { address } = await newAddress(server.url, server.key)
      const socket = connect(server.smtpPort, '127.0.0.1').on('error', () => {})
      socket.write(`EHLO a.example\r\nMAIL FROM:<a@a.example>\r\nRCPT TO:<${address}>\r\nDATA\r\n${long.repeat(3)}`)
      const sqlite = new Sqlite(join(folder, 'mayfly.db'), { readonly: true })
      const chunks = () => sqlite.prepare('select count(*) from message_chunks').pluck().get() as number
      while (chunks() < 4) await new Promise((resolve) => setTimeout(resolve, 20))
      server.child.kill('SIGKILL')
      await server.exited
      expect(chunks()).to.be.greaterThan(3)
      await using app = await openTestApp({ database: join(folder, 'mayfly.db'), isRealTime: true })
      await app.settled()
      expect(chunks()).to.equal(0)
      sqlite.close()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

const megabyte = 1024 * 1024

const diskFull = { error: 'The disk of this server is full. Try again later.', code: 'STORAGE_FULL' }

/** Waits until the reserve file is written. */
async function reserved({ folder }: SmallDisk) {
  while (!existsSync(join(folder, 'mayfly.db-reserve'))) await new Promise(setImmediate)
}
