import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { changePlan, createAccount, createApiKey, deleteApiKey, revokeApiKey } from '../support/store/accounts.ts'
import { bearer, exampleRequest, operations } from './requests.ts'

describe('API authentication', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const ask = (operation: (typeof operations)[number], headers: Record<string, string>) =>
    rawRequest(app.url, exampleRequest(operation, headers))

  it('401 INVALID_API_KEY: refuses every request without a valid key, with the same answer', async () => {
    const account = await createAccount(app, 'no-key@example.org')
    const newKey = () => createApiKey(app, account.id)
    const [good, revoked, unknown] = [await newKey(), await newKey(), await newKey()]
    await revokeApiKey(app, revoked.id)
    await deleteApiKey(app, unknown.id)
    const { key } = good
    const without: Record<string, Record<string, string>> = {
      'no header': {},
      'an empty header': { authorization: '' },
      'a scheme alone': { authorization: 'Bearer' },
      'no scheme': { authorization: key },
      'another scheme': { authorization: `Basic ${key}` },
      'a basic login': { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
      'two keys': { authorization: `Bearer ${key} ${key}` },
      'a header of another name': { 'x-api-key': key },
      'a word': bearer('nonsense'),
      'a key cut short': bearer(key.slice(0, -1)),
      'a key with more behind it': bearer(`${key}0`),
      'a key in capitals': bearer(key.toUpperCase()),
      'a letter changed': bearer(key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')),
      'the other mode': bearer(key.replace('svc_live_', 'svc_test_')),
      'an unknown key': bearer(unknown.key),
      'a revoked key': bearer(revoked.key),
    }
    for (const operation of operations) {
      for (const [name, headers] of Object.entries(without)) {
        const answer = await ask(operation, headers)
        expect(answer.status, `${operation.operationId}, ${name}`).to.equal(401)
        expect(answer.headers['www-authenticate']).to.equal('Bearer')
        expect(answer.text, `${operation.operationId}, ${name}`).to.equal('{"error":"The API key is missing, malformed, unknown or ' +
          'revoked. Send \\"Authorization: Bearer <key>\\".","code":"INVALID_API_KEY"}')
      }
    }
    expect((await rawRequest(app.url, { path: '/api/v1/addresses', headers: bearer(key) })).status).to.equal(200)
  })

  for (const spelling of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
    it(`accepts a key after "${spelling}"`, async () => {
      const headers = { authorization: `${spelling} ${app.key}` }
      expect((await rawRequest(app.url, { path: '/api/v1/addresses', headers })).status).to.equal(200)
    })
  }

  for (const plan of ['free', 'pro'] as const) {
    it(`refuses keys of a ${plan} account, except to list webhooks and to end what there is`, async () => {
      const key = await app.newKey({ plan })
      const isRefused = ({ method, operationId }: (typeof operations)[number]) =>
        method !== 'delete' && !['webhooks.list', 'webhooks.get', 'webhooks.deliveries'].includes(operationId)
      for (const operation of operations) {
        if (!isRefused(operation)) {
          expect((await ask(operation, bearer(key))).status, operation.operationId).to.equal(operation.operationId === 'webhooks.list' ? 200 : 404)
          continue
        }
        const answer = await ask(operation, bearer(key))
        expect(answer.status, operation.operationId).to.equal(403)
        expect(answer.json).to.deep.equal({
          error: `The API is part of the Business plan; this account has the ${plan} plan.`, code: 'PLAN_REQUIRED',
        })
      }
    })
  }

  it('applies a change of plan at the next request', async () => {
    const { id, email } = await createAccount(app, 'plans@example.org')
    const key = await app.newKey({ account: id })
    const list = async () => (await app.api('GET', '/addresses', { key })).status
    const statuses = [await list()]
    for (const plan of ['pro', 'business', 'free', 'business'] as const) {
      await changePlan(app, email, plan)
      statuses.push(await list())
    }
    expect(statuses).to.deep.equal([200, 403, 200, 403, 200])
  })

  it('refuses a revoked key at once, and accepts the other keys of its account', async () => {
    const { id } = await createAccount(app, 'revoked@example.org')
    const { key, id: keyId } = await createApiKey(app, id)
    const other = await app.newKey({ account: id })
    expect((await app.api('GET', '/addresses', { key })).status).to.equal(200)
    await revokeApiKey(app, keyId)
    expect((await app.api('GET', '/addresses', { key })).status).to.equal(401)
    expect((await app.api('GET', '/addresses', { key: other })).status).to.equal(200)
  })
})
