import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import type { HttpLimits } from '../../server/http/limits.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer } from '../support/raw-request.ts'

describe('Request bodies: memory', () => {
  let app: TestApp
  let slow: Socket
  const largeBody = `{}${' '.repeat(600_000)}`

  afterEach(async () => {
    slow.destroy()
    await app[Symbol.asyncDispose]()
  })

  /** Opens a server that reads one large body per account at a time, and begins to send one. */
  async function open(limits: Partial<HttpLimits> = {}) {
    app = await openTestApp({ httpLimits: { maxBodyMemoryBytesPerAccount: 1_000_000, ...limits } })
    slow = connect({ port: app.app.http.port, host: '127.0.0.1' })
    slow.on('error', () => {})
    slow.write(`POST /api/v1/addresses HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${largeBody.length}\r\n\r\n`)
    while (app.app.metrics.openRequests.size === 0) await new Promise(setImmediate)
    expect((await post(app.key, '{}')).status).to.equal(201)
  }

  const post = (key: string, body: string) => rawRequest(app.url, {
    method: 'POST', path: '/api/v1/addresses', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body,
  })

  it('makes the large bodies of an account wait for each other, and not those of another account', async () => {
    await open()
    const answers: RawAnswer[] = []
    const waiting = post(app.key, largeBody).then((answer) => answers.push(answer))
    expect((await post(await app.newKey(), largeBody)).status).to.equal(201)
    expect((await post(app.key, '{}')).status).to.equal(201)
    expect(answers).to.deep.equal([])
    slow.write(largeBody)
    await once(slow, 'data')
    await waiting
    expect(answers.map(({ status }) => status)).to.deep.equal([201])
  })

  it('is released when the sender disconnects', async () => {
    await open()
    const waiting = post(app.key, largeBody)
    slow.destroy()
    expect((await waiting).status).to.equal(201)
  })

  it('refuses a body that has waited too long, and a body beyond the maximum number of waiting ones', async () => {
    await open({ bodyWaitTimeoutMs: 50, maxWaitingBodies: 1 })
    for (const { status, json, headers } of await Promise.all([post(app.key, largeBody), post(app.key, largeBody)])) {
      expect([status, json.code, headers['retry-after']]).to.deep.equal([429, 'RATE_LIMITED', '1'])
    }
  })

  it('limits the bytes per second of large bodies per account, and not small bodies or other accounts', async () => {
    await open({ maxBodyBytesPerSecond: 1_000, bodyWaitTimeoutMs: 50, maxBodyMemoryBytesPerAccount: 10_000_000 })
    slow.write(largeBody)
    await once(slow, 'data')
    expect((await post(app.key, largeBody)).status).to.equal(429) // its turn comes in 10 minutes
    expect((await post(app.key, '{}')).status).to.equal(201)
    expect((await post(await app.newKey(), largeBody)).status).to.equal(201)
  })
})
