import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { expect } from 'chai'
import { eras, httpTransport, openClient } from '../mcp/mcp-client.ts'
import { callAt, cellsSecret, openCells, unknownKey } from '../support/cells.ts'
import type { TestCell, TestCells } from '../support/cells.ts'
import { readEvents } from '../support/event-reader.ts'
import { openWaits } from '../support/open-waits.ts'
import { rawRequest } from '../support/raw-request.ts'
import { sameOrigin, signIn } from '../support/sessions.ts'
import { createApiKey, revokeApiKey } from '../support/store/accounts.ts'

describe('Cells: requests', () => {
  let world: TestCells
  let [a, b]: TestCell[] = []
  before(async () => {
    world = await openCells(3, { env: { MAYFLY_COMPATIBLE_APIS: 'mailpit', MAYFLY_SMTP_INSECURE_AUTH: 'true' } });
    [a, b] = world.cells
  })
  after(() => world[Symbol.asyncDispose]())

  /** Calls the first cell with the key of the second. */
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    callAt(a!, b!.key, method, path, body, headers)

  it('are answered at each node as at one of the cell of the key', async () => {
    for (const own of world.cells) {
      const { address } = await own.newAddress()
      for (const other of world.cells) {
        const { status, body, headers } = await callAt(other, own.key, 'GET', '/addresses')
        expect(status).to.equal(200)
        expect(body.data.addresses.map((each: { address: string }) => each.address)).to.include(address)
        expect(headers.get('x-ratelimit-limit')).to.equal('1000000')
      }
    }
  })

  it('change, repeat an answer by its key, and refuse as the cell does', async () => {
    const first = await call('POST', '/addresses', { alias: 'once' }, { 'idempotency-key': 'one' })
    const again = await call('POST', '/addresses', { alias: 'once' }, { 'idempotency-key': 'one' })
    expect([first.status, again.status]).to.deep.equal([201, 201])
    expect(again.headers.get('idempotency-replayed')).to.equal('true')
    expect(again.body).to.deep.equal(first.body)
    expect(first.body.data.address).to.equal(`once@${b!.name}`)
    expect((await call('POST', '/addresses', { alias: 'once' })).status).to.equal(409)
    expect((await call('GET', '/addresses/00000000-0000-7000-8000-000000000000')).status).to.equal(404)
    expect((await call('DELETE', `/addresses/${first.body.data.id}`)).status).to.equal(200)
  })

  it('with a key that no cell has are 401, as those with a malformed one', async () => {
    for (const key of [unknownKey(), 'nonsense']) expect((await callAt(a!, key, 'GET', '/addresses')).status).to.equal(401)
  })

  it('wait for mail, and end at the other cell when their client goes away', async () => {
    const { id, address } = await b!.newAddress()
    const waiting = call('GET', `/emails/wait?address_id=${id}&timeout=60`)
    await openWaits(b!, 1)
    await b!.send({ to: address, subject: 'Waited for', text: 'x' })
    expect((await waiting).body.data.subject).to.equal('Waited for')
    const gone = new AbortController()
    const left = fetch(`${a!.url}/api/v1/emails/wait?address_id=${id}&timeout=60&after=${(await waiting).headers.get('x-mayfly-cursor')}`, {
      headers: { authorization: `Bearer ${b!.key}` }, signal: gone.signal,
    }).catch((error: Error) => error.name)
    await openWaits(b!, 1)
    gone.abort()
    expect(await left).to.equal('AbortError')
    await openWaits(b!, 0)
  })

  it('follow events, each as it comes', async () => {
    const stream = await readEvents(a!.url, b!.key)
    await openWaits(b!, 1)
    const { address } = await b!.newAddress()
    await b!.send({ to: address, subject: 'Streamed', text: 'x' })
    const events = await stream.until(2)
    expect(events.map(({ event }) => event)).to.deep.equal(['address.created', 'email.received'])
    stream.drop()
    await openWaits(b!, 0)
  })

  it('upload and download attachments', async () => {
    const { id, address } = await b!.newAddress()
    const content = randomBytes(5_000_000)
    const mail = { fromAddressId: id, to: address, subject: 'With a file', body: 'x', attachments: [{ filename: 'a.bin', contentType: 'application/octet-stream', content: content.toString('base64') }] }
    expect((await call('POST', '/emails', mail)).status).to.equal(202)
    await b!.settled()
    const { body: { data: [listed] } } = await call('GET', `/emails?address_id=${id}`)
    const { body: { data: email } } = await call('GET', `/emails/${listed.id}`)
    const { status, headers, body } = await call('GET', `/emails/${email.id}/attachments/${email.attachments[0].id}`)
    expect(status).to.equal(200)
    expect(headers.get('content-length')).to.equal(String(content.length))
    expect(content.equals(body)).to.equal(true)
  })

  it('are those of sessions, of links to a shared inbox, of SMTP logins at compatible APIs and of tools for agents too', async () => {
    const { email, cookie, api } = await signIn(b!)
    const account = await fetch(`${a!.url}/api/v1/account`, { headers: { cookie } })
    expect([account.status, (await account.json()).data.email]).to.deep.equal([200, email])
    const { body: { data: { id } } } = await api('POST', '/addresses', { body: {} })
    const change = () => fetch(`${a!.url}/api/v1/addresses`, { method: 'POST', headers: { cookie, ...sameOrigin, 'content-type': 'application/json' }, body: '{}' })
    expect((await change()).status).to.equal(201)
    const { body: { data: link } } = await api('POST', `/addresses/${id}/share-links`, { body: { hours: 24 } })
    expect((await callAt(a!, link.url.split('#')[1], 'GET', '/shared')).status).to.equal(200)
    const { body: { data: login } } = await api('POST', `/addresses/${id}/smtp-login`)
    const mailpit = (password: string) => fetch(`${a!.url}/compatible/mailpit/api/v1/messages`, {
      headers: { authorization: `Basic ${Buffer.from(`${login.username}:${password}`).toString('base64')}` },
    })
    expect([(await mailpit(login.password)).status, (await mailpit('wrong')).status]).to.deep.equal([200, 401])
    await using tools = await openClient(httpTransport([a!.url], b!.key), eras[0])
    expect((await tools.client.listTools()).tools.length).to.be.greaterThan(5)
  })

  it('of a key that was revoked are 401 after one 503, which a client repeats', async () => {
    const { id, key } = await createApiKey(b!, b!.account, { scopes: ['emails:read'] })
    expect((await callAt(a!, key, 'GET', '/addresses')).status).to.equal(200)
    await revokeApiKey(b!, id)
    const first = await callAt(a!, key, 'GET', '/addresses')
    expect([first.status, first.headers.get('retry-after')]).to.deep.equal([503, '1'])
    expect((await callAt(a!, key, 'GET', '/addresses')).status).to.equal(401)
  })

  it('keep the address of the client, and believe no client about it', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-mayfly-cell': `${cellsSecret}x 203.0.113.9` }
    for (const key of [b!.key, a!.key]) {
      expect((await callAt(a!, key, 'POST', '/addresses', {}, headers)).status).to.equal(201)
    }
    for (const cell of [a!, b!]) {
      await cell.app.http.flush()
      const { body: { data: [entry] } } = await cell.api('GET', '/audit-logs?limit=1')
      expect(entry.ipAddress).to.equal('127.0.0.1')
    }
    const passedOn = { 'x-mayfly-cell': `${cellsSecret} 203.0.113.9` }
    expect((await b!.api('POST', '/addresses', { body: {}, headers: passedOn })).status).to.equal(201)
    await b!.app.http.flush()
    expect((await b!.api('GET', '/audit-logs?limit=1')).body.data[0].ipAddress).to.equal('203.0.113.9')
  })

  it('that were passed on are not passed on again', async () => {
    const before = b!.gates.http.connections
    const { status, headers } = await callAt(a!, b!.key, 'GET', '/addresses', undefined, { 'x-mayfly-cell': `${cellsSecret} 127.0.0.1` })
    expect([status, headers.get('x-mayfly-absent')]).to.deep.equal([401, 'true'])
    expect(b!.gates.http.connections).to.equal(before)
  })

  it('look names up for cells alone', async () => {
    const lookup = (secret: string) => fetch(`${a!.url}/.cells/lookup`, {
      method: 'POST', headers: { 'x-mayfly-cell': secret, 'content-type': 'application/json' }, body: JSON.stringify({ names: [`address x@${a!.name}`] }),
    })
    expect((await lookup('')).status).to.equal(404)
    expect((await lookup(`${cellsSecret}x`)).status).to.equal(404)
    const answer = await lookup(cellsSecret)
    expect(await answer.json()).to.deep.equal({ cell: a!.name, cells: world.cells.map(({ name }) => name), accounts: [null] })
  })

  it('with a body that is too long are 413, as at the cell', async () => {
    const headers = { authorization: `Bearer ${b!.key}`, 'content-type': 'application/json' }
    for (const { url } of [b!, a!]) {
      const { status, json } = await rawRequest(url, { method: 'POST', path: '/api/v1/emails', headers, body: Buffer.alloc(17_000_000, ' ') })
      expect([status, json.code]).to.deep.equal([413, 'PAYLOAD_TOO_LARGE'])
      const chunks = Array.from({ length: 20 }, () => Buffer.alloc(100_000, ' '))
      expect((await rawRequest(url, { method: 'POST', path: '/api/v1/addresses', headers, chunks })).status).to.equal(413)
    }
  })

  it('have the length of their body although Connection names it: no body is read as a request (request smuggling)', async () => {
    const smuggled = `POST /api/v1/addresses HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${b!.key}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"alias":"smuggled"}`
    for (const method of ['GET', 'DELETE']) {
      const headers = { authorization: `Bearer ${b!.key}`, connection: 'keep-alive, Content-Length' }
      const { status } = await rawRequest(a!.url, { method, path: '/api/v1/addresses/00000000-0000-7000-8000-000000000000', headers, body: smuggled })
      expect(status).to.equal(404)
      expect((await call('GET', '/addresses')).status).to.equal(200)
    }
    const { body: { data: { addresses } } } = await call('GET', '/addresses?limit=100')
    expect(addresses.map(({ address }: { address: string }) => address)).not.to.include(`smuggled@${b!.name}`)
  })

  it('have no connection-specific headers of their client, and end with it while they upload', async () => {
    const sent = request(`${a!.url}/api/v1/emails`, {
      method: 'POST', headers: { authorization: `Bearer ${b!.key}`, 'content-type': 'application/json', 'content-length': 1_000_000, connection: 'close, x-mine', 'x-mine': 'y' },
    })
    sent.on('error', () => {})
    const received = b!.gates.http.receives('{"half":')
    sent.write('{"half":')
    const [head] = (await received).split('{')
    expect(head).to.match(/^POST \/api\/v1\/emails HTTP\/1\.1\r\n/).and.not.match(/x-mine|connection: close/i)
    const ended = b!.gates.http.ends()
    sent.destroy()
    await ended
    expect((await call('GET', '/addresses')).status).to.equal(200)
  })
})
