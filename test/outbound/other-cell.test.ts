import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { pino } from 'pino'
import { OtherCell } from '../../server/outbound/other-cell.ts'

describe('Cells: another cell', () => {
  let server: Server
  let cell: OtherCell
  let answer: (req: IncomingMessage, res: ServerResponse) => unknown
  beforeEach(async () => {
    server = createServer((req, res) => void answer(req, res))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const place = { name: 'b.mail.example', url: `http://127.0.0.1:${port}`, smtp: { host: '127.0.0.1', port } }
    cell = new OtherCell(place, { log: pino({ level: 'silent' }), header: {}, cells: [], lookupFailed() {} })
  })
  afterEach(() => {
    cell.close()
    server.closeAllConnections()
    server.close()
  })

  it('gets the lookups of a moment in two calls, and at most 200 names in one', async () => {
    const calls: number[] = []
    answer = async (req, res) => {
      const { names } = JSON.parse(await text(req)) as { names: string[] }
      calls.push(names.length)
      res.end(JSON.stringify({ cell: 'b.mail.example', cells: [], accounts: names.map((name) => `of ${name}`) }))
    }
    const names = Array.from({ length: 261 }, (_, i) => `key ${i}`)
    const find = (name: string, i: number) => cell.find(name, `network ${i % 3}`)
    expect(await Promise.all(names.slice(0, 61).map(find))).to.deep.equal(names.slice(0, 61).map((name) => `of ${name}`))
    expect(calls.splice(0)).to.deep.equal([1, 60])
    await Promise.all(names.map(find))
    expect(calls).to.deep.equal([1, 200, 60])
  })

  it('is unavailable when its answer to a lookup is too long, also without a length', async () => {
    answer = (_req, res) => {
      const write = () => { while (!res.destroyed && res.write(' '.repeat(64 * 1024))); }
      res.on('drain', write)
      write()
    }
    const error = await cell.call([]).catch((thrown: Error) => thrown)
    expect((error as Error).message).to.equal('its answer is too long')
  })

  it('is unavailable when its answer has not all names', async () => {
    answer = (_req, res) => res.end(JSON.stringify({ cell: 'b.mail.example', cells: [], accounts: [] }))
    expect(await cell.find('key x', 'network').catch(({ status }: { status: number }) => status)).to.equal(503)
  })

  it('takes the requests of each account, also when one has as many as there may be', async () => {
    answer = (req, res) => req.url === '/other' && res.end()
    const gone = new AbortController()
    const ended: number[] = []
    const slow = Array.from({ length: 1_000 }, (_, i) => cell.send({ path: '/slow', headers: {} }, undefined, { accountId: 'slow', gone: gone.signal })
      .then(() => 200, ({ status }: { status: number }) => ended.push(i) && status))
    const { statusCode } = await cell.send({ path: '/other', headers: {} }, undefined, { accountId: 'other', gone: gone.signal })
    expect([statusCode, await slow[0], ended]).to.deep.equal([200, 503, [0]])
    gone.abort()
    await Promise.all(slow)
  })

  it('begins at most 50 SMTP sessions at once, in turns of the networks of their clients', async () => {
    const begun: string[] = []
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const begin = (network: string) => cell.beginInTurn(network, () => {
      begun.push(network)
      return held
    })
    const all = [...Array.from({ length: 120 }, () => begin('one')), begin('other')]
    await new Promise(setImmediate)
    expect(begun).to.deep.equal(Array<string>(50).fill('one'))
    release()
    await Promise.all(all)
    expect([begun.length, begun.indexOf('other')]).to.deep.equal([121, 51])
  })

  for (const [method, attempts] of [['GET', 2], ['DELETE', 2], ['POST', 1]] as const) {
    it(`gets a ${method} ${attempts === 2 ? 'again' : 'once'} that breaks a kept connection`, async () => {
      const received: string[] = []
      answer = (req, res) => {
        if (req.url !== '/api') return res.end(JSON.stringify({ cell: 'b.mail.example', cells: [], accounts: [] }))
        received.push(req.method!)
        if (received.length === 2) return req.socket.resetAndDestroy()
        return res.end()
      }
      const send = async (by: string) => {
        const sent = await cell.send({ method: by, path: '/api', headers: {} }, undefined, { accountId: 'a', gone: new AbortController().signal })
        await once(sent.resume(), 'close')
        return sent.statusCode
      }
      expect(await send('GET')).to.equal(200)
      expect(await send(method).catch(({ status }: { status: number }) => status)).to.equal(attempts === 2 ? 200 : 503)
      expect(received).to.deep.equal(['GET', ...Array<string>(attempts).fill(method)])
    })
  }
})
