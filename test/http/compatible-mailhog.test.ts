import { expect } from 'chai'
import mailhog from 'mailhog'
import { shareTestApp } from '../support/app.ts'
import { env, newInbox, order, sendRaw } from './compatible-world.ts'

describe('API of MailHog', () => {
  const openApp = shareTestApp({ env })

  async function open() {
    const app = await openApp()
    const inbox = await newInbox(app)
    const { hostname: host, port } = new URL(app.url)
    return { app, inbox, client: mailhog({ host, port: Number(port), auth: `${inbox.username}:${inbox.password}`, basePath: '/compatible/mailhog/api' }) }
  }

  it('lists and searches by the client of npm, with the parts of each mail', async () => {
    const { inbox, client } = await open()
    await inbox.send({ ...order, subject: 'Größe', text: 'Grüße 482913' })
    await inbox.send({ subject: 'Second', text: 'two', to: 'grace@other.example' })
    const { items, ...list } = (await client.messages())!
    expect(list).to.deep.equal({ total: 2, count: 2, start: 0 })
    const first = items[1]!
    expect({ ...first }).to.deep.include({
      From: { Relays: null, Mailbox: 'app', Domain: 'shop.example', Params: '' },
      To: ['ada@customer.example', 'team@shop.example', 'audit@hidden.example'].map((address) => {
        const [Mailbox, Domain] = address.split('@')
        return { Relays: null, Mailbox, Domain, Params: '' }
      }),
      Created: '2026-03-14T09:00:00.000Z',
    })
    expect([first.subject, first.from, first.to, first.cc, first.replyTo]).to.deep.equal(
      ['Größe', 'Shop <app@shop.example>', 'Ada <ada@customer.example>', 'team@shop.example', 'Help <help@shop.example>'])
    expect(first.attachments.map(({ name, type }) => [name, type])).to.deep.equal([['invoice.pdf', 'application/pdf; name=invoice.pdf']])
    expect(client.decode(first.attachments[0]!.Body, first.attachments[0]!.encoding)).to.equal('a pdf')
    expect(items[0]!.text).to.equal('two')
    expect((await client.messages(1, 1))!.items.map(({ ID }) => ID)).to.deep.equal([first.ID])
    for (const find of [
      () => client.latestTo('ada@customer.example'), () => client.latestTo('audit@hidden.example'), () => client.latestContaining('482913'),
      () => client.search('app@shop', 'from', 1, 1).then((found) => found!.items[0]),
    ]) expect((await find())!.ID).to.equal(first.ID)
    expect((await client.search('nobody', 'to'))!).to.include({ total: 0, count: 0 })
    expect((await inbox.call('mailhog/api/v2/search?kind=other&query=x')).status).to.equal(400)
  })

  it('shows one mail, its source and its parts', async () => {
    const { inbox } = await open()
    await inbox.send(order)
    const { body: [listed] } = await inbox.call('mailhog/api/v1/messages')
    const { body, headers } = await inbox.call(`mailhog/api/v1/messages/${listed.ID}`)
    expect(body).to.deep.equal(listed)
    expect(headers.get('content-type')).to.match(/^text\/json/)
    expect(Object.keys(body).sort()).to.deep.equal(['Content', 'Created', 'From', 'ID', 'MIME', 'Raw', 'To'])
    expect(body.Content.Headers).to.deep.include({ 'Subject': ['Your order'], 'Message-ID': ['<order@shop.example>'], 'Return-Path': ['<app@shop.example>'] })
    expect(body.Raw).to.include({ From: 'app@shop.example' })
    const source = (await inbox.call(`mailhog/api/v1/messages/${listed.ID}/download`)).text
    expect(source).to.equal(`${body.Raw.Data}\r\n`)
    const types = (parts: any[]): any[] => parts.map(({ Headers, MIME }) => MIME ? types(MIME.Parts) : Headers['Content-Type'][0].split(';')[0])
    expect(types(body.MIME.Parts).flat(Infinity)).to.include.members(['text/plain', 'text/html', 'image/png', 'application/pdf'])
    const last = body.MIME.Parts.length - 1
    const part = await inbox.call(`mailhog/api/v1/messages/${listed.ID}/mime/part/${last}/download`)
    expect([part.status, part.text, part.headers.get('content-type')]).to.deep.equal([200, 'a pdf', 'application/pdf'])
    expect((await inbox.call(`mailhog/api/v1/messages/${listed.ID}/mime/part/99/download`)).status).to.equal(404)
    expect((await inbox.call(`mailhog/api/v1/messages/${listed.ID}/release`, { method: 'POST', body: {} })).status).to.equal(404)
  })

  it('ends a list before its answer is longer than 16 MiB', async () => {
    const { inbox, client } = await open()
    for (let i = 0; i < 3; i++) await inbox.send({ subject: `${i}`, text: 'long', attachments: [{ filename: 'a.bin', content: Buffer.alloc(1_400_000, i) }] })
    const { total, count, items } = (await client.messages())!
    expect([total, count, items.length]).to.deep.equal([3, 2, 2])
    expect((await client.messages(2))!.count).to.equal(1)
  })

  it('limits the answer also where it is much longer than the sources', async () => {
    const { app, inbox, client } = await open()
    for (let i = 0; i < 3; i++) await sendRaw(app, inbox.username, nested(250_000))
    const { status, text, body } = await inbox.call('mailhog/api/v2/messages')
    expect([status, body.total, body.count, body.items.length, text.length < 16 * 1024 * 1024]).to.deep.equal([200, 3, 1, 1, true])
    expect((await client.messages(2))!.count).to.equal(1)
    await sendRaw(app, inbox.username, nested(2_000_000))
    const [{ ID }] = (await inbox.call('mailhog/api/v2/messages?limit=1')).body.items
    const one = await inbox.call(`mailhog/api/v1/messages/${ID}`)
    expect([one.status, one.body.Raw.Data.length < 1_500_000, one.text.length < 24 * 1024 * 1024]).to.deep.equal([200, true, true])
    expect((await inbox.call(`mailhog/api/v1/messages/${ID}/download`)).text).to.have.length.above(2_000_000)
  })

  it('deletes one and all mails', async () => {
    const { inbox, client } = await open()
    await inbox.send({ subject: 'one', text: '1' })
    await inbox.send({ subject: 'two', text: '2' })
    await client.deleteMessage((await client.messages())!.items[0]!.ID)
    expect((await client.messages())!.items.map(({ subject }) => subject)).to.deep.equal(['one'])
    await client.deleteAll()
    expect((await client.messages())!.total).to.equal(0)
  })
})

/** A mail of parts within parts, of whose text each byte is six in JSON. */
function nested(bytes: number): string {
  const line = `${'\u0001'.repeat(900)}\r\n`
  const text = `Content-Type: text/plain\r\n\r\n${line.repeat(bytes / line.length)}`
  return `Subject: nested\r\nMIME-Version: 1.0\r\n${['a', 'b', 'c', 'd', 'e'].reduce((part, boundary) =>
    `Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\n${part}\r\n--${boundary}--\r\n`, text)}`
}
