import { expect } from 'chai'
import { once } from 'node:events'
import { request } from 'node:http'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { createAccount } from '../support/store/accounts.ts'

describe('Fault injection: X-Mayfly-Fault', () => {
  let app: TestApp
  let account: string
  let key: string
  const newAccount = shareTestApp({ isRealTime: true })
  beforeEach(async () => { await use(await newAccount()) })

  async function use(server: TestApp) {
    app = server
    account = (await createAccount(app, `tester-${app.app.db.newId()}@example.org`)).id
    key = await app.newKey({ account, isTest: true })
  }

  const ask = (fault: string, { as = key, method = 'GET', path = '/addresses', body }: { as?: string, method?: string, path?: string, body?: unknown } = {}) =>
    app.api(method, path, { key: as, body, headers: { 'x-mayfly-fault': fault } })
  const addresses = async () => (await app.api('GET', '/addresses', { key })).body.data.total as number
  const timed = async <T>(run: () => Promise<T>) => {
    const start = performance.now()
    return { result: await run(), ms: performance.now() - start }
  }

  for (const [status, code, retryAfter] of [[429, 'RATE_LIMITED', '1'], [500, 'INTERNAL_ERROR', null], [503, 'INTERNAL_ERROR', '1']] as const) {
    it(`answers ${status}, and changes nothing`, async () => {
      const answer = await ask(`status=${status}`, { method: 'POST', body: { alias: `wanted-${status}` } })
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([status, retryAfter])
      expect(answer.body).to.deep.equal({ error: `This call asked for the status ${status} with X-Mayfly-Fault.`, code })
      expect(Number(answer.headers.get('x-ratelimit-remaining'))).to.be.a('number')
      expect(await addresses()).to.equal(0)
      expect((await app.api('POST', '/addresses', { key, body: { alias: `wanted-${status}` } })).status).to.equal(201)
    })
  }

  it('delays, then answers as without the header', async () => {
    const { result, ms } = await timed(() => ask('delay=300', { method: 'POST', body: { alias: 'late' } }))
    expect(result.status).to.equal(201)
    expect(ms).to.be.at.least(290)
    expect((await ask('delay=0')).status).to.equal(200)
  })

  it('delays, then answers with a status', async () => {
    const { result, ms } = await timed(() => ask(' status=503 ,delay=200 '))
    expect(result.status).to.equal(503)
    expect(ms).to.be.at.least(190)
  })

  it('drops the connection, and changes nothing', async () => {
    const broken = await rawRequest(app.url, {
      method: 'POST', path: '/api/v1/addresses', headers: { authorization: `Bearer ${key}`, 'x-mayfly-fault': 'disconnect' },
    }).catch((error: NodeJS.ErrnoException) => error)
    expect(broken).to.include({ code: 'ECONNRESET' })
    expect(await addresses()).to.equal(0)
  })

  it('counts the call against the rate limit, and records it in the audit log', async () => {
    const before = Number((await app.api('GET', '/addresses', { key })).headers.get('x-ratelimit-remaining'))
    expect(Number((await ask('status=503')).headers.get('x-ratelimit-remaining'))).to.equal(before - 1)
    const { data } = (await app.api('GET', '/audit-logs', { key })).body
    expect(data.map(({ status }: { status: number }) => status)).to.include(503)
  })

  it('refuses other values', async () => {
    const wrong = [
      '', 'delay', 'delay=', 'delay=-1', 'delay=60001', 'delay=100000', 'delay=1.5', 'status=404', 'status=200', 'status', 'status=constructor',
      'disconnect=1', 'delay=1,delay=2', 'status=429, status=503', 'status=429,disconnect', 'status=429;times=2', 'sleep=5', 'Status=429',
      'delay=1,', 'toString',
    ]
    for (const fault of wrong) {
      const { status, body } = await ask(fault)
      expect([status, body.code, body.details?.[0].path], fault).to.deep.equal([400, 'INVALID_REQUEST', 'header.X-Mayfly-Fault'])
      expect(body.error).to.equal('header.X-Mayfly-Fault: takes delay=MILLISECONDS, up to 60000, and one of status=429, status=500, status=503, ' +
        'disconnect, separated by a comma.')
    }
  })

  it('is refused with a live key', async () => {
    const live = await app.newKey({ account })
    for (const fault of ['status=503', 'delay=100', 'nonsense']) {
      const { status, body } = await ask(fault, { as: live })
      expect([status, body.error]).to.deep.equal([400, 'header.X-Mayfly-Fault: works with test keys only.'])
    }
  })

  it('is applied after the checks of key and scope', async () => {
    expect((await ask('status=503', { as: 'svc_test_wrong' })).status).to.equal(401)
    expect((await ask('status=503', { as: await app.newKey({ account, isTest: true, scopes: ['domains:read'] }) })).status).to.equal(403)
  })

  /** Sends a call that is delayed for a minute; resolves when the request is sent. */
  async function delayedCall(body?: string) {
    const call = request(`${app.url}/api/v1/addresses`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-mayfly-fault': 'delay=60000' },
    })
    call.on('error', () => {}).end(body)
    await once(call, 'finish')
    return call
  }

  it('a delay ends when the caller disconnects, and the call is carried out', async () => {
    const calls = await Promise.all(['one', 'two'].map((alias) => delayedCall(JSON.stringify({ alias }))))
    await until(() => openCalls() === 2)
    expect(await addresses()).to.equal(0)
    for (const call of calls) call.destroy()
    await until(async () => await addresses() === 2)
  })

  it('a delay ends when the server closes', async () => {
    await using closing = await openTestApp({ isRealTime: true })
    await use(closing)
    const call = await delayedCall()
    const answered = once(call, 'response')
    await until(() => openCalls() === 1)
    await app.app.close()
    expect((await answered)[0].statusCode).to.equal(200)
  })

  it('an account can have 100 delayed calls at a time', async () => {
    const calls = await Promise.all(Array.from({ length: 100 }, () => delayedCall()))
    await until(async () => {
      if ((await ask('delay=1')).status === 429) return true // once all of them are delayed
      calls.push(await delayedCall()) // the call before may have taken the place of one
      return false
    })
    const { status, headers, body } = await ask('delay=1')
    expect([status, headers.get('retry-after'), body.code]).to.deep.equal([429, '1', 'RATE_LIMITED'])
    expect((await ask('status=503')).status).to.equal(503)
    expect((await ask('delay=1', { as: await app.newKey({ isTest: true }) })).status).to.equal(200)
    for (const call of calls) call.destroy()
    await until(() => openCalls() === 0)
    expect((await ask('delay=1')).status).to.equal(200)
  })

  const openCalls = () => [...app.app.metrics.openRequests].filter(({ operationId }) => operationId !== undefined).length
})

async function until(isSo: () => boolean | Promise<boolean>) {
  while (!await isSo()) await new Promise(setImmediate)
}
