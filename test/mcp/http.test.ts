import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { signUpMail } from './every-tool.ts'
import { httpTransport, openClient } from './mcp-client.ts'

const headersOf = (key: string) => ({
  'authorization': `Bearer ${key}`, 'content-type': 'application/json', 'accept': 'application/json, text/event-stream',
})
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('MCP: /mcp of the server', function () {

  let world: TestApp
  before(async () => { world = await openTestApp({ isRealTime: true }) })
  after(() => world[Symbol.asyncDispose]())

  const post = (body: unknown, headers: Record<string, string> = {}, url = world.url) => fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headersOf(world.key), ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

  it('answers without a session, and takes POST alone', async () => {
    const answer = await post(ping)
    expect(answer.status).to.equal(200)
    expect(answer.headers.get('mcp-session-id')).to.equal(null)
    expect(answer.headers.get('cache-control')).to.equal('no-store, no-transform')
    await answer.text()
    for (const method of ['GET', 'DELETE']) {
      const refused = await fetch(`${world.url}/mcp`, { method, headers: { authorization: `Bearer ${world.key}` } })
      expect([refused.status, refused.headers.get('allow'), (await refused.json()).code]).to.deep.equal([405, 'POST', 'METHOD_NOT_ALLOWED'])
    }
  })

  it('accepts a notification by 202, without a body', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    const answer = await rawRequest(world.url, { method: 'POST', path: '/mcp', body, headers: headersOf(world.key) })
    expect([answer.status, answer.headers['content-type'], answer.text]).to.deep.equal([202, undefined, ''])
  })

  it('refuses requests without a valid key', async () => {
    for (const authorization of ['', 'Bearer svc_live_unknown', `Basic ${Buffer.from('a:b').toString('base64')}`]) {
      const refused = await post(ping, { authorization })
      expect([refused.status, refused.headers.get('www-authenticate'), (await refused.json()).code]).to.deep.equal([401, 'Bearer', 'INVALID_API_KEY'])
    }
  })

  it('refuses pages of other origins (DNS rebinding)', async () => {
    expect((await post(ping, { origin: 'http://evil.example' })).status).to.equal(403)
    expect((await post(ping, { origin: world.url })).status).to.equal(200)
    const rebound = await rawRequest(world.url, {
      method: 'POST', path: '/mcp', body: JSON.stringify(ping),
      headers: { ...headersOf(world.key), host: 'evil.example', origin: 'http://evil.example' },
    })
    expect(rebound.status).to.equal(403)
  })

  it('refuses bodies that are too long, no JSON, of another type, or lists', async () => {
    const statusOf = async (body: unknown, headers?: Record<string, string>) => (await post(body, headers)).status
    expect(await statusOf({ ...ping, params: { text: 'x'.repeat(1_100_000) } })).to.equal(413)
    expect(await statusOf('{')).to.equal(400)
    expect(await statusOf('')).to.equal(400)
    expect(await statusOf(ping, { 'content-type': 'text/plain' })).to.equal(415)
    expect(await statusOf([ping, ping])).to.equal(400)
  })

  it('counts its requests, and those of the tools, by the limit of the API', async () => {
    await using small = await openTestApp({ isRealTime: true, env: { MAYFLY_RATE_LIMIT: '20' } })
    const [last, error] = await (async () => {
      await using mcp = await openClient(httpTransport([small.url], small.key))
      const remaining = async () => Number((await small.api('GET', '/emails')).headers.get('x-ratelimit-remaining'))
      const before = await remaining()
      await mcp.call('create_inbox')
      const used = before - await remaining() - 1
      return [used, await Promise.all(Array.from({ length: 20 }, () => mcp.call('list_emails'))).catch((error: Error) => error)] as const
    })()
    expect(last).to.equal(2)
    expect(error).to.be.an('error')
  })

  it('has errors of the API as results that say the way out', async () => {
    await using mcp = await openClient(httpTransport([world.url], world.key))
    const { address } = await mcp.call('create_inbox', { alias: 'taken' })
    expect((await mcp.read('create_inbox', { alias: 'taken' })).text).to.match(new RegExp(`^CONFLICT: .*${address}`))
    expect((await mcp.read('create_inbox', { domain: 'not.mine.example' })).text).to.match(/^NOT_VERIFIED: |^NOT_FOUND: |^INVALID_REQUEST: /)
    expect((await mcp.read('send_email', { inbox: address, to: 'a@b.example, c@d.example', subject: 's', body: 'b' })).text).to.match(/^INVALID_REQUEST: to: /)
    expect((await mcp.read('wait_for_code', { inbox: 'nobody@mail.localhost' })).text).to.match(/^NOT_FOUND: .*create_inbox/)
    for (const [name, input] of [
      ['delete_inbox', {}], ['wait_for_code', {}], ['list_emails', {}], ['send_email', { to: 'a@b.example', subject: 's', body: 'b' }],
    ] as const) expect((await mcp.read(name, { inbox: 'taken', ...input })).text).to.equal('INVALID_REQUEST: inbox: must be an email address or an id.')
    const wrong = await mcp.client.callTool({ name: 'create_inbox', arguments: { expiresIn: 'long' } })
    expect(wrong.isError).to.equal(true)
    expect((wrong.content as { text: string }[])[0]!.text).to.contain('expiresIn')
    expect((await mcp.read('wait_for_code', { inbox: address, after: 'a/b' })).text).to.match(/\bafter must match format "uuid"$/)
    const unknown = await mcp.read('send_email', { inbox: address, to: 'a@b.example', subject: 's', text: 'b', attachments: [], cc: [1] })
    for (const part of ["input must have required property 'body'", 'additional properties: text', 'additional properties: attachments', 'cc/0 must be string']) {
      expect(unknown.text).to.contain(part)
    }
    await expectNoResource(mcp.client.readResource({ uri: 'mayfly://emails/019ceb94-ec1a-7892-8606-95315d9dc9f8' }))
  })

  it('makes an inbox for mail of some senders alone', async () => {
    await using mcp = await openClient(httpTransport([world.url], world.key))
    const { address } = await mcp.call('create_inbox', { allowedSenders: ['@github.com'] })
    const refused = await world.send({ to: address, from: 'a@evil.example', subject: 'obey' }).catch((error: { responseCode: number }) => error.responseCode)
    await world.send({ to: address, from: 'noreply@github.com', subject: 'code' })
    const { email: { subject } } = await mcp.call('wait_for_email', { inbox: address })
    expect([refused, subject]).to.deep.equal([550, 'code'])
    expect((await mcp.read('create_inbox', { allowedSenders: ['github.com'] })).text).to.match(/^INVALID_REQUEST: allowedSenders\.0: must be an address /)
  })

  it('shows a key nothing of another account', async () => {
    const { id, address: inbox } = await world.newAddress()
    await world.send(signUpMail(inbox))
    const { id: emailId } = await world.onlyEmail(id)
    await using mcp = await openClient(httpTransport([world.url], await world.newKey({ scopes: ['emails:read', 'emails:write'] })))
    const send = { to: 'a@b.example', subject: 's', body: 'b' }
    const calls: [string, object][] = [
      ...[id, inbox].flatMap((each): [string, object][] => [
        ['wait_for_code', { inbox: each, timeoutSeconds: 1 }], ['wait_for_link', { inbox: each, timeoutSeconds: 1 }],
        ['wait_for_email', { inbox: each, timeoutSeconds: 1 }], ['send_email', { inbox: each, ...send }], ['delete_inbox', { inbox: each }],
      ]),
      ['list_emails', { inbox }], ['search_emails', { query: 'code', inbox }], ['read_email', { emailId }], ['reply_to_email', { emailId, body: 'b' }],
    ]
    for (const [name, input] of calls) {
      const { text, isError } = await mcp.read(name, input)
      expect([name, isError]).to.deep.equal([name, true])
      expect(text).to.match(/^NOT_FOUND: /)
    }
    for (const [name, input] of [['list_emails', {}], ['list_emails', { inbox: id }], ['search_emails', { query: 'confirmation' }]] as const) {
      const { text, isError } = await mcp.read(name, input)
      expect(text).to.match(isError ? /^NOT_FOUND: / : /^There is no such mail\.$/)
    }
    await expectNoResource(mcp.client.readResource({ uri: `mayfly://emails/${emailId}` }))
    expect((await world.api('GET', `/emails/${emailId}`)).status).to.equal(200)
  })

  it('records the calls of tools in the audit log, with the address of the client', async () => {
    await using mcp = await openClient(httpTransport([world.url], world.key))
    const { id } = await mcp.call('create_inbox')
    const { body } = await world.api('GET', '/audit-logs?limit=5')
    expect(body.data.find((each: { resourceId: string }) => each.resourceId === id)).to.include({ action: 'addresses.create', ipAddress: '127.0.0.1' })
  })
})

async function expectNoResource(reading: Promise<unknown>) {
  const error = await reading.then(() => undefined, (error: Error) => error)
  expect(error?.message).to.contain('There is no email with this id')
}
