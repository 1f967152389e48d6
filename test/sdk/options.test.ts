import { expect } from 'chai'
import defaultExport, { Mayfly, MayflyError } from '@mayfly-mail/sdk'

const apiKey = 'svc_live_0123456789abcdefghijklmnopqrstuv'

describe('SDK: options of new Mayfly()', () => {
  const noServer = 'baseUrl, or MAYFLY_BASE_URL, must be an http or https URL such as http://localhost:3000, without a password or a query'
  const refusals: [name: string, options: unknown, sentence: string][] = [
    ['nothing', undefined, 'new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY'],
    ['no key', {}, 'new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY'],
    ['a blank key', { apiKey: ' \n' }, 'new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY'],
    ['a key with a line break', { apiKey: 'svc_live_a\nsvc_live_b' }, 'The apiKey has characters that no API key has'],
    ['no URL', { apiKey, baseUrl: 'my server' }, noServer],
    ['another kind of URL', { apiKey, baseUrl: 'ftp://localhost:3000' }, noServer],
    ['a host of another machine without a protocol', { apiKey, baseUrl: 'mail.example.com' }, noServer],
    ['a name that begins with that of this machine, without a protocol', { apiKey, baseUrl: 'localhost.example.com:80' }, noServer],
    ['a URL with a password', { apiKey, baseUrl: 'http://a:b@localhost' }, noServer],
    ['no time', { apiKey, timeoutMs: 0 }, 'timeoutMs must be above 0'],
    ['no time for a wait', { apiKey, waitTimeoutMs: 0 }, 'waitTimeoutMs must be above 0'],
  ]
  for (const [name, options, sentence] of refusals) {
    it(`refuses ${name}`, () => {
      expect(() => new Mayfly(options as never)).to.throw(MayflyError, sentence)
    })
  }

  it('accepts a key with a line feed, and a base URL with a path and a slash', async () => {
    const requests: Request[] = []
    const fetch = async (request: Request) => {
      requests.push(request)
      return Response.json({ data: [] })
    }
    await new Mayfly({ apiKey: `${apiKey}\n`, baseUrl: 'https://mail.example.com/mayfly//', fetch }).domains.list()
    await new Mayfly({ apiKey, fetch }).domains.list()
    expect(requests.map(({ url }) => url)).to.deep.equal([
      'https://mail.example.com/mayfly/api/v1/domains', 'http://localhost:3000/api/v1/domains',
    ])
    expect(requests[0]!.headers.get('authorization')).to.equal(`Bearer ${apiKey}`)
  })

  const accepted: [baseUrl: string, server: string][] = [
    ['localhost:3000', 'http://localhost:3000'],
    ['localhost', 'http://localhost'],
    ['LOCALHOST:3000/', 'http://localhost:3000'],
    [' 127.0.0.1:3000/ ', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['localhost:3000/api/v1', 'http://localhost:3000'],
    ['http://localhost:3000/api/v1', 'http://localhost:3000'],
    ['http://localhost:3000/api/v1/', 'http://localhost:3000'],
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

  it('has its class as the default export, too', () => {
    expect(defaultExport).to.equal(Mayfly)
  })
})
