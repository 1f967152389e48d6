import { expect } from 'chai'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { signMail } from '../../../server/mime/write/dkim.ts'
import { newKey } from '../../support/signed-mail.ts'

describe('DKIM signature of mail that this server writes', () => {
  const source = Buffer.from('From: a@mail.localhost\r\nTo: b@example.org\r\nSubject: Gr=?utf-8?q?=C3=BC?=\xdfe\r\n\r\nHello  \r\n\r\n')

  for (const options of [{ type: 'rsa' }, { type: 'rsa', bits: 1024 }, { type: 'ed25519' }] as const) {
    it(`verifies with a key of type ${Object.values(options).join(' ')}`, async () => {
      const key = newKey('mail.localhost', { ...options, selector: 'mayfly' })
      const signed = await signMail(source, key, Date.UTC(2026, 2, 14, 9))
      expect(signed.subarray(-source.length).equals(source)).to.equal(true)
      const asked: string[] = []
      const resolver = async (name: string) => {
        asked.push(name)
        return [[key.record]]
      }
      const { results } = await dkimVerify(signed, { resolver })
      expect(results.map(({ status, signingDomain, selector }) => [status.result, signingDomain, selector]))
        .to.deep.equal([['pass', 'mail.localhost', 'mayfly']])
      expect(asked).to.deep.equal(['mayfly._domainkey.mail.localhost'])
      expect(signed.toString()).to.match(/^DKIM-Signature: v=1;/).and.to.include('t=1773478800')
    })
  }

  it('is absent without a key', async () => {
    expect(await signMail(source, null, 0)).to.equal(source)
  })

  it('fails with a key that cannot sign', async () => {
    const error = await signMail(source, { domain: 'mail.localhost', selector: 'x', privateKey: 'nonsense' }, 0).catch((error: Error) => error)
    expect(error).to.be.an('error').with.property('message').that.includes('MAYFLY_DKIM_KEY: cannot sign')
  })
})
