import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'
import { signIn } from '../support/sessions.ts'
import { rowsOf } from '../support/store/rows.ts'

const input = { name: 'CI', scopes: ['emails:read', 'emails:write'] }

describe('API keys of an account', () => {
  const newAccount = shareTestApp()

  it('are made, used and revoked; the next request with a revoked key is refused', async () => {
    const app = await newAccount()
    const { api } = await signIn(app)
    const created = await api('POST', '/api-keys', { body: input })
    const { key, ...shown } = created.body.data
    expect(created.status).to.equal(201)
    expect(shown).to.deep.include({ name: 'CI', mode: 'live', prefix: key.slice(0, 13), scopes: input.scopes, lastUsedAt: null, dialect: 'primary' })
    expect((await app.api('GET', '/addresses', { key })).status).to.equal(200)
    expect((await app.api('GET', '/domains', { key })).status).to.equal(403)
    const revoked = await api('DELETE', `/api-keys/${shown.id}`)
    expect([revoked.status, revoked.body]).to.deep.equal([200, { message: 'The API key is revoked.' }])
    expect((await app.api('GET', '/addresses', { key })).status).to.equal(401)
    const again = await api('DELETE', `/api-keys/${shown.id}`)
    expect([again.status, again.body.error]).to.deep.equal([404, 'There is no API key with this id.'])
    expect((await api('GET', '/api-keys')).body.data).to.deep.equal([])
  })

  it('show their value once: no later answer, record or repetition has it', async () => {
    const app = await newAccount()
    const { api } = await signIn(app)
    const headers = { 'idempotency-key': 'once' }
    const { key, ...shown } = (await api('POST', '/api-keys', { body: input, headers })).body.data
    const repeated = await api('POST', '/api-keys', { body: input, headers })
    expect([repeated.status, repeated.headers.get('idempotency-replayed'), repeated.body.data]).to.deep.equal([201, 'true', shown])
    expect((await api('GET', '/api-keys')).body.data).to.deep.equal([shown])
    for (const table of ['api_keys', 'audit_logs', 'idempotency_keys'] as const) expect(JSON.stringify(await rowsOf(app, table))).to.not.include(key)
  })

  it('are listed newest first, live and test keys, with their last use', async () => {
    const app = await newAccount()
    const { api, email } = await signIn(app)
    const { key, id } = (await api('POST', '/api-keys', { body: { ...input, mode: 'test' } })).body.data
    await app.newKey({ account: email })
    await app.api('GET', '/addresses', { key })
    await app.advance({ seconds: 2 })
    const { data } = (await api('GET', '/api-keys')).body
    expect(data.map(({ name, mode }: any) => [name, mode])).to.deep.equal([['test', 'live'], ['CI', 'test']])
    expect(data[1]).to.include({ id, lastUsedAt: '2026-03-14T09:00:00.000Z' })
  })

  it('have a dialect, which is that of their webhooks too', async () => {
    const app = await newAccount()
    const { api } = await signIn(app)
    const scopes = ['webhooks:manage']
    const { key, dialect } = (await api('POST', '/api-keys', { body: { ...input, scopes, dialect: 'classic' } })).body.data
    expect(dialect).to.equal('classic')
    await api('POST', '/api-keys', { body: input })
    expect((await api('GET', '/api-keys')).body.data.map((shown: any) => shown.dialect)).to.deep.equal(['primary', 'classic'])
    await app.api('POST', '/webhooks', { key, body: { url: 'https://hooks.example.com/', events: ['email.received'] } })
    expect((await api('GET', '/webhooks')).body.data[0]).to.include({ dialect: 'classic', form: 'both' })
    const refused = await api('POST', '/api-keys', { body: { ...input, dialect: 'modern' } })
    expect(refused).to.include({ status: 400 }).and.have.nested.property('body.details[0].path', 'body.dialect')
  })

  it('of another account are unknown', async () => {
    const app = await newAccount()
    const [mine, theirs] = [await signIn(app), await signIn(app)]
    const { id, key } = (await mine.api('POST', '/api-keys', { body: input })).body.data
    expect((await theirs.api('GET', '/api-keys')).body.data).to.deep.equal([])
    expect((await theirs.api('DELETE', `/api-keys/${id}`)).status).to.equal(404)
    expect((await app.api('GET', '/addresses', { key })).status).to.equal(200)
  })

  it('need a name and a scope', async () => {
    const app = await newAccount()
    const { api } = await signIn(app)
    for (const [body, path] of [
      [{ ...input, name: '  ' }, 'body.name'], [{ ...input, name: 'x'.repeat(101) }, 'body.name'], [{ ...input, scopes: [] }, 'body.scopes'],
      [{ ...input, scopes: ['emails:all'] }, 'body.scopes.0'], [{ ...input, mode: 'both' }, 'body.mode'],
    ] as const) {
      const { status, body: answer } = await api('POST', '/api-keys', { body })
      expect([status, answer.details[0].path]).to.deep.equal([400, path])
    }
  })

  it('are 100 at most', async () => {
    const app = await newAccount()
    const { api } = await signIn(app)
    const ids = []
    for (let i = 0; i < 100; i++) ids.push((await api('POST', '/api-keys', { body: input })).body.data.id)
    const refused = await api('POST', '/api-keys', { body: input })
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'There are 100 API keys already, which is as many as there may be. Revoke one first.'])
    await api('DELETE', `/api-keys/${ids[0]}`)
    expect((await api('POST', '/api-keys', { body: input })).status).to.equal(201)
  })

  it('that are revoked stay in the database up to 100', async () => {
    const app = await newAccount()
    const { api } = await signIn(app)
    const accountId = (await api('GET', '/account')).body.data.id
    for (let i = 0; i < 103; i++) await api('DELETE', `/api-keys/${(await api('POST', '/api-keys', { body: input })).body.data.id}`)
    expect((await rowsOf(app, 'api_keys')).filter((row) => row.accountId === accountId)).to.have.length(100)
  })
})
