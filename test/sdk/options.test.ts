import { expect } from 'chai'
import defaultExport, { Mayfly, MayflyError } from '@mayfly-mail/sdk'

const apiKey = 'svc_live_0123456789abcdefghijklmnopqrstuv'

describe('SDK: options of new Mayfly()', () => {
  const refusals: [name: string, options: unknown, sentence: string][] = [
    ['nothing', undefined, 'new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY'],
    ['no time for a wait', { apiKey, waitTimeoutMs: 0 }, 'waitTimeoutMs must be a number above 0'],
  ]
  for (const [name, options, sentence] of refusals) {
    it(`refuses ${name}`, () => {
      expect(() => new Mayfly(options as never)).to.throw(MayflyError, sentence)
    })
  }

  const accepted: [baseUrl: string, server: string][] = [
    ['localhost', 'http://localhost'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['https://mail.example.com/mayfly/api/v1//', 'https://mail.example.com/mayfly'],
  ]
  for (const [baseUrl, server] of accepted) {
    it(`accepts the base URL ${JSON.stringify(baseUrl)}`, async () => {
      const urls: string[] = []
      await new Mayfly({ apiKey, baseUrl, fetch: async ({ url }) => {
        urls.push(url)
        return Response.json({ data: [] })
      } }).domains.list()
      expect(urls).to.deep.equal([`${server}/api/v1/domains`])
    })
  }

  it('refuses a file to send whose content is no bytes, by name', async () => {
    const mayfly = new Mayfly({ apiKey, fetch: async () => Response.json({}) })
    const wrong = { fromAddressId: 'a', to: 'a@b.example', subject: 'x', body: 'x', attachments: [new File(['x'], 'a.txt')] }
    const error = await Promise.resolve().then(() => mayfly.emails.send(wrong as never)).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(MayflyError)
    expect((error as Error).message).to.equal('emails.send: attachments.0.content must be a Uint8Array or a string')
  })

  it('has its class as the default export, too', () => {
    expect(defaultExport).to.equal(Mayfly)
  })
})
