import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { openMock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer, RawRequest } from '../support/raw-request.ts'

const addresses = '/api/v1/addresses'
const nowhere = '019c0000-0000-7000-8000-000000000000'
const json = { 'content-type': 'application/json' }

/** The server, and the mock, whose answers have the same words. */
const worlds: Record<string, () => Promise<{ url: string, key: string } & AsyncDisposable>> = {
  'the server': () => openTestApp(),
  'the mock': async () => ({ ...await openMock(), key: `svc_live_${'k'.repeat(33)}` }),
}

for (const [name, open] of Object.entries(worlds)) describe(`Errors: refused requests: ${name}`, () => {
  let app: Awaited<ReturnType<typeof open>>
  before(async () => { app = await open() })
  after(() => app[Symbol.asyncDispose]())

  const ask = (request: RawRequest) =>
    rawRequest(app.url, { ...request, headers: { authorization: `Bearer ${app.key}`, ...request.headers } })
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    ask({ method: 'POST', path: addresses, headers: { ...json, ...headers }, body })

  describe('400 for invalid requests:', () => {
    const details = (answer: RawAnswer) => answer.json.details as { path: string, message: string }[]

    for (const body of ['{', '{"alias":', "{'alias':'a'}", '{alias:1}', 'null', '5', '"text"', 'true', ' ', '{}{}', '\0']) {
      it(`for the body ${JSON.stringify(body)}`, async () => {
        const answer = await post(body)
        expect(answer.status).to.equal(400)
        expect(answer.json).to.deep.equal({
          error: 'body is not JSON, or not an object.',
          code: 'INVALID_REQUEST',
          details: [{ path: 'body', message: 'is not JSON, or not an object' }],
        })
      })
    }

    for (const [body, path] of [
      ['{"alias":"one","alias":"two"}', 'body.alias'],
      ['{"alias":"one","\\u0061lias":"one"}', 'body.alias'],
      ['{ "alias" : "a\\\\\\"{" , "expiresIn":60, "alias" :1}', 'body.alias'],
      ['{"__proto__":1,"__proto__":2}', 'body.__proto__'],
      ['{"":1,"":2}', 'body.'],
      ['{"a":{"b":[{"c":1},[],{"c":"c","d":{},"c":2}]}}', 'body.a.b.2.c'],
      [`${'{"a":['.repeat(15)}{"b":1,"b":2}${']}'.repeat(15)}`, `body${'.a.0'.repeat(15)}.b`],
      [`{"alias":"${'\\"'.repeat(200_000)}",${' '.repeat(200_000)}"alias":1}`, 'body.alias'],
    ] as const) {
      it(`for a member that is there twice: ${body.slice(0, 70)}`, async () => {
        const answer = await post(body)
        const message = 'is there more than once; leave out all but one'
        expect([answer.status, answer.json]).to.deep.equal([400, { error: `${path}: ${message}.`, code: 'INVALID_REQUEST', details: [{ path, message }] }])
      })
    }

    it('not for one name in several objects, or as a name and a value', async () => {
      const text = '{"events":["events",":",{"url":1},{"url":2}],"url":"events"}'
      expect(details(await post(text)).map(({ path }) => path)).to.deep.equal(['body.events', 'body.url'])
    })

    it('for an array as the body', async () => {
      const answer = await post('[]')
      expect(answer.status).to.equal(400)
      expect(details(answer)).to.deep.equal([{ path: 'body', message: 'must be object' }])
    })

    it('for a missing required body', async () => {
      const answer = await ask({ method: 'PATCH', path: `/api/v1/emails/${nowhere}` })
      expect(answer.status).to.equal(400)
      expect(details(answer)[0]).to.deep.equal({ path: 'body', message: 'is required' })
    })

    for (const [body, path, message] of [
      [{ expires: 60 }, 'body.expires', 'is not known; leave it out'],
      [{ expiresin: 60 }, 'body.expiresin', 'is not known; leave it out'],
      [JSON.parse('{"__proto__":{"alias":"a"}}'), 'body.__proto__', 'is not known; leave it out'],
      [{ constructor: 1 }, 'body.constructor', 'is not known; leave it out'],
      [{ toString: 1 }, 'body.toString', 'is not known; leave it out'],
      [{ '': 1 }, 'body.', 'is not known; leave it out'],
      [{ alias: 'A B' }, 'body.alias',
        'does not fit: The part before the @: letters, digits, `.`, `_` and `-`, starting and ending with a letter or digit, without two dots in a row'],
      [{ alias: 5 }, 'body.alias', 'must be string'],
      [{ alias: null }, 'body.alias', 'must be string'],
      [{ alias: ['a'] }, 'body.alias', 'must be string'],
      [{ expiresIn: '3600' }, 'body.expiresIn', 'must be integer'],
      [{ expiresIn: 60.5 }, 'body.expiresIn', 'must be integer'],
      [{ expiresIn: 59 }, 'body.expiresIn', 'must be >= 60'],
      [{ expiresIn: true }, 'body.expiresIn', 'must be integer'],
      [{ forwardToId: 'x' }, 'body.forwardToId', 'must match format "uuid"'],
    ] as const) {
      it(`for ${JSON.stringify(body)}, naming ${path}`, async () => {
        const answer = await post(JSON.stringify(body))
        expect(answer.status).to.equal(400)
        expect(answer.json).to.deep.equal({ error: `${path}: ${message}.`, code: 'INVALID_REQUEST', details: [{ path, message }] })
      })
    }

    it('names every invalid member', async () => {
      const answer = await post('{"alias":5,"expiresIn":1,"more":1,"other":2}')
      expect(answer.json.error).to.equal(`${details(answer)[0]!.path}: ${details(answer)[0]!.message} (and 3 more).`)
      expect(details(answer).map(({ path }) => path).sort()).to.deep.equal(['body.alias', 'body.expiresIn', 'body.more', 'body.other'])
    })

    it('is a short answer, however many members are invalid', async () => {
      for (const body of [
        Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`member${i}`, i])),
        { ['long'.repeat(200_000)]: 1 },
        { alias: 'long'.repeat(200_000) },
      ]) {
        const answer = await post(JSON.stringify(body))
        expect(answer.status).to.equal(400)
        expect(answer.text.length).to.be.lessThan(8_000)
      }
      const events = await ask({
        method: 'POST', path: '/api/v1/webhooks', headers: json,
        body: JSON.stringify({ url: 'https://example.org', events: Array(200_000).fill('x') }),
      })
      expect(events.status).to.equal(400)
      expect(events.text.length).to.be.lessThan(8_000)
    })

    it('for the URL of a webhook that is none, with an example', async () => {
      const answer = await ask({
        method: 'POST', path: '/api/v1/webhooks', headers: json, body: JSON.stringify({ url: 'https://example.org/"x"', events: ['email.received'] }),
      })
      expect(answer.status).to.equal(400)
      expect(answer.json.error).to.equal('body.url: must be a URL, such as https://example.com/path.')
    })

    for (const [query, path, message] of [
      ['limit=0', 'query.limit', 'must be >= 1'],
      ['limit=101', 'query.limit', 'must be <= 100'],
      ['limit=99999999999999999999', 'query.limit', 'must be <= 100'],
      ['limit=-1', 'query.limit', 'must be >= 1'],
      ['limit=ten', 'query.limit', 'must be integer'],
      ['limit=1.5', 'query.limit', 'must be integer'],
      ['limit=0x10', 'query.limit', 'must be integer'],
      ['limit=%205', 'query.limit', 'must be integer'],
      ['limit=', 'query.limit', 'must be integer'],
      ['limit', 'query.limit', 'must be integer'],
      ['limit=null', 'query.limit', 'must be integer'],
      ['limit=%ZZ', 'query.limit', 'must be integer'],
      ['limit=%00', 'query.limit', 'must be integer'],
      ['limit=5&limit=5', 'query.limit', 'must be integer'],
      ['offset=-1', 'query.offset', 'must be >= 0'],
      ['offset=10001', 'query.offset', 'must be <= 10000; to go further, give the id of the last item as query.before'],
      ['offset=1&offset=2', 'query.offset', 'must be integer'],
      ['status=Active', 'query.status', 'must be one of active, expired'],
      ['status=', 'query.status', 'must be one of active, expired'],
      ['Limit=5', 'query.Limit', 'is not known; leave it out'],
      ['limit[]=5', 'query.limit[]', 'is not known; leave it out'],
      ['limit[a]=5', 'query.limit[a]', 'is not known; leave it out'],
      ['__proto__=1', 'query.__proto__', 'is not known; leave it out'],
      ['__proto__[limit]=1', 'query.__proto__[limit]', 'is not known; leave it out'],
      ['constructor=1', 'query.constructor', 'is not known; leave it out'],
      ['hasOwnProperty=1', 'query.hasOwnProperty', 'is not known; leave it out'],
      ['page=1', 'query.page', 'is not known; leave it out'],
      ['=1', 'query.', 'is not known; leave it out'],
    ]) {
      it(`for ?${query}, naming ${path}`, async () => {
        const answer = await ask({ path: `${addresses}?${query}` })
        expect(answer.status).to.equal(400)
        expect(details(answer)).to.deep.equal([{ path, message }])
      })
    }

    it('masks a secret that was sent as the name of a member', async () => {
      const secrets = { [app.key]: 'svc_live_…', 'whsec_MfKQ9r8GKYqr/wjUPD8ILP+IoLaLaSw==': 'whsec_…' }
      for (const [secret, shown] of Object.entries(secrets)) {
        const inQuery = await ask({ path: `${addresses}?${encodeURIComponent(secret)}=1` })
        const inBody = await post(JSON.stringify({ [secret]: 1 }))
        expect(details(inQuery)).to.deep.equal([{ path: `query.${shown}`, message: 'is not known; leave it out' }])
        expect(details(inBody)).to.deep.equal([{ path: `body.${shown}`, message: 'is not known; leave it out' }])
        for (const { text } of [inQuery, inBody]) expect(text).to.not.include(secret.slice(0, 20))
      }
    })

    it('for a query parameter of another operation', async () => {
      for (const [method, path] of [
        ['POST', `${addresses}?limit=5`], ['GET', `${addresses}?type=sent`], ['GET', `${addresses}/${nowhere}?limit=5`],
        ['DELETE', `${addresses}/${nowhere}?force=true`], ['GET', '/api/v1/analytics?limit=5'], ['GET', '/api/v1/webhooks?offset=0'],
      ] as const) {
        const answer = await ask({ method, path })
        expect(answer.status, path).to.equal(400)
        expect(details(answer)[0]!.path).to.match(/^query\./)
      }
    })

    for (const id of [
      'x', '1', nowhere.slice(1), `${nowhere}0`, nowhere.replace('-', ''), `%20${nowhere}`, `${nowhere}%00`, `${nowhere}%2F`, '%00', '%2F',
      '..%2f..%2f', '%ZZ', '%', '%C3%28', '*', '{id}', `urn:uuid:${nowhere}`, 'x'.repeat(4000), '%F0%9F%98%80',
    ]) {
      it(`for the id ${id.slice(0, 50)}`, async () => {
        for (const path of [`${addresses}/${id}`, `/api/v1/emails/${nowhere}/attachments/${id}`]) {
          const answer = await ask({ path })
          expect(answer.status, answer.text).to.equal(400)
          expect(details(answer)[0]!.path).to.match(/^path\.(id|attachmentId)$/)
        }
      })
    }
  })
})
