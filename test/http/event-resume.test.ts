import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { readEvents } from '../support/event-reader.ts'
import { openWaits } from '../support/open-waits.ts'
import { emitCreated } from '../support/store/events.ts'
import { watchQueries } from '../support/store/queries.ts'

describe('Event streams: resuming from an old event', () => {
  const eventCount = 20_000
  const streamCount = 30
  let app: TestApp
  let sockets: Socket[]

  before(async () => {
    app = await openTestApp()
    await fill(app.key, eventCount)
  })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(() => { sockets = [] })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await openWaits(app, 0)
  })

  const fill = (key: string, count: number) =>
    emitCreated(app, key, Array.from({ length: count }, (_, i) => ({ addressId: String(i), address: 'someone@mail.localhost' })))

  /**
   * Opens streams from the first event of the account, and reads them at full speed.
   * @returns the number of streams that got the last event
   */
  async function resumeFromStart() {
    let ended = 0
    const { port } = new URL(app.url)
    const last = `"addressId":"${eventCount - 1}"`
    for (let i = 0; i < streamCount; i++) {
      const socket = connect({ port: Number(port), host: '127.0.0.1' }).setEncoding('latin1')
      sockets.push(socket)
      let tail = ''
      socket.on('data', (text: string) => {
        const seen = tail + text
        if (seen.includes(last)) ended++
        tail = seen.slice(1 - last.length)
      })
      socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 0\r\nAuthorization: Bearer ${app.key}\r\n\r\n`)
    }
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('data', resolve))))
    return () => ended
  }

  it('does not delay requests of another account', async () => {
    const other = await app.newKey()
    const ended = await resumeFromStart()
    for (let i = 0; i < 20; i++) expect((await app.api('GET', '/addresses', { key: other })).status).to.equal(200)
    expect(ended()).to.equal(0)
  })

  it('takes turns with a stream of another account whose event is newer', async () => {
    const other = await app.newKey()
    await fill(other, 1)
    const ended = await resumeFromStart()
    const reader = await readEvents(app.url, other, { 'last-event-id': '0' })
    const [event] = await reader.until(1)
    expect([event!.data.data.addressId, ended()]).to.deep.equal(['0', 0])
    reader.drop()
  })

  it('scans the events of other accounts once for all streams of an account', async () => {
    const other = await app.newKey()
    await fill(other, 1)
    let reads = 0
    watchQueries(app, (sql) => {
      if (/^select .* from "outbox" where .*"account_id"/.test(sql)) reads++
    })
    const readers = await Promise.all(Array.from({ length: streamCount }, () => readEvents(app.url, other, { 'last-event-id': '0' })))
    for (const reader of readers) {
      await reader.until(1)
      reader.drop()
    }
    // one at a time they would need 21 each
    expect(reads).to.be.within(21, 21 + 3 * streamCount)
  })

  it('gives a stream every event once and in order, in pieces limited by the size of the events', async () => {
    const other = await app.newKey()
    const filler = 'x'.repeat(30_000)
    for (let i = 0; i < 4; i++) {
      await emitCreated(app, other, Array.from({ length: 60 }, (_, j) => ({ addressId: String(i * 60 + j), filler: j % 3 === 0 ? filler : '' })))
    }
    const reader = await readEvents(app.url, other, { 'last-event-id': '0' })
    const events = await reader.until(240)
    expect(events.map(({ data }) => data.data.addressId)).to.deep.equal(Array.from({ length: 240 }, (_, i) => String(i)))
    reader.drop()
  })
})
