import { expect } from 'chai'
import { gzipSync } from 'node:zlib'
import { openMock } from '../../cli/mock/open-mock.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

/** Bytes that are not valid UTF-8. */
const foreign: Record<string, number[]> = {
  'ISO 8859-1': [0x47, 0x72, 0xfc, 0xdf, 0x65],
  'half of a surrogate pair': [0xed, 0xa0, 0x80],
  'a character that is cut off': [0xf0, 0x9f, 0x98],
  'an overlong form': [0xc0, 0x80],
}

const percent = (bytes: number[]) => bytes.map((byte) => `%${byte.toString(16)}`).join('')

const refused = (path: string, message: string) => ({
  error: `${path} ${message}.`.replace(/^query /, 'query: '), code: 'INVALID_REQUEST', details: [{ path, message }],
})

describe('Requests: text that is not UTF-8', () => {
  let app: TestApp
  let fromAddressId: string
  before(async () => {
    app = await openTestApp()
    fromAddressId = (await app.newAddress()).id
  })
  after(() => app[Symbol.asyncDispose]())

  const mail = (bytes: number[]) => Buffer.concat([
    Buffer.from(`{"fromAddressId":"${fromAddressId}","to":"ada@example.org","subject":"s","body":"`), Buffer.from(bytes), Buffer.from('"}'),
  ])
  const post = (url: string, key: string, body: Uint8Array, headers = {}) => rawRequest(url, {
    method: 'POST', path: '/api/v1/emails', body, headers: { 'authorization': `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  })

  for (const [name, bytes] of Object.entries(foreign)) {
    it(`in a body is refused with 400, and no email is sent: ${name}`, async () => {
      for (const answer of [
        await post(app.url, app.key, mail(bytes)),
        await post(app.url, app.key, gzipSync(mail(bytes)), { 'content-encoding': 'gzip' }),
      ]) expect([answer.status, answer.json]).to.deep.equal([400, refused('body', 'is not UTF-8')])
      expect((await app.api('GET', '/emails')).body.total).to.equal(0)
    })

    it(`in a query is refused with 400: ${name}`, async () => {
      for (const path of [`/emails?q=${percent(bytes)}`, `/emails/wait?timeout=1&subject=${percent(bytes)}`]) {
        const { status, body } = await app.api('GET', path)
        expect([status, body]).to.deep.equal([400, refused('query', 'is not UTF-8 in percent-encoding')])
      }
    })
  }

  it('in a body of another charset is refused with 415, whatever its bytes are, by the server and the mock', async () => {
    const mock = await openMock({ host: '127.0.0.1', port: 0 })
    const body = mail([0x61])
    try {
      for (const [url, key] of [[app.url, app.key], [mock.url, 'svc_test_any']] as const) {
        for (const charset of ['utf-16', 'UTF-16LE', 'utf-7', 'iso-8859-1', '"utf-32"', 'unknown']) {
          for (const [bytes, headers] of [[body, {}], [gzipSync(body), { 'content-encoding': 'gzip' }]] as const) {
            const answer = await post(url, key, bytes, { ...headers, 'content-type': `application/json; charset=${charset}` })
            expect([answer.status, answer.json], charset).to.deep.equal([415, {
              error: 'The body has to be UTF-8. Send "Content-Type: application/json", without another charset.', code: 'UNSUPPORTED_MEDIA_TYPE',
            }])
          }
        }
      }
      expect((await app.api('GET', '/emails')).body.total).to.equal(0)
      for (const charset of ['utf-8', 'UTF-8', 'utf8', '"utf-8"', 'us-ascii']) {
        const { status } = await post(mock.url, 'svc_test_any', body, { 'content-type': `application/json; charset=${charset}` })
        expect(status, charset).to.equal(202)
      }
    } finally {
      await mock.close()
    }
  })

  it('in a body or a query is refused by the mock too', async () => {
    const mock = await openMock({ host: '127.0.0.1', port: 0 })
    try {
      const { status, json } = await post(mock.url, 'svc_test_any', mail(foreign['ISO 8859-1']!))
      expect([status, json.details]).to.deep.equal([400, [{ path: 'body', message: 'is not UTF-8' }]])
      const headers = { authorization: 'Bearer any' }
      const asked = await rawRequest(mock.url, { path: `/api/v1/emails?q=${percent(foreign['ISO 8859-1']!)}`, headers })
      expect([asked.status, asked.json.details]).to.deep.equal([400, [{ path: 'query', message: 'is not UTF-8 in percent-encoding' }]])
    } finally {
      await mock.close()
    }
  })

  it('is distinguished from UTF-8, which is accepted unchanged, compressed or not, with or without a byte order mark', async () => {
    const text = 'Grüße, 你好 \u{1f600} \ufffd'
    const body = mail([...Buffer.from(text)])
    const mark = Buffer.from('\ufeff')
    for (const [bytes, headers] of [
      [body, {}], [Buffer.concat([mark, body]), {}],
      [gzipSync(body), { 'content-encoding': 'gzip' }], [gzipSync(Buffer.concat([mark, body])), { 'content-encoding': 'gzip' }],
    ] as const) {
      const { status, json } = await post(app.url, app.key, bytes, headers)
      expect(status).to.equal(202)
      expect((await app.api('GET', `/emails/${json.data.id}`)).body.data.bodyText).to.equal(text)
    }
    expect((await app.api('GET', `/emails?q=${encodeURIComponent(text)}&limit=5`)).status).to.equal(200)
    expect((await app.api('GET', '/emails?q=100%')).status).to.equal(200)
  })
})
