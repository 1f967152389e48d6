import { expect } from 'chai'
import { openTestApp, type TestApp } from '../support/app.ts'
import { readEvents } from '../support/event-reader.ts'
import { openWaits } from '../support/open-waits.ts'
import { playSession, type Step } from '../support/play-session.ts'
import { createAccount } from '../support/store/accounts.ts'

const plain = (username: string, password: string) => Buffer.from(`\0${username}\0${password}`).toString('base64')

describe('Emails by the addresses of their envelope', () => {
  let app: TestApp
  let login: { id: string, address: string, smtp: { username: string, password: string } }
  beforeEach(async () => {
    app = await openTestApp()
    login = (await app.api('POST', '/addresses', { body: { smtpLogin: true } })).body.data
  })
  afterEach(() => app[Symbol.asyncDispose]())

  /** Sends a mail with the login, and returns its subject. */
  async function send(recipients: string[], { from = 'app@shop.example', subject = recipients.join(' ') } = {}) {
    await playSession(app.smtp, [
      ['EHLO app.example', 250], [`AUTH PLAIN ${plain(login.smtp.username, login.smtp.password)}`, 235], [`MAIL FROM:<${from}> SMTPUTF8`, 250],
      ...recipients.map((to): Step => [`RCPT TO:<${to}>`, 250]), ['DATA', 354], [`Subject: ${subject}\r\n\r\nYour order\r\n.`, 250],
    ])
    return subject
  }
  const subjects = async (query: Record<string, string>, key = app.key) => {
    const { status, body } = await app.api('GET', `/emails?${new URLSearchParams(query)}`, { key })
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body.total).to.equal(body.data.length)
    return (body.data as { subject: string }[]).map(({ subject }) => subject)
  }
  const wait = async (query: Record<string, string>) => {
    const { status, body } = await app.api('GET', `/emails/wait?${new URLSearchParams(query)}`)
    expect(status, JSON.stringify(body)).to.be.oneOf([200, 204])
    return body?.data?.subject as string | undefined
  }

  it('are listed by any recipient, in any case, and by the domain of one', async () => {
    const first = await send(['ada@customer.example', 'Grace@Other.example', 'hidden@audit.example'])
    const second = await send(['ada@customer.example'])
    await send(['ada@customer.example.net', 'bada@customer.example'])
    expect(await subjects({ to: 'GRACE@other.EXAMPLE' })).to.deep.equal([first])
    expect(await subjects({ to: 'hidden@audit.example', address_id: login.id, type: 'received' })).to.deep.equal([first])
    expect(await subjects({ to: 'ada@customer.example' })).to.deep.equal([second, first])
    expect(await subjects({ to: '*@customer.example' })).to.have.length(3)
    expect(await subjects({ to: 'da@customer.example' })).to.deep.equal([])
    expect(await subjects({ to: 'ada@customer.example', q: 'order' })).to.deep.equal([second, first])
    expect(await subjects({ to: 'hidden@audit.example', q: 'nothing' })).to.deep.equal([])
    expect((await app.listEmails({ to: 'hidden@audit.example' }))[0]).to.deep.include({ to: 'ada@customer.example', recipientsTotal: 3 })
  })

  it('are listed by the name of their own address, with its tag, among sent mail, and among deleted mail', async () => {
    const inbox = await app.newAddress()
    const tagged = inbox.address.replace('@', '+tag@')
    await app.send({ to: tagged, subject: 'tagged', text: 'x' })
    await app.api('POST', '/emails', { body: { fromAddressId: inbox.id, to: 'ada@customer.example', subject: 'sent', body: 'x' } })
    await app.settled()
    expect(await subjects({ to: tagged })).to.deep.equal(['tagged'])
    expect(await subjects({ to: inbox.address })).to.deep.equal([])
    expect(await subjects({ to: 'ada@customer.example' })).to.deep.equal(['sent'])
    expect(await subjects({ to: 'ada@customer.example', type: 'received' })).to.deep.equal([])
    const { id } = (await app.listEmails({ to: tagged }))[0]!
    await app.api('DELETE', `/emails/${id}`)
    expect(await subjects({ to: tagged })).to.deep.equal([])
    expect(await subjects({ to: tagged, is_deleted: 'true' })).to.deep.equal(['tagged'])
  })

  it('are listed by their sender, whose domain may be written in Unicode', async () => {
    const first = await send(['ada@xn--bcher-kva.example'], { from: 'Bounces+1@bücher.example' })
    await send(['eve@customer.example'])
    expect(await subjects({ envelope_from: 'bounces+1@xn--bcher-kva.example' })).to.deep.equal([first])
    expect(await subjects({ envelope_from: '*@bücher.example', to: '*@BÜCHER.example' })).to.deep.equal([first])
  })

  it('are listed in pages, and after a cursor', async () => {
    for (let i = 0; i < 5; i++) await send(['ada@customer.example', `u${i}@other.example`], { subject: `${i}` })
    const read = async (query: string) => (await app.api('GET', `/emails?to=ada@customer.example&limit=2${query}`)).body
    const page = await read('')
    expect(page).to.deep.include({ total: 5, hasMore: true })
    const next = await read(`&before=${page.data[1].id}`)
    expect(next.data.map(({ subject }: { subject: string }) => subject)).to.deep.equal(['2', '1'])
    const sixth = await send(['ada@customer.example'])
    await send(['other@customer.example'])
    expect((await read(`&after=${page.cursor}`)).data.map(({ subject }: { subject: string }) => subject)).to.deep.equal([sixth])
  })

  it('are those of the account', async () => {
    await send(['ada@customer.example'])
    const other = await app.newKey({ account: (await createAccount(app, 'other@example.com')).id })
    expect(await subjects({ to: 'ada@customer.example' }, other)).to.deep.equal([])
  })

  it('end a wait: the first that is there, and the next that comes', async () => {
    const { body: { cursor } } = await app.api('GET', '/emails')
    for (let i = 0; i < 30; i++) await send(i === 17 || i === 20 ? ['ada@customer.example'] : [`u${i}@customer.example`], { subject: `${i}` })
    const waited = { to: 'Ada@customer.example', after: cursor, timeout: '1' }
    expect(await wait(waited)).to.equal('17')
    expect(await wait({ ...waited, subject: '20' })).to.equal('20')
    expect(await wait({ ...waited, to: '*@customer.example' })).to.equal('0')
    expect(await wait({ ...waited, address_id: login.id, envelope_from: 'other@shop.example' })).to.equal(undefined)
    const coming = wait({ to: 'late@customer.example', envelope_from: '*@shop.example', timeout: '20' })
    await openWaits(app, 1)
    await send(['early@customer.example'])
    await send(['early@customer.example', 'late@customer.example'], { subject: 'late' })
    expect(await coming).to.equal('late')
  })

  it('confine a stream of events', async () => {
    const reader = await readEvents(app.url, app.key, {}, '?to=ada@customer.example')
    await reader.comment(1)
    await app.newAddress()
    await send(['eve@customer.example'])
    const subject = await send(['eve@customer.example', 'ada@customer.example'])
    const [event] = await reader.until(1)
    expect(event!.data.data).to.include({ subject })
    reader.drop()
  })

  it('confine a stream of events that resumes', async () => {
    const first = await readEvents(app.url, app.key, {}, '?to=ada@customer.example')
    await first.comment(1)
    first.drop()
    const subjects: string[] = []
    for (let i = 0; i < 60; i++) {
      const isWanted = i % 20 === 0
      const subject = await send([isWanted ? 'ada@customer.example' : 'eve@customer.example'], { subject: `${i}` })
      if (isWanted) subjects.push(subject)
    }
    const reader = await readEvents(app.url, app.key, { 'last-event-id': first.lastId }, '?to=ada@customer.example')
    expect((await reader.until(3)).map(({ data }) => data.data.subject)).to.deep.equal(subjects)
    subjects.push(await send(['ada@customer.example']))
    expect((await reader.until(4)).map(({ data }) => data.data.subject)).to.deep.equal(subjects)
    reader.drop()
  })

  for (const [name, value] of [['to', 'ada'], ['to', '@customer.example'], ['envelope_from', 'ada@'], ['envelope_from', `${'a'.repeat(320)}@b.example`]] as const) {
    it(`are refused by a filter that is none: ${name}=${value.slice(0, 30)}`, async () => {
      for (const path of ['/emails', '/emails/wait', '/events']) {
        const { status, body } = await app.api('GET', `${path}?${new URLSearchParams({ [name]: value })}`)
        expect(status).to.equal(400)
        expect(JSON.stringify(body)).to.include(`query.${name}`)
      }
    })
  }
})
