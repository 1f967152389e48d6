import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer } from '../support/raw-request.ts'

/** Maximum bytes of a body. */
const maxBytes = 1_048_576

describe('Request bodies: limits', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const post = (path: string, body: string) => rawRequest(app.url, {
    method: 'POST', path: `/api/v1${path}`, headers: { authorization: `Bearer ${app.key}`, 'content-type': 'application/json' }, body,
  })
  const details = ({ status, json }: RawAnswer) => [status, json.details]
  const listOf = (item: string) => `[${Array(Math.floor((maxBytes - 100) / (item.length + 1))).fill(item).join()}]`
  const url = '"url":"https://hooks.example.com/"'

  for (const [what, text] of [['lists', '['.repeat(500_000) + ']'.repeat(500_000)], ['objects', '{"a":'.repeat(60) + '1' + '}'.repeat(60)]]) {
    it(`refuses ${what} nested deeper than 32 levels`, async () => {
      for (const body of [text!, text!.slice(0, text!.length / 2 - 1)]) { // also when the body is cut off
        expect(details(await post('/addresses', body))).to.deep.equal([400, [{ path: 'body', message: 'nests deeper than 32 levels' }]])
      }
    })
  }

  it('refuses more than 1000 values', async () => {
    const message = 'has more than 1000 values'
    for (const body of [
      `{${url},"events":${listOf('"x"')}}`, `{${url},"events":["email.received"],"addressIds":${listOf('1')}}`, `{${url},"events":${listOf('{}')}}`,
      `{${Array.from({ length: 50_000 }, (_, i) => `"member${i}":${i}`).join()}}`,
    ]) {
      expect(details(await post('/webhooks', body))).to.deep.equal([400, [{ path: 'body', message }]])
    }
  })

  it('refuses a body with too many values before it is complete', async () => {
    const socket = connect({ port: app.app.http.port, host: '127.0.0.1' }).setEncoding('utf8')
    socket.write(`POST /api/v1/webhooks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${maxBytes}\r\n\r\n{${url},"events":[${'"x",'.repeat(1_001)}`)
    const [answer] = await once(socket, 'data') as [string]
    socket.destroy()
    expect(answer).to.match(/^HTTP\/1.1 400 [^]*\r\nConnection: close\r\n/)
  })

  it('does not count brackets, commas and escaped quotes in strings', async () => {
    const text = `${'[{,'.repeat(5_000)}\\"`
    const answer = await post('/test/emails', `{"to":"a@example.org","subject":"s","text":"${text}"}`)
    expect([answer.status, answer.json.code]).to.not.deep.equal([400, 'INVALID_REQUEST'])
  })

  it('reports only oversized values, without other errors', async () => {
    const many = JSON.stringify(Array(11).fill('x'))
    expect(details(await post('/webhooks', `{${url},"events":${many},"other":1}`))).to.deep.equal(
      [400, [{ path: 'body.events', message: 'must NOT have more than 10 items' }]])
    const ids = JSON.stringify(Array(101).fill('x'))
    expect(details(await post('/webhooks', `{${url},"events":["x"],"addressIds":${ids}}`))).to.deep.equal(
      [400, [{ path: 'body.addressIds', message: 'must NOT have more than 100 items' }]])
    expect(details(await post('/webhooks', `{"url":"https://${'a'.repeat(1_000_000)}","events":["x"]}`))).to.deep.equal(
      [400, [{ path: 'body.url', message: 'must NOT have more than 2048 characters' }]])
    expect((await rawRequest(app.url, { path: `/api/v1/emails?q=${'a'.repeat(10_000)}&limit=0`, headers: { authorization: `Bearer ${app.key}` } })).json.details)
      .to.deep.equal([{ path: 'query.q', message: 'must NOT have more than 200 characters' }])
  })

  it('counts characters, not UTF-16 units', async () => {
    expect((await post('/test/emails', JSON.stringify({ to: 'nobody@mail.localhost', subject: '😀'.repeat(998) }))).json.details).to.equal(undefined)
    expect(details(await post('/test/emails', JSON.stringify({ to: 'a@mail.localhost', subject: '😀'.repeat(999) })))).to.deep.equal(
      [400, [{ path: 'body.subject', message: 'must NOT have more than 998 characters' }]])
  })
})
