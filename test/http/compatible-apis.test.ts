import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import { changePlan, createAccount, deleteAccount } from '../support/store/accounts.ts'
import { basic, call, env, newInbox, order } from './compatible-world.ts'

describe('Compatible APIs', () => {
  const openApp = shareTestApp({ env })
  /** A call of each API that lists mail. */
  const lists = ['mailpit/api/v1/messages', 'mailhog/api/v2/messages', 'maildev/email']

  it('have only those paths that MAYFLY_COMPATIBLE_APIS names', async () => {
    await using off = await openTestApp()
    const { call: callOff } = await newInbox(off)
    for (const path of lists) expect((await callOff(path)).status).to.equal(404)
    await using one = await openTestApp({ env: { MAYFLY_COMPATIBLE_APIS: 'mailhog' } })
    const { call: callOne } = await newInbox(one)
    expect(await Promise.all(lists.map(async (path) => (await callOne(path)).status))).to.deep.equal([404, 200, 404])
  })

  it('show and change no mail of another address or account', async () => {
    const app = await openApp()
    const [mine, ofAccount, ofOther] = [await newInbox(app), await newInbox(app), await newInbox(app, await app.newKey())]
    for (const other of [ofAccount, ofOther]) {
      await other.send(order)
      const { ID, Attachments: [file] } = (await other.call('mailpit/api/v1/message/latest')).body
      for (const [path, method = 'GET'] of [
        [`mailpit/api/v1/message/${ID}`], [`mailpit/api/v1/message/${ID}/headers`], [`mailpit/api/v1/message/${ID}/raw`], [`mailpit/view/${ID}.html`],
        [`mailpit/view/${ID}.txt`], [`mailpit/api/v1/message/${ID}/part/${file.PartID}`], ['mailpit/api/v1/message/latest'],
        [`mailhog/api/v1/messages/${ID}`], [`mailhog/api/v1/messages/${ID}/download`], [`mailhog/api/v1/messages/${ID}`, 'DELETE'],
        [`maildev/email/${ID}`], [`maildev/email/${ID}/html`], [`maildev/email/${ID}/source`], [`maildev/email/${ID}`, 'DELETE'],
        [`maildev/email/${ID}/attachment/${file.PartID}.pdf`],
      ] as const) expect((await mine.call(path, { method })).status, `${method} ${path}`).to.equal(404)
      for (const query of ['mailpit/api/v1/search?query=482913', 'mailpit/api/v1/search?query=to:ada', 'maildev/api/email/summary?search=482913']) {
        expect((await mine.call(query)).body, query).to.include({ total: 0 })
      }
      expect((await mine.call('mailhog/api/v2/search?kind=containing&query=482913')).body.total).to.equal(0)
      await mine.call('mailpit/api/v1/messages', { method: 'PUT', body: { IDs: [ID], Read: false } })
      for (const body of [{ IDs: [ID] }, {}]) await mine.call('mailpit/api/v1/messages', { method: 'DELETE', body })
      await mine.call('maildev/email/delete', { method: 'POST', body: { ids: [ID] } })
      await mine.call('mailhog/api/v1/messages', { method: 'DELETE' })
      await mine.call('maildev/email/all', { method: 'DELETE' })
      expect((await other.call('mailpit/api/v1/messages')).body).to.include({ total: 1, unread: 0 })
      const [mailpit, mailhog, maildev] = await Promise.all(lists.map(async (path) => (await mine.call(path)).body))
      expect([mailpit.messages, mailhog.items, maildev]).to.deep.equal([[], [], []])
    }
  })

  it('answer 401 without a valid login, and the password opens nothing else', async () => {
    const app = await openApp()
    const inbox = await newInbox(app)
    for (const path of lists) {
      for (const authorization of [
        '', 'Basic', 'Basic !', basic(inbox.username, 'smtp_wrong'), basic('nobody@mail.localhost', inbox.password), basic(inbox.username, app.key),
        `Bearer ${app.key}`, `Bearer ${inbox.password}`,
      ]) {
        const { status, headers, text } = await inbox.call(path, { headers: { authorization } })
        expect([status, headers.get('www-authenticate')], authorization).to.deep.equal([401, 'Basic realm="Mayfly", charset="UTF-8"'])
        expect(text).to.include('SMTP login')
      }
    }
    for (const authorization of [`Bearer ${inbox.password}`, basic(inbox.username, inbox.password)]) {
      for (const path of ['/addresses', '/emails', `/addresses/${inbox.id}`]) expect((await app.api('GET', path, { key: null, headers: { authorization } })).status).to.equal(401)
    }
  })

  it('end with the login, the address and the account', async () => {
    const app = await openApp()
    const [replaced, ended, deleted, expired] = [await newInbox(app), await newInbox(app), await newInbox(app), await newInbox(app)]
    await app.api('POST', `/addresses/${replaced.id}/smtp-login`)
    await app.api('DELETE', `/addresses/${ended.id}/smtp-login`)
    await app.api('DELETE', `/addresses/${deleted.id}`)
    for (const { call } of [replaced, ended, deleted]) expect((await call(lists[0]!)).status).to.equal(401)
    const account = await createAccount(app, 'compatible@example.org')
    const ofDeleted = await newInbox(app, await app.newKey({ account: account.id }))
    expect((await ofDeleted.call(lists[0]!)).status).to.equal(200)
    await deleteAccount(app, 'compatible@example.org')
    expect((await ofDeleted.call(lists[0]!)).status).to.equal(401)
    await app.advance({ days: 40 })
    expect((await expired.call(lists[0]!)).status).to.equal(401)
  })

  it('need a plan with the API, except to delete', async () => {
    const app = await openApp()
    const { id } = await createAccount(app, 'downgraded@example.org')
    const inbox = await newInbox(app, await app.newKey({ account: id }))
    await changePlan(app, 'downgraded@example.org', 'pro')
    expect(await Promise.all(lists.map(async (path) => (await inbox.call(path)).status))).to.deep.equal([403, 403, 403])
    expect((await inbox.call('mailpit/api/v1/messages', { method: 'DELETE' })).status).to.equal(200)
  })

  it('count as calls of a key, and wrong passwords as guesses of the network', async () => {
    await using app = await openTestApp({ env: { ...env, MAYFLY_RATE_LIMIT: '20' } })
    const inbox = await newInbox(app)
    const first = await inbox.call(lists[0]!)
    expect([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).to.deep.equal(['20', '18'])
    const statuses = await inTurn(20, () => inbox.call(lists[1]!))
    expect(statuses).to.deep.equal([...Array<number>(18).fill(200), 429, 429])
    expect((await app.api('GET', '/addresses')).status).to.equal(429)
    const guesses = await inTurn(21, () => call(app, { username: inbox.username, password: 'smtp_wrong' }, lists[2]!))
    expect(guesses).to.deep.equal([...Array<number>(20).fill(401), 429])
    const refused = await inbox.call(lists[2]!)
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/)
    expect(refused.body.error).to.match(/^More than 20 requests/)
    await app.advance({ minutes: 1 })
    const { body: { data } } = await app.api('GET', '/audit-logs')
    const over = data.filter(({ status }: any) => status === 429).map(({ action, path, count }: any) => [action, path, count])
    expect(over).to.deep.include(['emails.list', '/compatible/mailhog/api/v2/messages', 3])
  })

  it('have records in the audit log, of each mail that is deleted too', async () => {
    const app = await openApp()
    const inbox = await newInbox(app)
    await inbox.send({ subject: 'one', text: '1' })
    await inbox.send({ subject: 'two', text: '2' })
    const { body: { messages } } = await inbox.call('mailpit/api/v1/messages')
    await inbox.call('mailhog/api/v1/messages', { method: 'DELETE' })
    const { body: { data } } = await app.api('GET', '/audit-logs')
    const shown = data.map(({ action, path, resourceId, status, apiKeyId }: any) => ({ action, path, resourceId, status, apiKeyId }))
      .filter(({ path }: any) => path.startsWith('/compatible/'))
    expect(shown).to.deep.include({ action: 'emails.list', path: '/compatible/mailpit/api/v1/messages', resourceId: inbox.id, status: 200, apiKeyId: null })
    const deletions = shown.filter(({ action }: any) => action === 'emails.delete')
    expect(deletions.map(({ resourceId }: any) => resourceId).sort()).to.deep.equal(messages.map(({ ID }: any) => ID).sort())
  })

  it('have no records of calls that do nothing', async () => {
    const app = await openApp()
    const inbox = await newInbox(app)
    for (const [method, path, expected] of [
      ['POST', 'mailpit/api/v1/send', 400], ['GET', 'mailpit/api/v1/tags', 200], ['GET', 'mailhog/api/v2/jim', 404], ['GET', 'maildev/healthz', 200],
    ] as const) expect((await inbox.call(path, { method })).status, path).to.equal(expected)
    const { body: { data } } = await app.api('GET', '/audit-logs')
    expect(data.map(({ path }: any) => path).filter((path: string) => path.startsWith('/compatible/'))).to.deep.equal([])
  })

  it('refuse changes that a page of another origin causes', async () => {
    const app = await openApp()
    const { call } = await newInbox(app)
    const headers = { 'origin': 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await call('mailpit/api/v1/messages', { method: 'DELETE', headers })).status).to.equal(403)
    expect((await call('maildev/email/delete', { method: 'POST', headers, body: { ids: [] } })).status).to.equal(403)
    expect((await call('mailpit/api/v1/messages', { headers })).status).to.equal(200)
    const { body: { data } } = await app.api('GET', '/audit-logs')
    expect(data.filter(({ status }: any) => status === 403).map(({ action }: any) => action)).to.deep.equal(['emails.delete', 'emails.delete'])
    await using allowing = await openTestApp({ env: { ...env, MAYFLY_CORS_ORIGINS: 'https://tests.example' } })
    const inbox = await newInbox(allowing)
    const allowed = await inbox.call('mailpit/api/v1/messages', { method: 'DELETE', headers: { 'origin': 'https://tests.example', 'sec-fetch-site': 'cross-site' } })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([200, 'https://tests.example'])
  })

  it('answer HEAD as GET, and refuse bodies that are no JSON or too long', async () => {
    const app = await openApp()
    const inbox = await newInbox(app)
    await inbox.send(order)
    for (const path of [...lists, 'mailpit/view/latest.html', 'mailpit/api/v1/message/latest/raw']) {
      const { status, text } = await inbox.call(path, { method: 'HEAD' })
      expect([status, text], path).to.deep.equal([200, ''])
    }
    const change = (headers: Record<string, string>, body: unknown) => inbox.call('mailpit/api/v1/messages', { method: 'PUT', body, headers })
    expect((await change({ 'content-type': 'text/plain' }, {})).status).to.equal(415)
    expect((await change({}, { Search: 'x'.repeat(1_100_000) })).status).to.equal(413)
    expect((await change({}, { Read: 'yes' })).status).to.equal(400)
    const { headers } = await inbox.call(lists[0]!)
    expect([headers.get('cache-control'), headers.get('x-content-type-options')]).to.deep.equal(['no-store', 'nosniff'])
  })
})

async function inTurn(count: number, run: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await run()).status)
  return statuses
}
