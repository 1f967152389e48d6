import { expect } from 'chai'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { newDatabase, newFolder } from '../support/new-database.ts'
import { createAccount } from '../support/store/accounts.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { openDomainsWorld } from '../support/domains.ts'

const plain = (username: string, password: string) => Buffer.from(`\0${username}\0${password}`).toString('base64')

describe('Catch-all of the server', () => {
  it('gets mail from trusted networks to any recipient that was not issued, with any login or none', async () => {
    await using app = await openTestApp({ env: { MAYFLY_CATCH_ALL: 'dev' } })
    const key = await app.newKey({ account: (await createAccount(app, 'owner@mail.localhost')).id })
    const issued = await app.newAddress({ alias: 'issued' })
    await playSession(app.smtp, [
      ['EHLO app.example', 250], [`AUTH PLAIN ${plain('anybody', 'anything')}`, 235], ['MAIL FROM:<app@shop.example>', 250],
      ['RCPT TO:<Ada@customer.example>', 250], [`RCPT TO:<${issued.address}>`, 250], ['RCPT TO:<nobody@mail.localhost>', 250],
      ['DATA', 354], ['Subject: all\r\n\r\nhi\r\n.', 250],
    ])
    await app.settled()
    expect((await app.onlyEmail(issued.id))).to.include({ to: issued.address })
    const { body: { data: { addresses } } } = await app.api('GET', '/addresses', { key })
    const { id, address } = addresses.find(({ alias }: { alias: string }) => alias === 'dev')
    expect(address).to.equal('dev@mail.localhost')
    const { body: { data: [listed] } } = await app.api('GET', `/emails?address_id=${id}`, { key })
    const { body: { data } } = await app.api('GET', `/emails/${listed.id}`, { key })
    expect(data).to.deep.include({
      recipients: ['ada@customer.example', 'nobody@mail.localhost'], recipientsTotal: 2, authentication: null,
      envelope: { from: 'app@shop.example', to: 'ada@customer.example', via: 'server' },
    })
  })

  it('gets recipients beyond ASCII with SMTPUTF8 alone', async () => {
    await using app = await openTestApp({ env: { MAYFLY_CATCH_ALL: 'dev' } })
    await createAccount(app, 'owner@mail.localhost')
    await playSession(app.smtp, [
      ['EHLO app.example', 250], ['MAIL FROM:<a@b.example>', 250], ['RCPT TO:<é@z.example>', 553], ['RSET', 250],
      ['MAIL FROM:<a@b.example> SMTPUTF8', 250], ['RCPT TO:<é@z.example>', 250],
    ])
  })

  it('is an address of the owner account alone', async () => {
    await using app = await openTestApp({ env: { MAYFLY_CATCH_ALL: 'dev' } })
    const owner = await app.newKey({ account: (await createAccount(app, 'owner@mail.localhost')).id })
    const taken = await app.api('POST', '/addresses', { body: { alias: 'dev' } })
    expect([taken.status, taken.body.error]).to.deep.equal([409, 'dev@mail.localhost is reserved for the operator of this server. Choose another alias, or leave it out for a random one.'])
    expect((await app.api('POST', '/addresses', { key: owner, body: { alias: 'dev' } })).status).to.equal(201)
  })

  it('gets no mail where another account had its address before', async () => {
    const folder = await newFolder()
    const database = await newDatabase(join(folder, 'mayfly.db'))
    {
      await using app = await openTestApp({ database })
      await app.newAddress({ alias: 'dev' })
    }
    {
      await using app = await openTestApp({ database, env: { MAYFLY_CATCH_ALL: 'dev' } })
      await createAccount(app, 'owner@mail.localhost')
      await playSession(app.smtp, [['EHLO app.example', 250], ['MAIL FROM:<app@shop.example>', 250], ['RCPT TO:<ada@customer.example>', 550]])
    }
    await rm(folder, { recursive: true })
  })

  it('gets no mail for addresses that another account had, for 30 days', async () => {
    await using app = await openTestApp({ env: { MAYFLY_CATCH_ALL: 'dev' } })
    const owner = await app.newKey({ account: (await createAccount(app, 'owner@mail.localhost')).id })
    const { id } = await app.newAddress({ alias: 'deleted' })
    await app.newAddress({ alias: 'expired', expiresIn: 60 })
    const { body: { data: own } } = await app.api('POST', '/addresses', { key: owner, body: { alias: 'own' } })
    await app.api('DELETE', `/addresses/${id}`)
    await app.api('DELETE', `/addresses/${own.id}`, { key: owner })
    const offer = (code: number) => playSession(app.smtp, [
      ['EHLO app.example', 250], ['MAIL FROM:<app@shop.example>', 250], ['RCPT TO:<own@mail.localhost>', 250],
      ...['deleted', 'Deleted+tag', 'expired'].map((alias): [string, number] => [`RCPT TO:<${alias}@mail.localhost>`, code]),
      ['RCPT TO:<deleted@other.example>', 250],
    ])
    await app.advance({ minutes: 2 })
    await offer(550)
    await app.advance({ days: 31 })
    await offer(250)
  })

  it('gets no mail for a domain that another account has verified', async () => {
    await using world = await openDomainsWorld({ env: { MAYFLY_CATCH_ALL: 'dev' } })
    const owner = await world.app.newKey({ account: (await createAccount(world.app, 'owner@in.mayfly.example')).id })
    await world.hold('qa.corp.example')
    await world.hold('own.example', owner)
    for (const [address, code] of [
      ['team@qa.corp.example', 550], ['admin@QA.corp.example', 550], ['team@own.example', 250], ['team@corp.example', 250],
    ] as const) await world.offer(address, code)
  })

  it('gets no mail for others with a local part that no address has', async () => {
    await using world = await openDomainsWorld({ env: { MAYFLY_CATCH_ALL: 'dev' } })
    await createAccount(world.app, 'owner@in.mayfly.example')
    await world.hold('qa.corp.example')
    await world.app.newAddress({ alias: 'jane' })
    const long = 'x'.repeat(70)
    const malformed = ['jane..doe', 'jane.', '"jane doe"', '"jane@x"', '"team+(x)"', `team+${long}`, 'jürgen']
    const rcpt = (address: string, code: number): [string, number] => [`RCPT TO:<${address}>`, code]
    await playSession(world.app.smtp, [
      ['EHLO app.example', 250], ['MAIL FROM:<app@shop.example> SMTPUTF8', 250],
      ...malformed.map((local) => rcpt(`${local}@qa.corp.example`, 550)),
      ...[`jane+${long}`, '"jane+(x)"', '"j\\ane+(x)"'].map((local) => rcpt(`${local}@in.mayfly.example`, 550)),
      ...malformed.map((local) => rcpt(`${local}@other.example`, 250)), rcpt('"jo+(x)"@in.mayfly.example', 250),
    ])
  })

  it('gets no mail from other networks', async () => {
    await using app = await openTestApp({ env: { MAYFLY_CATCH_ALL: 'dev', MAYFLY_CATCH_ALL_NETWORKS: '10.0.0.0/8' } })
    await playSession(app.smtp, [
      ['EHLO app.example', 250], [`AUTH PLAIN ${plain('anybody', 'anything')}`, 535], ['MAIL FROM:<app@shop.example>', 250], ['RCPT TO:<ada@customer.example>', 550],
    ])
  })
})

describe('SMTP login that also reads mail', () => {
  it('is made by keys that may read mail alone', async () => {
    await using app = await openTestApp({ env: { MAYFLY_COMPATIBLE_APIS: 'mailpit' } })
    const inbox = await app.newAddress()
    const key = await app.newKey({ account: app.account, scopes: ['emails:write'] })
    for (const [path, body] of [[`/addresses/${inbox.id}/smtp-login`, undefined], ['/addresses', { smtpLogin: true }]] as const) {
      const refused = await app.api('POST', path, { key, body })
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'MISSING_SCOPE'])
      expect((await app.api('POST', path, { body })).status).to.equal(201)
    }
  })
})

describe('SMTP login of an address', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  async function newLogin() {
    const { body: { data } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
    return data as { id: string, address: string, smtp: { username: string, password: string, host: string, port: number, url: string } }
  }

  it('takes whatever a program sends, to any recipients, as one email with all of them', async () => {
    const { id, address, smtp } = await newLogin()
    const transport = createTransport({ host: '127.0.0.1', port: smtp.port, auth: { user: smtp.username, pass: smtp.password }, tls: { rejectUnauthorized: false } })
    await transport.sendMail({
      from: 'app@shop.example', to: ['ada@customer.example', 'Grace@Other.example'], cc: 'team@shop.example', bcc: 'audit@hidden.example',
      subject: 'Your code', text: 'Your code is 482913.',
    })
    await app.settled()
    const listed = await app.listEmails({ address_id: id })
    expect(listed).to.have.length(1)
    const { body: { data } } = await app.api('GET', `/emails/${listed[0]!.id}`)
    const recipients = ['ada@customer.example', 'grace@other.example', 'team@shop.example', 'audit@hidden.example']
    expect(data).to.deep.include({
      to: 'ada@customer.example', recipients, recipientsTotal: 4, codes: ['482913'], authentication: null,
      envelope: { from: 'app@shop.example', to: 'ada@customer.example', via: 'login' },
    })
    expect((await app.api('GET', `/addresses/${id}`)).body.data).to.deep.include({ address, hasSmtpLogin: true, lastLoginAt: '2026-03-14T09:00:00.000Z' })
  })

  it('takes recipients beyond ASCII with SMTPUTF8 alone, and replaces no character of them by a similar one', async () => {
    const { id, smtp } = await newLogin()
    const start: [string, number][] = [['EHLO app.example', 250], [`AUTH PLAIN ${plain(smtp.username, smtp.password)}`, 235]]
    await playSession(app.smtp, [
      ...start, ['MAIL FROM:<a@b.example>', 250], ...['é@z.example', 'e@zé.example', '\u212A@z.example'].map((to): [string, number] => [`RCPT TO:<${to}>`, 553]),
    ])
    await playSession(app.smtp, [
      ...start, ['MAIL FROM:<a@b.example> SMTPUTF8', 250], ['RCPT TO:<\u212A@z.example>', 250], ['RCPT TO:<GRÜSSE@z.example>', 250],
      ['DATA', 354], ['Subject: x\r\n\r\nhi\r\n.', 250],
    ])
    await app.settled()
    const { recipients } = (await app.api('GET', `/emails/${(await app.onlyEmail(id)).id}`)).body.data
    expect(recipients).to.deep.equal(['\u212A@z.example', 'grüsse@z.example'])
    const found = async (to: string) => (await app.api('GET', `/emails?to=${encodeURIComponent(to)}`)).body.total
    expect(await Promise.all(['k@z.example', '\u212A@z.example', 'Grüsse@Z.example'].map(found))).to.deep.equal([0, 1, 1])
  })

  it('works with AUTH PLAIN and AUTH LOGIN, in one line and in steps', async () => {
    const { smtp: { username, password } } = await newLogin()
    const [user, secret] = [username, password].map((text) => Buffer.from(text).toString('base64'))
    for (const steps of [
      [[`AUTH PLAIN ${plain(username, password)}`, 235]], [['AUTH PLAIN', 334], [plain(username, password), 235]],
      [['AUTH LOGIN', 334], [user!, 334], [secret!, 235]], [[`AUTH LOGIN ${user}`, 334], [secret!, 235]],
    ] as [string, number][][]) {
      await playSession(app.smtp, [['EHLO app.example', 250], ...steps, ['MAIL FROM:<a@b.example>', 250], ['RCPT TO:<ada@customer.example>', 250]])
    }
  })

  it('refuses a wrong user or password with 535, and mail to others without a login with 550', async () => {
    const { smtp: { username, password } } = await newLogin()
    for (const [user, secret] of [[username, 'smtp_wrong'], ['nobody@mail.localhost', password], ['', ''], [username, app.key]] as const) {
      const replies = await playSession(app.smtp, [
        ['EHLO app.example', 250], [`AUTH PLAIN ${plain(user, secret)}`, 535], ['MAIL FROM:<a@b.example>', 250], ['RCPT TO:<ada@customer.example>', 550],
      ])
      expect(replies[1]).to.equal('535 5.7.8 The user name or the password is wrong')
    }
    await playSession(app.smtp, [['EHLO app.example', 250], ['AUTH CRAM-MD5', 504], ['AUTH XOAUTH2 x', 504]])
  })

  it('acts for itself alone: another authorization identity is refused with 535', async () => {
    const [{ smtp: { username, password } }, other] = [await newLogin(), await newLogin()]
    const token = (identity: string) => `AUTH PLAIN ${Buffer.from(`${identity}\0${username}\0${password}`).toString('base64')}`
    for (const identity of [other.smtp.username, 'nobody']) await playSession(app.smtp, [['EHLO app.example', 250], [token(identity), 535]])
    for (const identity of [username, username.toUpperCase(), '']) await playSession(app.smtp, [['EHLO app.example', 250], [token(identity), 235]])
  })

  it('comes before MAIL: within a mail it is refused with 503', async () => {
    const { id, smtp: { username, password } } = await newLogin()
    const { id: otherId, address: other } = await app.newAddress()
    const login = `AUTH PLAIN ${plain(username, password)}`
    await playSession(app.smtp, [
      ['EHLO app.example', 250], ['MAIL FROM:<a@b.example>', 250], [`RCPT TO:<${other}>`, 250], [login, 503], ['RCPT TO:<ada@customer.example>', 550],
      ['DATA', 354], ['Subject: one\r\n\r\n.', 250], [login, 235],
    ])
    await app.onlyEmail(otherId)
    expect((await app.api('GET', `/emails?addressId=${id}`)).body.data).to.deep.equal([])
  })

  it('ends at the next command when it is replaced or deleted', async () => {
    for (const end of ['POST', 'DELETE'] as const) {
      const { id, smtp: { username, password } } = await newLogin()
      const login: [string, number] = [`AUTH PLAIN ${plain(username, password)}`, 235]
      await using session = await openSession(app.smtp)
      await session.play([['EHLO app.example', 250], login, ['MAIL FROM:<a@b.example>', 250]])
      expect((await app.api(end, `/addresses/${id}/smtp-login`)).status).to.equal(end === 'POST' ? 201 : 200)
      await session.play([['RCPT TO:<ada@customer.example>', 535], ['RSET', 250], ['MAIL FROM:<a@b.example>', 535]])
      await playSession(app.smtp, [['EHLO app.example', 250], [login[0], 535]])
    }
  })

  it('is of the account alone, shown once, and no API key', async () => {
    const { id, smtp } = await newLogin()
    const other = await app.newKey()
    for (const method of ['POST', 'DELETE'] as const) {
      const { status } = await app.api(method, `/addresses/${id}/smtp-login`, { key: other })
      expect(status).to.equal(404)
    }
    expect((await app.api('GET', '/emails', { key: smtp.password })).status).to.equal(401)
    const headers = { 'Idempotency-Key': 'once' }
    const first = await app.api('POST', `/addresses/${id}/smtp-login`, { headers })
    const again = await app.api('POST', `/addresses/${id}/smtp-login`, { headers })
    expect(first.body.data.password).to.match(/^smtp_[0-9a-f]{40}$/)
    const { password, url, ...rest } = first.body.data
    expect(again.body.data).to.deep.equal(rest)
    expect(url).to.equal(`smtp://${encodeURIComponent(smtp.username)}:${password}@${smtp.host}:${smtp.port}`)
  })

  it('lets its address live on while it is used', async () => {
    await using own = await openTestApp()
    const [used, unused] = await Promise.all([1, 2].map(async () => (await own.api('POST', '/addresses', { body: { smtpLogin: true, expiresIn: 86_400 } })).body.data))
    for (let day = 0; day < 400; day++) {
      await own.advance({ hours: 20 })
      await playSession(own.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${plain(used.smtp.username, used.smtp.password)}`, 235]])
    }
    expect((await own.api('GET', `/addresses/${used.id}`)).body.data.isActive).to.equal(true)
    expect((await own.api('GET', `/addresses/${unused.id}`)).status).to.equal(404)
    await own.advance({ hours: 31 * 24 })
    await playSession(own.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${plain(used.smtp.username, used.smtp.password)}`, 535]])
  })
})
