import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

const [contact, policy] = ['/.well-known/security.txt', '/.well-known/mta-sts.txt']

describe('Files at /.well-known', () => {
  it('are not there by default', async () => {
    await using app = await openTestApp()
    for (const path of [contact, policy]) expect((await rawRequest(app.url, { path })).status).to.equal(404)
  })

  it('name the contact of the operator for 180 days, and the policy of TLS for mail, without a key', async () => {
    await using app = await openTestApp({
      env: {
        MAYFLY_SECURITY_CONTACT: 'mailto:security@example.com', MAYFLY_MTA_STS: 'testing', MAYFLY_MX_HOST: 'mx.example.com', MAYFLY_RATE_LIMIT: '1',
      },
    })
    for (const days of [0, 100]) {
      await app.advance({ minutes: days * 24 * 60 })
      const { status, headers, text } = await rawRequest(app.url, { path: contact })
      expect([status, headers['content-type']]).to.deep.equal([200, 'text/plain; charset=utf-8'])
      const end = new Date(app.app.clock.now() + 180 * 24 * 3_600_000).toISOString()
      expect(text).to.equal(`Contact: mailto:security@example.com\nExpires: ${end}\n`)
    }
    const found = await rawRequest(app.url, { path: policy, headers: { host: 'mta-sts.example.com' } })
    expect([found.status, found.headers['content-type']]).to.deep.equal([200, 'text/plain; charset=utf-8'])
    expect(found.text).to.equal('version: STSv1\nmode: testing\nmx: mx.example.com\nmax_age: 1209600\n')
    expect((await rawRequest(app.url, { path: contact, method: 'POST' })).status).to.equal(404)
  })
})
