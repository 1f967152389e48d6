import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { pino } from 'pino'
import { bearer } from '../contract/requests.ts'
import { shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

interface Line {
  level: number
  msg: string
  path?: string
  status?: number
  err?: unknown
}

const warn = 40

describe('Request log', function () {
  let app: TestApp
  let text = ''
  let minutes = 0
  const newAccount = shareTestApp({ log: pino({ level: 'debug' }, { write: (line) => { text += line } }) })
  beforeEach(async () => {
    app = await newAccount()
    await app.advance({ minutes: minutes += 10 }) // lines of refused requests without a key are counted by minute and IP address
    text = ''
  })

  const lines = () => text.trimEnd().split('\n').filter(Boolean).map((line) => JSON.parse(line) as Line)
  const requests = () => lines().filter(({ msg }) => msg === 'request')

  /** Sends bytes unchanged, and waits until the server closes the connection. */
  async function send(...pieces: string[]) {
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1' }).on('error', () => {}).resume()
    const closed = once(socket, 'close')
    for (const piece of pieces) {
      socket.write(piece)
      await new Promise(setImmediate)
    }
    await closed
  }

  it('has no error and no stack for malformed requests, with or without a key', async () => {
    const close = 'Host: a\r\nConnection: close\r\n'
    const json = 'Content-Type: application/json\r\n'
    for (const key of ['', `Authorization: Bearer ${app.key}\r\n`, 'Authorization: Bearer svc_live_wrong\r\n']) {
      for (const path of ['/api/v1/addresses', '/api/v1/webhooks', '/verify-forwarding', '/nowhere', '/healthz', '/docs']) {
        const head = `POST ${path} HTTP/1.1\r\n${close}${json}${key}`
        await send(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)
        await send(`${head}Transfer-Encoding: chunked\r\n\r\n`, '2\r\n{}\r\n', 'zz\r\n{}\r\n')
        await send(`${head}Transfer-Encoding: chunked\r\n\r\n`, '2\r\n{}xx\r\n')
        await send(`${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)
        await send(`${head}Content-Length: 7\r\n\r\n{"a": [`)
        await send(`${head}Content-Length: 2\r\nContent-Encoding: gzip\r\n\r\n{}`)
        await send(`${head}Content-Length: 2\r\nContent-Encoding: rot13\r\n\r\n{}`)
        await send(`${head}Content-Length: 4\r\n\r\n"\\u"`)
      }
      for (const path of ['/api/v1/addresses/%zz', '/%', '//', '/?%zz=%', '/verify-forwarding?token=%zz', 'http://[::1/', 'http://a:99999/', '*', '/api/v1/emails?q=%ff']) {
        await send(`GET ${path} HTTP/1.1\r\n${close}${key}\r\n`)
      }
    }
    expect(lines().filter(({ level, err }) => level >= warn || err !== undefined)).to.deep.equal([])
    expect(text).to.not.match(/\bat \S+ \(|\\n +at /)
    expect(requests().length).to.be.at.least(50)
  })

  it('has a limited number of lines a minute about the refused requests of a caller', async () => {
    const other = await app.newKey()
    const refused = (key: string | null) => app.api('GET', '/addresses/nonsense', { key })
    const linesOf = async (key: string | null, count: number) => {
      const before = requests().length
      for (let i = 0; i < count; i++) await refused(key)
      return requests().length - before
    }
    expect(await linesOf(app.key, 150)).to.equal(100)
    expect(lines().filter(({ msg }) => msg.startsWith('more refused requests'))).to.have.length(1)
    expect([await linesOf(other, 5), await linesOf(null, 150), await linesOf('svc_live_wrong', 5)]).to.deep.equal([5, 100, 0])
    await app.api('GET', '/addresses')
    expect(requests().at(-1)).to.include({ status: 200 })
    await app.advance({ minutes: 1 })
    expect(await linesOf(app.key, 5)).to.equal(5)
  })

  it('has the path without a query, also of an absolute target', async () => {
    for (const path of ['/api/v1/addresses?limit=1', `${app.url}/api/v1/addresses?limit=1`]) {
      await rawRequest(app.url, { path, headers: bearer(app.key) })
      expect(requests().at(-1)).to.include({ path: '/api/v1/addresses', status: 200 })
    }
  })
})
