import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'

const apiKey = 'svc_live_0123456789abcdefghijklmnopqrstuv'

describe('SDK: files', () => {
  const download = (type: string, disposition: string, body = '{"a":1}') => {
    const headers = { 'content-type': type, 'content-disposition': disposition }
    return new Mayfly({ apiKey, fetch: async () => new Response(body, { headers }) }).emails.attachment('e', 'a')
  }

  it('keep their bytes for any type', async () => {
    for (const type of ['application/json', 'text/plain; charset=latin1', 'text/event-stream', 'multipart/form-data', '']) {
      const file = await download(type, 'attachment; filename=a.json', '{ "a":1 }\r\n')
      expect(file.type).to.equal(type)
      expect(await file.text()).to.equal('{ "a":1 }\r\n')
    }
  })

  const names: [disposition: string, name: string][] = [
    ['attachment; filename=terms.pdf', 'terms.pdf'],
    ['attachment; filename="a \\"b\\"; filename=c.txt"', 'a "b"; filename=c.txt'],
    ['attachment; filename="na?ve.txt"; filename*=UTF-8\'\'na%C3%AFve.txt', 'naïve.txt'],
    ['attachment; filename*=UTF-8\'en\'%e2%82%ac.txt', '€.txt'],
    ['attachment; filename="plain.txt"; filename*=UTF-8\'\'%ff', 'plain.txt'],
    ['attachment', 'a'],
  ]
  for (const [disposition, name] of names) {
    it(`are named by ${disposition}`, async () => {
      expect((await download('text/plain', disposition)).name).to.equal(name)
    })
  }
})
