import { expect } from 'chai'
import { gunzipSync } from 'node:zlib'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

describe('OpenAPI document: serving', () => {
  let app: TestApp
  const newAccount = shareTestApp()
  beforeEach(async () => { app = await newAccount() })

  for (const path of ['/openapi.json', '/openapi.yaml', '/openapi.classic.json', '/openapi.classic.yaml', '/docs', '/docs?dialect=classic']) {
    it(`sends ${path} compressed, and 304 to a client that has it`, async () => {
      const plain = await rawRequest(app.url, { path })
      const packed = await rawRequest(app.url, { path, headers: { 'accept-encoding': 'gzip' } })
      expect(packed.headers['content-encoding']).to.equal('gzip')
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).to.equal(true)
      const again = await rawRequest(app.url, { path, headers: { 'if-none-match': plain.headers.etag! } })
      expect([again.status, again.bytes.length]).to.deep.equal([304, 0])
    })
  }

  it('names the port of the server, or the configured base URL', async () => {
    const urlOf = async ({ url }: TestApp) => (await rawRequest(url, { path: '/openapi.json' })).json.servers[0].url as string
    expect(await urlOf(app)).to.equal(`http://localhost:${app.app.http.port}`)
    await using other = await openTestApp({ env: { MAYFLY_BASE_URL: 'https://mail.example.org' } })
    expect(await urlOf(other)).to.equal('https://mail.example.org')
  })

  it('sends it uncompressed to a client with a very long Accept-Encoding, which is not parsed', async () => {
    const answer = await rawRequest(app.url, { path: '/openapi.json', headers: { 'accept-encoding': 'gzip,'.repeat(2_000) } })
    expect([answer.status, answer.headers['content-encoding']]).to.deep.equal([200, undefined])
  })
})
