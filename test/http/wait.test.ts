import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { ApiAnswer, TestApp } from '../support/app.ts'
import { openWaits } from '../support/open-waits.ts'
import { sendRaw } from '../support/send-raw.ts'
import { signIn } from '../support/sessions.ts'
import { changePlan, createAccount, createApiKey, deleteAccount, revokeApiKey } from '../support/store/accounts.ts'

interface WaitingAccount {
  email: string
  keyId: string
}

const nowhere = '019c0000-0000-7000-8000-000000000000'
const long = `Subject: long\r\n\r\n${'word '.repeat(600_000)}\r\n`

describe('Waits: GET /emails/wait', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  /** Starts a wait, and returns once the server has registered it. */
  async function begin(query: Record<string, string> = {}, options: { key?: string, signal?: AbortSignal } = {}) {
    const before = await openWaits(app)
    const answer = app.api('GET', `/emails/wait?${new URLSearchParams(query)}`, options)
    answer.catch(() => {})
    await openWaits(app, before + 1)
    return { answer }
  }
  const wait = (query: Record<string, string>, key?: string): Promise<ApiAnswer> =>
    app.api('GET', `/emails/wait?${new URLSearchParams(query)}`, key ? { key } : {})
  const send = (to: string, subject: string, from = 'Shop <shop@example.org>') => app.send({ to, from, subject, text: 'Your code is 482913.' })

  it('misses no mail of a new address from the cursor of its creation on, and each once', async () => {
    const { body: { data: { id, address, cursor } } } = await app.api('POST', '/addresses', { body: {} })
    await send(address, 'first')
    await send(address, 'second')
    const first = await wait({ address_id: id, after: cursor, timeout: '1' })
    const second = await wait({ address_id: id, after: first.headers.get('x-mayfly-cursor')!, timeout: '1' })
    expect([first, second].map(({ body }) => body.data.subject)).to.deep.equal(['first', 'second'])
  })

  it('answers with the whole email as soon as it arrives', async () => {
    const { id, address } = await app.newAddress()
    const { answer } = await begin({ address_id: id })
    await send(address, 'Welcome')
    const { status, body, headers } = await answer
    expect(status).to.equal(200)
    expect(body.data).to.include({ addressId: id, subject: 'Welcome', from: 'shop@example.org', to: address })
    expect(body.data.codes).to.deep.equal(['482913'])
    const { body: { data: read } } = await app.api('GET', `/emails/${body.data.id}`)
    expect({ ...read, authentication: body.data.authentication }).to.deep.equal(body.data) // which may be known only after the wait
    const after = headers.get('x-mayfly-cursor')!
    expect((await wait({ address_id: id, after, timeout: '0' })).headers.get('x-mayfly-cursor')).to.equal(after)
    expect(await openWaits(app)).to.equal(0)
  })

  it('answers 204 with a cursor to continue from when no mail arrives in time', async () => {
    const { id, address } = await app.newAddress()
    await send(address, 'Before')
    const { status, headers, body } = await wait({ address_id: id, timeout: '0' })
    expect([status, body.length]).to.deep.equal([204, 0])
    await send(address, 'After')
    const next = await wait({ address_id: id, after: headers.get('x-mayfly-cursor')!, timeout: '0' })
    expect(next.body.data.subject).to.equal('After')
    expect((await wait({ address_id: id, after: next.headers.get('x-mayfly-cursor')!, timeout: '0' })).status).to.equal(204)
  })

  it('Waits: addressId is another spelling of address_id', async () => {
    const [wanted, other] = [await app.newAddress(), await app.newAddress()]
    await send(other.address, 'Other')
    await send(wanted.address, 'Wanted')
    const found = await wait({ addressId: wanted.id, after: nowhere, timeout: '0' })
    expect([found.status, found.body.data?.subject]).to.deep.equal([200, 'Wanted'])
    expect((await wait({ addressId: wanted.id, address_id: wanted.id, after: nowhere, timeout: '0' })).body).to.deep.equal(found.body)
    const { status, body } = await wait({ addressId: wanted.id, address_id: other.id, timeout: '0' })
    expect([status, body.details]).to.deep.equal([400, [
      { path: 'query.addressId', message: 'differs from query.address_id; give one of them' },
    ]])
    expect((await wait({ addressId: nowhere, timeout: '0' })).status).to.equal(404)
  })

  it('waits for `timeout` seconds of real time', async () => {
    const start = performance.now()
    expect((await wait({ timeout: '1' })).status).to.equal(204)
    expect(performance.now() - start).to.be.at.least(990)
  })

  it('answers with the first of several emails that match, ignoring case and without regular expressions', async () => {
    const { id, address } = await app.newAddress()
    for (const [subject, from] of [['News', 'Ada Lovelace <ada@engine.example>'], ['Code 1 (x)', 'b@shop.example'], ['Code 2', 'b@shop.example']] as const) {
      await send(address, subject, from)
    }
    await app.settled()
    const found = async (filter: Record<string, string>) => {
      const { status, body } = await wait({ address_id: id, after: nowhere, timeout: '0', ...filter })
      return status === 200 ? body.data.subject : undefined
    }
    expect(await found({})).to.equal('News')
    expect(await found({ from: 'LOVE' })).to.equal('News')
    expect(await found({ from: 'Engine.Example' })).to.equal('News')
    await send(address, 'Books', 'x@xn--bcher-kva.example')
    await app.settled()
    expect([await found({ from: '@Bücher.example' }), await found({ from: 'xn--bcher' })]).to.deep.equal(['Books', 'Books'])
    expect(await found({ subject: 'code' })).to.equal('Code 1 (x)')
    expect(await found({ subject: '(X)' })).to.equal('Code 1 (x)')
    expect(await found({ subject: 'code', from: 'ada' })).to.equal(undefined)
    expect(await found({ subject: '.*' })).to.equal(undefined)
    expect(await found({ subject: 'code%' })).to.equal(undefined)
  })

  it('ignores mail that does not match, and mail of other accounts', async () => {
    const { id, address } = await app.newAddress()
    const other = await app.newAddress()
    const { answer } = await begin({ address_id: id, subject: 'code' })
    await send(other.address, 'Code of another address')
    await send(address, 'News')
    await send(address, 'Your code')
    expect((await answer).body.data.subject).to.equal('Your code')
  })

  it('finds the matching mail in a large backlog', async () => {
    const { id, address } = await app.newAddress()
    await inGroups(450, (i) => sendRaw(app.smtp.port, address, `Subject: n${i}\r\n\r\nx\r\n`))
    await sendRaw(app.smtp.port, address, 'Subject: needle\r\n\r\nx\r\n')
    expect((await wait({ address_id: id, after: nowhere, subject: 'needle', timeout: '0' })).body.data.subject).to.equal('needle')
    expect((await wait({ address_id: id, after: nowhere, subject: 'nothing', timeout: '0' })).status).to.equal(204)
  })

  it('has a cursor before mail that is published later, also when that arrived earlier', async () => {
    const { id, address } = await app.newAddress()
    await sendRaw(app.smtp.port, address, long)
    const early = await wait({ address_id: id, timeout: '0' })
    expect(early.status).to.equal(204)
    await send(address, 'short')
    const found = new Set<string>()
    for (let after = early.headers.get('x-mayfly-cursor')!; found.size < 2;) {
      const { body, headers } = await wait({ address_id: id, after })
      found.add(body.data.subject)
      after = headers.get('x-mayfly-cursor')!
    }
    expect(found).to.deep.equal(new Set(['short', 'long']))
    for (const { id: after, subject } of (await app.api('GET', `/emails?address_id=${id}`)).body.data) {
      const { body } = await wait({ address_id: id, after, timeout: '0' })
      expect(body?.data?.subject ?? 'none', `after ${subject}`).to.equal(subject === [...found][0] ? [...found][1] : 'none')
    }
  })

  it('refuses a cursor of a later time than its database has', async () => {
    const { status, body } = await wait({ after: 'c1-999999', timeout: '0' })
    expect(status).to.equal(400)
    expect(body.error).to.equal("query.after: is not a cursor of this server. Take the cursor of a list, or an email's id.")
  })

  it('answers 200 concurrent waits, each with the mail of its address', async () => {
    const addresses = await Promise.all(Array.from({ length: 200 }, () => app.newAddress()))
    const answers = addresses.map(({ id }) => wait({ address_id: id }))
    await openWaits(app, 200)
    await inGroups(200, (i) => sendRaw(app.smtp.port, addresses[i]!.address, `Subject: ${addresses[i]!.address}\r\n\r\nx\r\n`))
    for (const [i, answer] of answers.entries()) expect((await answer).body.data.subject).to.equal(addresses[i]!.address)
    expect(await openWaits(app)).to.equal(0)
  })

  it('allows an account 500 waits for the same mail, and refuses the next', async () => {
    const { id: account } = await createAccount(app, 'many@example.org')
    const key = await app.newKey({ account })
    const { address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    const answers = Array.from({ length: 500 }, () => wait({}, key))
    await openWaits(app, 500)
    const refused = await wait({ timeout: '0' }, await app.newKey({ account, isTest: true }))
    expect(refused.status).to.equal(429)
    expect(refused.body.code).to.equal('RATE_LIMITED')
    expect(refused.headers.get('retry-after')).to.equal('1')
    expect((await wait({ timeout: '0' })).status, 'another account').to.equal(204)
    await send(address, 'for all')
    const ids = new Set((await Promise.all(answers)).map(({ body }) => body.data.id))
    expect(ids.size).to.equal(1)
    expect((await wait({ timeout: '0' }, key)).status).to.equal(204)
  })

  it('counts once against the rate limit', async () => {
    await using limited = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '5' } })
    const { headers } = await limited.api('GET', '/emails/wait?timeout=1')
    expect(headers.get('x-ratelimit-remaining')).to.equal('4')
  })

  it('answers with no mail of another account or of the other mode', async () => {
    const { id: account } = await createAccount(app, 'modes-wait@example.org')
    const [live, test, foreign] = [await app.newKey({ account }), await app.newKey({ account, isTest: true }), await app.newKey()]
    const mailbox = (await app.api('POST', '/addresses', { key: live, body: {} })).body.data
    for (const key of [test, foreign]) {
      const refused = await wait({ address_id: mailbox.id, timeout: '0' }, key)
      expect(refused.status).to.equal(404)
      expect(refused.body).to.deep.equal((await wait({ address_id: nowhere, timeout: '0' }, key)).body)
    }
    const others = [test, foreign].map((key) => wait({ after: nowhere, timeout: '1' }, key))
    const { answer } = await begin({}, { key: live })
    await send(mailbox.address, 'mine')
    expect((await answer).body.data.subject).to.equal('mine')
    for (const other of others) expect((await other).status).to.equal(204)
  })

  it('ignores deleted mail', async () => {
    const { id, address } = await app.newAddress()
    await send(address, 'deleted')
    const { body } = await wait({ address_id: id, after: nowhere, timeout: '0' })
    await app.api('DELETE', `/emails/${body.data.id}`)
    const { answer } = await begin({ address_id: id, after: nowhere })
    await send(address, 'kept')
    expect((await answer).body.data.subject).to.equal('kept')
  })

  it('ignores sent mail', async () => {
    const { id } = await app.newAddress()
    await app.api('POST', '/emails', { body: { fromAddressId: id, to: 'a@elsewhere.example', subject: 'out', body: 'out' } })
    await app.settled()
    expect((await wait({ address_id: id, after: nowhere, timeout: '0' })).status).to.equal(204)
  })

  it('answers 401 when its key is revoked during the wait', async () => {
    const { id: account } = await createAccount(app, 'revoked-wait@example.org')
    const [old, other] = [await createApiKey(app, account), await app.newKey({ account })]
    const { id, address } = (await app.api('POST', '/addresses', { key: other, body: {} })).body.data
    const { answer } = await begin({ address_id: id }, { key: old.key })
    await revokeApiKey(app, old.id)
    await send(address, 'secret')
    const { status, body } = await answer
    expect([status, body.code]).to.deep.equal([401, 'INVALID_API_KEY'])
  })

  for (const [name, end, error] of [
    ['its key is revoked', ({ keyId }: WaitingAccount) => revokeApiKey(app, keyId), [401, 'INVALID_API_KEY']],
    ['its account is deleted', ({ email }: WaitingAccount) => deleteAccount(app, email), [401, 'INVALID_API_KEY']],
    ['its account gets a plan without the API', ({ email }: WaitingAccount) => changePlan(app, email, 'free'), [403, 'PLAN_REQUIRED']],
  ] as const) {
    it(`ends within seconds when ${name}, without mail`, async () => {
      const { id, email } = await createAccount(app, `waits-${error[1]}-${app.app.db.newId()}@example.org`)
      const { id: keyId, key } = await createApiKey(app, id)
      const { answer } = await begin({ timeout: '60' }, { key })
      await end({ email, keyId })
      await app.advance({ seconds: 3 })
      const { status, body } = await answer
      expect([status, body.code]).to.deep.equal(error)
      await openWaits(app, 0)
    })
  }

  it('ends within seconds when its address is deleted', async () => {
    const { id } = await app.newAddress()
    const { answer } = await begin({ timeout: '60', address_id: id })
    await app.api('DELETE', `/addresses/${id}`)
    await app.advance({ seconds: 3 })
    const { status, body } = await answer
    expect([status, body.code]).to.deep.equal([404, 'NOT_FOUND'])
    await openWaits(app, 0)
  })

  it('ends within seconds when its session ends, without mail', async () => {
    const { api, session } = await signIn(app)
    const before = await openWaits(app)
    const waited = api('GET', '/emails/wait?timeout=60')
    await openWaits(app, before + 1)
    await api('DELETE', `/sessions/${session.id}`)
    await app.advance({ seconds: 3 })
    expect((await waited).status).to.equal(401)
  })

  it('goes on while its caller stays', async () => {
    const { answer } = await begin({ subject: 'after the checks' })
    await app.advance({ seconds: 9 })
    const { address } = await app.newAddress()
    await send(address, 'after the checks')
    expect((await answer).status).to.equal(200)
  })

  it('ends at once when its caller disconnects', async () => {
    const controller = new AbortController()
    await begin({}, { signal: controller.signal })
    controller.abort()
    await openWaits(app, 0)
  })

  it('ends with 204 when the server closes', async () => {
    const closing = await openTestApp()
    const answers = Array.from({ length: 50 }, () => closing.api('GET', '/emails/wait?timeout=60'))
    await openWaits(closing, 50)
    await closing[Symbol.asyncDispose]()
    for (const answer of answers) expect((await answer).status).to.equal(204)
  })

  for (const [name, query] of [['a negative time', 'timeout=-1'], ['a minute and more', 'timeout=61'], ['no id', 'after=x'], ['no text', 'from=']] as const) {
    it(`refuses ${name}`, async () => {
      const { status, body } = await app.api('GET', `/emails/wait?${query}`)
      expect(status).to.equal(400)
      expect(body.details[0].path).to.equal(`query.${query.split('=')[0]}`)
    })
  }
})

/** Sends as many at a time as the connections that a sender may have. */
async function inGroups(count: number, work: (i: number) => Promise<void>) {
  for (let i = 0; i < count; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => work(i + j)))
}
