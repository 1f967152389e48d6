import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { playSession } from '../support/play-session.ts'
import { rawRequest } from '../support/raw-request.ts'
import { leaveJobs } from '../support/store/jobs.ts'

const sample = /^([a-z_][a-z0-9_]*)(?:\{((?:[a-z_]+="[^"\\]*",?)*)\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]Inf|Nan)$/

/** Reads all metrics: `name{label="value"}` → value. @throws Error when a line does not match the format */
async function read(url: string): Promise<Map<string, number>> {
  const { status, headers, text } = await rawRequest(url, { path: '/metrics' })
  expect(status).to.equal(200)
  expect(headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8')
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, name, type]) => [name!, type!]))
  const helps = new Set([...text.matchAll(/^# HELP (\S+) \S.*$/gm)].map(([, name]) => name!))
  const found = new Map<string, number>()
  for (const line of text.split('\n').filter((line) => line !== '' && !/^# (TYPE|HELP) /.test(line))) {
    const [, name, labels, value] = sample.exec(line) ?? []
    if (!name) throw new Error(`not of the format: ${line}`)
    const family = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
    expect(types.has(family) && helps.has(family), name).to.equal(true)
    const others = labels?.split(',').filter((label) => !label.startsWith('node=')).join() // PostgreSQL: `test/nodes/metrics.test.ts`
    found.set(others ? `${name}{${others}}` : name, Number(value!.replace('Inf', 'Infinity')))
  }
  return found
}

describe('Metrics: GET /metrics', () => {
  describe('values:', () => {
    let app: TestApp
    before(async () => { app = await openTestApp({ env: { MAYFLY_MAX_MESSAGE_BYTES: '600000', MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } }) })
    after(() => app[Symbol.asyncDispose]())

    /** The wanted metrics that changed while the function ran, without those that measure time and memory. */
    async function changes(run: () => Promise<unknown>, wanted: RegExp) {
      const before = await read(app.url)
      await run()
      const after = await read(app.url)
      return Object.fromEntries([...after].flatMap(([name, value]) => {
        const change = value - (before.get(name) ?? 0)
        return wanted.test(name) && change !== 0 ? [[name, change]] : []
      }))
    }

    it('accepted mails, and refusals by reason', async () => {
      const { address } = await app.newAddress()
      expect(await changes(async () => {
        for (const text of ['one', 'two', 'three\n'.repeat(60_000)]) await app.send({ to: address, text })
        await app.send({ to: 'nobody@mail.localhost', text: 'one' }).catch(() => {})
        await app.send({ to: address, text: `${'x'.repeat(70)}\n`.repeat(9_000) }).catch(() => {})
        await playSession(app.smtp, [
          ['EHLO mx.example.org', 250], ['MAIL FROM:<shop@example.org>', 250], ['RCPT TO:<nobody@mail.localhost>', 550],
          ['RCPT TO:<expired@mail.localhost>', 550], ['NONSENSE', 500], ['QUIT', 221],
        ])
        await app.settled()
      }, /^mayfly_(mails|smtp|mail_parse_seconds_count)/)).to.deep.equal({
        'mayfly_mails_accepted_total{way="smtp"}': 3,
        'mayfly_smtp_refusals_total{reason="unknown_recipient"}': 3,
        'mayfly_smtp_refusals_total{reason="too_large"}': 1,
        'mayfly_smtp_refusals_total{reason="protocol"}': 2, // NONSENSE, and a DATA that was sent together with the RCPT of an unknown recipient
        mayfly_mail_parse_seconds_count: 3,
      })
    })

    it('the time of parsing', async () => {
      const metrics = await read(app.url)
      expect(metrics.get('mayfly_mail_parse_seconds_sum')).to.be.within(0.00003, 10)
      expect(metrics.get('mayfly_mail_parse_seconds_bucket{le="+Inf"}')).to.equal(metrics.get('mayfly_mail_parse_seconds_count'))
    })

    it('outgoing mail by result', async () => {
      const { id, address } = await app.newAddress()
      expect(await changes(async () => {
        for (const to of ['ada@example.com', address, 'nobody@mail.localhost']) {
          await app.api('POST', '/emails', { body: { fromAddressId: id, to, subject: 's', body: 'b' } })
        }
        await app.settled()
      }, /^mayfly_mail(s|_deliveries)_/)).to.deep.equal({
        'mayfly_mail_deliveries_total{outcome="captured"}': 1,
        'mayfly_mail_deliveries_total{outcome="sent"}': 1,
        'mayfly_mail_deliveries_total{outcome="refused"}': 1,
        'mayfly_mails_accepted_total{way="local"}': 1,
      })
    })

    it('webhook deliveries by result', async () => {
      const endpoint = createServer((call, answer) => answer.writeHead(call.url === '/good' ? 204 : 500).end()).listen(0, '127.0.0.1')
      await once(endpoint, 'listening')
      const url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
      for (const path of ['good', 'bad']) await app.api('POST', '/webhooks', { body: { url: `${url}/${path}`, events: ['address.created'] } })
      expect(await changes(async () => {
        await app.newAddress()
        await app.settled()
      }, /^mayfly_webhook/)).to.deep.equal({
        'mayfly_webhook_deliveries_total{outcome="succeeded"}': 1,
        'mayfly_webhook_deliveries_total{outcome="failed"}': 1,
      })
      endpoint.close()
      endpoint.closeAllConnections()
    })

    it('open waits and streams', async () => {
      const open = async (operation: string) => (await read(app.url)).get(`mayfly_http_requests_open{operation="${operation}"}`)
      const calls = ['emails/wait', 'events', 'events'].map((path) =>
        request(`${app.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${app.key}` } }).on('error', () => {}).end())
      while (await open('emails.wait') !== 1 || await open('events.stream') !== 2) await new Promise(setImmediate)
      for (const call of calls) call.destroy()
      while (await open('emails.wait') !== undefined || await open('events.stream') !== undefined) await new Promise(setImmediate)
      while (!(await read(app.url)).has('mayfly_http_requests_total{operation="emails.wait",status="204"}')) await new Promise(setImmediate)
    })

    it('requests by operation and status', async () => {
      const ask = (path: string, key: string | null = app.key) => app.api('GET', path, { key })
      expect(await changes(async () => {
        for (const path of ['/addresses', '/addresses', '/addresses?limit=x', '/nothing']) await ask(path)
        await ask('/emails', null)
      }, /^mayfly_http_requests_total|^mayfly_http_request_seconds_count/)).to.deep.equal({
        'mayfly_http_requests_total{operation="addresses.list",status="200"}': 2,
        'mayfly_http_requests_total{operation="addresses.list",status="400"}': 1,
        'mayfly_http_requests_total{operation="emails.list",status="401"}': 1,
        'mayfly_http_requests_total{operation="none",status="404"}': 1,
        'mayfly_http_requests_total{operation="none",status="200"}': 1, // the request for the metrics
        'mayfly_http_request_seconds_count{operation="addresses.list"}': 3,
        'mayfly_http_request_seconds_count{operation="emails.list"}': 1,
        'mayfly_http_request_seconds_count{operation="none"}': 2,
      })
    })

    it('the queue: jobs that are due, not those planned for later', async () => {
      const { clock } = app.app
      await app.settled()
      const queue = async () => [...await read(app.url)].filter(([name, value]) => /^mayfly_jobs/.test(name) && value !== 0)
      expect(await queue()).to.deep.equal([])
      const due = (seconds: number) => ({ runAt: clock.now() - seconds * 1000 })
      await leaveJobs(app, 'purge-messages', [90, 30, -5].map((seconds) => ({ payload: {}, ...due(seconds) })))
      const mailTo = (account: string, seconds: number) =>
        ({ payload: { deliveryId: 'none' }, lane: { account, destination: 'example.org' }, ...due(seconds) })
      await leaveJobs(app, 'deliver-mail', [mailTo('a', 10), mailTo('b', 10), mailTo('c', 10), mailTo('c', 12), mailTo('d', -12)])
      expect(await queue()).to.have.deep.members([
        ['mayfly_jobs_due{task="purge-messages"}', 2], ['mayfly_jobs_due{task="deliver-mail"}', 4],
        ['mayfly_jobs_oldest_due_age_seconds{task="purge-messages"}', 90], ['mayfly_jobs_oldest_due_age_seconds{task="deliver-mail"}', 12],
      ])
    })

    it('the process, the disk and open connections', async () => {
      const metrics = await read(app.url)
      for (const name of ['nodejs_eventloop_lag_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total', 'mayfly_free_bytes']) {
        expect(metrics.get(name), name).to.be.at.least(0)
      }
      expect(metrics.get('mayfly_http_requests_open{operation="none"}')).to.equal(1)
      expect(metrics.get('mayfly_smtp_sessions')).to.equal(0)
    })

    it('no value of another server in the same process', async () => {
      await using other = await openTestApp()
      expect((await read(other.url)).get('mayfly_mails_accepted_total{way="smtp"}')).to.equal(0)
    })

    it('a bounded number of series after 1,000 unusual requests and senders, without their text', async () => {
      const warm = async () => {
        for (const path of ['/addresses', '/nothing']) await app.api('GET', path)
        await rawRequest(app.url, { path: '/elsewhere' })
      }
      await warm()
      const before = await read(app.url)
      for (let i = 0; i < 1_000; i++) {
        const odd = `odd-${i}`
        await rawRequest(app.url, {
          method: ['GET', 'PUT', 'PURGE', 'OPTIONS'][i % 4]!, path: i % 2 ? `/api/v1/${odd}/${odd}` : `/${odd}?${odd}=1`,
          headers: { authorization: `Bearer ${odd}`, 'user-agent': odd, 'x-request-id': odd },
        })
      }
      await playSession(app.smtp, [['EHLO odd.example.org', 250], ['MAIL FROM:<odd@example.org>', 250],
        ...Array.from({ length: 50 }, (_, i): [string, number] => [`RCPT TO:<odd-${i}@mail.localhost>`, 550])])
      const after = await read(app.url)
      const added = [...after.keys()].filter((name) => /^mayfly_/.test(name) && !before.has(name))
      expect(added.filter((name) => !/operation="none",status="\d+"/.test(name))).to.deep.equal([])
      expect(added.length).to.be.below(4)
      expect([...after.keys()].join('\n')).to.not.match(/odd|example|localhost|127\.0/)
    })
  })

  describe('access:', () => {
    const unknown = { error: 'There is nothing at this path. /docs describes what there is.', code: 'NOT_FOUND' }
    const statusOf = async (app: TestApp, request = {}) => (await rawRequest(app.url, { path: '/metrics', ...request })).status

    it('is for callers on this machine by default', async () => {
      await using app = await openTestApp()
      expect(await statusOf(app)).to.equal(200)
      expect(await statusOf(app, { from: '127.0.0.2' })).to.equal(200)
      expect(await statusOf(app, { headers: { 'x-forwarded-for': '192.0.2.1', host: 'mail.example.org' } })).to.equal(404)
    })

    it('is not for pages that reach the server by a name of their own (DNS rebinding)', async () => {
      await using app = await openTestApp({ env: { MAYFLY_BASE_URL: 'https://mail.example.org/mayfly' } })
      for (const host of ['localhost:3000', 'mayfly.localhost', '127.0.0.1', '[::1]:3000', '192.0.2.1:3000', 'mail.example.org', 'MAIL.example.org:443']) {
        expect([host, await statusOf(app, { headers: { host } })]).to.deep.equal([host, 200])
      }
      for (const host of ['rebound.example', 'localhost.rebound.example:3000', 'mail.example.org.rebound.example', '127.0.0.1.rebound.example', 'a b', '[::1']) {
        expect([host, await statusOf(app, { headers: { host } })]).to.deep.equal([host, 404])
      }
      const socket = connect({ port: app.app.http.port, host: '127.0.0.1' }).setEncoding('utf8')
      socket.write('GET /metrics HTTP/1.0\r\n\r\n')
      expect(String((await once(socket, 'data'))[0])).to.match(/^HTTP\/1.1 404 /)
      expect((await rawRequest(app.url, { path: '/api/v1/addresses', headers: { host: 'mailhost:3000', authorization: `Bearer ${app.key}` } })).status).to.equal(200)
    })

    it('is for no caller with MAYFLY_METRICS=false: 404 like an unknown path', async () => {
      await using app = await openTestApp({ env: { MAYFLY_METRICS: 'false' } })
      for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { authorization: `Bearer ${app.key}` }]) {
        const answer = await rawRequest(app.url, { path: '/metrics', headers: headers as Record<string, string> })
        expect([answer.status, answer.json]).to.deep.equal([404, unknown])
      }
    })

    it('is for all callers with MAYFLY_METRICS=true, and does not count against the rate limit', async () => {
      await using app = await openTestApp({ env: { MAYFLY_METRICS: 'true', MAYFLY_RATE_LIMIT: '2', MAYFLY_CORS_ORIGINS: '*' } })
      for (let i = 0; i < 5; i++) {
        const answer = await rawRequest(app.url, { path: '/metrics', headers: { origin: 'https://app.example.com' } })
        expect(answer.status).to.equal(200)
        expect(answer.headers).to.not.have.any.keys('x-ratelimit-limit', 'access-control-allow-origin')
      }
      expect(await statusOf(app, { method: 'POST' })).to.equal(404)
    })
  })
})
