import { expect } from 'chai'
import { hello } from '../smtp/mailbox.ts'
import { callAt, openCells, unknownKey } from '../support/cells.ts'
import type { GateState, TestCell, TestCells } from '../support/cells.ts'
import { readEvents } from '../support/event-reader.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { openWaits } from '../support/open-waits.ts'

describe('Cells: a cell that is unavailable', () => {
  let world: TestCells
  let [a, b, c]: TestCell[] = []
  before(async () => {
    world = await openCells(3);
    [a, b, c] = world.cells
  })
  after(() => world[Symbol.asyncDispose]())

  const statusOf = async (at: TestCell, key: string) => (await callAt(at, key, 'GET', '/addresses')).status

  /** Repeats a call until it has this status. */
  async function until(status: number, call: () => Promise<number>) {
    while (await call() !== status) await new Promise(setImmediate)
  }

  for (const state of ['unavailable', 'silent'] as GateState[]) {
    it(`has 503 and 451, and no other cell has: ${state}`, async () => {
      const { address } = await c!.newAddress()
      const own = await a!.newAddress()
      const toB = await b!.newAddress()
      expect(await statusOf(a!, c!.key)).to.equal(200) // so that its place is known
      const waiting = callAt(a!, c!.key, 'GET', '/emails/wait?timeout=60')
      await openWaits(c!, 1)
      await using session = await openSession(a!.smtp)
      await session.play([hello, ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354]])
      await using second = await openSession(a!.smtp)
      await second.play([hello, ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 250]])
      c!.set(state)
      await second.play([['DATA', 451], ['RSET', 250], ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${own.address}>`, 250]])
      expect((await waiting).status).to.equal(503)
      await session.play([['Subject: lost\r\n\r\nx\r\n.', 451], ['RSET', 250]])
      for (const key of [c!.key, unknownKey()]) {
        const answer = await callAt(a!, key, 'GET', '/addresses')
        expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '5'])
      }
      await session.play([
        ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 451], [`RCPT TO:<unknown@${c!.name}>`, 451], [`RCPT TO:<unknown@${a!.name}>`, 451],
        [`RCPT TO:<${own.address}>`, 250], ['DATA', 354], ['Subject: own\r\n\r\nx\r\n.', 250],
        ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${toB.address}>`, 250], ['DATA', 354], ['Subject: to b\r\n\r\nx\r\n.', 250], ['QUIT', 221],
      ])
      expect([await statusOf(a!, a!.key), await statusOf(a!, b!.key), await statusOf(b!, a!.key)]).to.deep.equal([200, 200, 200])
      expect(await statusOf(a!, 'nonsense')).to.equal(401)
      c!.set('open')
      await until(200, () => statusOf(a!, c!.key))
      await until(401, () => statusOf(a!, unknownKey()))
      await playSession(a!.smtp, [hello, ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 250], [`RCPT TO:<unknown@${c!.name}>`, 550]])
    })
  }

  it('is left by a session that waits for its reply, so that no later command gets it', async () => {
    const { address, id } = await c!.newAddress()
    await using session = await openSession(a!.smtp)
    await session.play([hello, ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354]])
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    c!.gates.smtp.held = held
    c!.gates.http.set('unavailable')
    await session.play([['Subject: Held\r\n\r\nx\r\n.', 451]])
    c!.gates.http.set('open')
    c!.gates.smtp.held = undefined
    release()
    await until(200, () => statusOf(a!, c!.key))
    await session.play([
      ['MAIL FROM:<shop@example.org>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354], ['Subject: Next\r\n\r\nx\r\n.', 250], ['QUIT', 221],
    ])
    await c!.settled()
    expect((await c!.listEmails({ address_id: id })).map(({ subject }) => subject)).to.include('Next')
  })

  it('breaks the streams of its accounts off, so that their readers see that they are not whole', async () => {
    const stream = await readEvents(a!.url, c!.key)
    await openWaits(c!, 1)
    c!.set('unavailable')
    expect(await stream.ended).to.equal(false)
    c!.set('open')
    await openWaits(c!, 0)
  })

  it('is slow for unknown names alone, when it answers slowly', async () => {
    await until(200, () => statusOf(a!, c!.key))
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    c!.gates.http.held = held
    const order: string[] = []
    const unknown = statusOf(a!, unknownKey()).then((status) => order.push(`unknown ${status}`))
    for (const { name, key } of [a!, b!]) order.push(`${name} ${await statusOf(a!, key)}`)
    c!.gates.http.held = undefined
    release()
    await unknown
    expect(order).to.deep.equal(['a.mail.example 200', 'b.mail.example 200', 'unknown 401'])
  })

  it('is counted in the metrics, as requests and mails that are passed on are', async () => {
    const { text } = await a!.app.metrics.exposition()
    const valueOf = (name: string) => Number(new RegExp(`^mayfly_cells_${name}\\S*} (\\d+)$`, 'm').exec(text)![1])
    expect(valueOf('passed_on_total\\{kind="request"')).to.be.greaterThan(1)
    expect(valueOf('passed_on_total\\{kind="mail"')).to.be.greaterThan(1)
    expect(valueOf('lookup_failures_total')).to.be.greaterThan(1)
  })
})
