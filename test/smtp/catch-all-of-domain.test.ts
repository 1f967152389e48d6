import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { playSession } from '../support/play-session.ts'
import { createAccount, ownerOf } from '../support/store/accounts.ts'
import { addDomains } from '../support/store/domains.ts'

describe('Catch-all of a domain', () => {
  let app: TestApp
  let domain: { id: string, domain: string, catchAllId: string | null }
  let catcher: { id: string, address: string }
  beforeEach(async () => {
    app = await openTestApp()
    await addDomains(app, (await ownerOf(app, app.key)).accountId, { 'qa.example.com': 'verified', 'new.example.com': 'pending' })
    domain = (await app.api('GET', '/domains')).body.data.find((item: typeof domain) => item.domain === 'qa.example.com')
    catcher = await app.newAddress({ alias: 'catcher' })
  })
  afterEach(() => app[Symbol.asyncDispose]())

  const choose = (catchAllId: string | null, id = domain.id, key = app.key) => app.api('PATCH', `/domains/${id}`, { key, body: { catchAllId } })
  const ask = async (recipient: string, code: number) =>
    playSession(app.smtp, [['EHLO mx.example', 250], ['MAIL FROM:<a@shop.example>', 250], [`RCPT TO:<${recipient}>`, code]])

  it('gets mail to names that were not issued, once for all of them, with its results of SPF', async () => {
    await ask('ada@qa.example.com', 550)
    expect((await choose(catcher.id)).body.data).to.deep.equal({ ...domain, catchAllId: catcher.id })
    const issued = await app.newAddress({ alias: 'issued', domain: 'qa.example.com' })
    await playSession(app.smtp, [
      ['EHLO mx.example', 250], ['MAIL FROM:<a@shop.example>', 250], ['RCPT TO:<Ada+x@qa.example.com>', 250], ['RCPT TO:<grace@QA.example.com>', 250],
      [`RCPT TO:<${issued.address}>`, 250], ['DATA', 354], ['Subject: hello\r\n\r\nhi\r\n.', 250],
    ])
    await app.settled()
    const email = await app.onlyEmail(catcher.id)
    expect(email).to.deep.include({
      to: 'ada+x@qa.example.com', recipients: ['ada+x@qa.example.com', 'grace@qa.example.com'], recipientsTotal: 2,
      envelope: { from: 'a@shop.example', to: 'ada+x@qa.example.com', via: 'domain' },
    })
    expect(email.authentication).to.not.equal(null)
    expect((await app.onlyEmail(issued.id)).envelope).to.include({ via: 'address' })
  })

  it('is one email of its address for its own name and for others', async () => {
    await choose(catcher.id)
    await playSession(app.smtp, [
      ['EHLO mx.example', 250], ['MAIL FROM:<a@shop.example>', 250], [`RCPT TO:<${catcher.address}>`, 250], ['RCPT TO:<ada@qa.example.com>', 250],
      ['DATA', 354], ['Subject: hello\r\n\r\nhi\r\n.', 250],
    ])
    await app.settled()
    expect((await app.onlyEmail(catcher.id))).to.deep.include({ recipients: [catcher.address, 'ada@qa.example.com'], recipientsTotal: 2 })
  })

  it('ends with null, with its address, while that is expired, and without the verification', async () => {
    await choose(catcher.id)
    await ask('ada@qa.example.com', 250)
    await choose(null)
    await ask('ada@qa.example.com', 550)
    const short = await app.newAddress({ expiresIn: 60 })
    await choose(short.id)
    await app.advance({ minutes: 2 })
    await ask('ada@qa.example.com', 550)
    expect((await choose(short.id)).body.error).to.equal('body.catchAllId: must be the id of an active address of this account.')
    await choose(catcher.id)
    await app.api('DELETE', `/addresses/${catcher.id}`)
    await ask('ada@qa.example.com', 550)
    const { body: { data } } = await app.api('GET', '/domains')
    expect(data.map(({ catchAllId }: typeof domain) => catchAllId)).to.deep.equal([null, null])
  })

  it('leaves postmaster and abuse their own addresses, and a pending domain without mail', async () => {
    await choose(catcher.id)
    await ask('abuse@qa.example.com', 250)
    expect((await app.api('GET', '/addresses')).body.data.addresses.map(({ alias }: { alias: string }) => alias)).to.include('abuse')
    const pending = (await app.api('GET', '/domains')).body.data.find((item: typeof domain) => item.domain === 'new.example.com')
    expect((await choose(catcher.id, pending.id)).status).to.equal(200)
    await ask('ada@new.example.com', 550)
  })

  it('is chosen by the account of both alone', async () => {
    const key = await app.newKey({ account: (await createAccount(app, 'other@example.com')).id })
    expect((await choose(null, domain.id, key)).status).to.equal(404)
    const { body: { data: foreign } } = await app.api('POST', '/addresses', { key, body: {} })
    expect((await choose(foreign.id)).body.error).to.equal('body.catchAllId: must be the id of an active address of this account.')
    expect((await app.api('PATCH', `/domains/${domain.id}`, { body: {} })).body.error).to.match(/^body\.catchAllId: is required/)
  })
})

describe('Addresses that keep a number of emails', () => {
  it('remove the oldest received ones, read or not, and count the others', async () => {
    await using app = await openTestApp()
    const inbox = await app.newAddress({ maxEmails: 2 })
    for (let i = 0; i < 5; i++) await app.send({ to: inbox.address, subject: `${i}`, text: 'x' })
    await app.api('POST', '/emails', { body: { fromAddressId: inbox.id, to: 'ada@example.com', subject: 'sent', body: 'x' } })
    await app.settled()
    expect((await app.listEmails({ address_id: inbox.id })).map(({ subject }) => subject)).to.have.members(['sent', '4', '3'])
    expect((await app.api('GET', `/addresses/${inbox.id}`)).body.data).to.include({ maxEmails: 2, emailCount: 2, unreadCount: 2 })
    const { body } = await app.api('GET', `/emails?address_id=${inbox.id}&type=received`)
    expect(body.total).to.equal(2)
    for (const maxEmails of [0, 1_000_001, 1.5]) {
      expect((await app.api('POST', '/addresses', { body: { maxEmails } })).body.error).to.match(/^body\.maxEmails: must be/)
    }
  })
})
