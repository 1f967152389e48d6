import { expect } from 'chai'
import { createHash } from 'node:crypto'
import mailhog from 'mailhog'
import { MailpitClient } from 'mailpit-api'
import { createTransport } from 'nodemailer'
import type { SendMailOptions } from 'nodemailer'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { changePlan, createAccount, deleteAccount } from '../support/store/accounts.ts'
import { repeatEmail } from '../support/store/mails.ts'

const env = { MAYFLY_COMPATIBLE_APIS: 'mailpit, mailhog, maildev' }

interface Login { id: string, username: string, password: string }

/** A new address with a login, and the ways to send to it and to read it. */
async function newInbox(app: TestApp, key = app.key) {
  const { body: { data } } = await app.api('POST', '/addresses', { body: { smtpLogin: true }, key })
  const login: Login = { id: data.id, ...data.smtp }
  return {
    ...login,
    async send(mail: SendMailOptions) {
      const auth = { user: login.username, pass: login.password }
      const transport = createTransport({ ...app.smtp, auth, tls: { rejectUnauthorized: false } })
      await transport.sendMail({ from: 'Shop <app@shop.example>', to: 'Ada <ada@customer.example>', ...mail })
      transport.close()
      await app.settled()
    },
    call: (path: string, options: CallOptions = {}) => call(app, login, path, options),
  }
}

interface CallOptions { method?: string, body?: unknown, headers?: Record<string, string> }

async function call(
  app: TestApp, { username, password }: Pick<Login, 'username' | 'password'>, path: string, { method = 'GET', body, headers }: CallOptions = {},
) {
  const response = await fetch(`${app.url}/compatible/${path}`, {
    method,
    headers: { authorization: basic(username, password), ...body !== undefined && { 'content-type': 'application/json' }, ...headers },
    ...body !== undefined && { body: JSON.stringify(body) },
  })
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

const basic = (username: string, password: string) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

const png = Buffer.from('iVBORw0KGgo=', 'base64')
const order = {
  cc: 'team@shop.example', bcc: 'audit@hidden.example', replyTo: 'Help <help@shop.example>', subject: 'Your order',
  text: 'Your code is 482913.', html: '<p>Your code is <b>482913</b>.</p><img src="cid:logo">', messageId: '<order@shop.example>',
  attachments: [{ filename: 'invoice.pdf', content: 'a pdf' }, { filename: 'logo.png', content: png, cid: 'logo' }],
} satisfies SendMailOptions

describe('API of Mailpit', () => {
  const openApp = shareTestApp({ env })

  async function open() {
    const app = await openApp()
    const inbox = await newInbox(app)
    const auth = { username: inbox.username, password: inbox.password }
    return { app, inbox, client: new MailpitClient(`${app.url}/compatible/mailpit`, { auth }) }
  }

  it('lists mail by the client of npm, newest first, by pages, with all recipients', async () => {
    const { inbox, client } = await open()
    await inbox.send(order)
    await inbox.send({ subject: 'Second', text: 'two' })
    const { messages, ...list } = await client.listMessages()
    expect(list).to.deep.equal({ total: 2, unread: 2, count: 2, messages_count: 2, messages_unread: 2, start: 0, tags: [] })
    const [second, first] = messages
    expect(second).to.include({ Subject: 'Second' })
    const { ID, Size, Created, ...rest } = first!
    expect(rest).to.deep.equal({
      MessageID: 'order@shop.example',
      From: { Name: 'Shop', Address: 'app@shop.example' },
      To: [{ Name: 'Ada', Address: 'ada@customer.example' }],
      Cc: [{ Name: '', Address: 'team@shop.example' }],
      Bcc: [{ Name: '', Address: 'audit@hidden.example' }],
      ReplyTo: [{ Name: 'Help', Address: 'help@shop.example' }],
      Subject: 'Your order', Attachments: 1, Read: false, Snippet: 'Your code is 482913.', Tags: [], Username: inbox.username,
    })
    expect([typeof ID, Size > 500, Created]).to.deep.equal(['string', true, '2026-03-14T09:00:00.000Z'])
    expect((await client.listMessages(1, 1)).messages.map((each) => each.ID)).to.deep.equal([ID])
    expect(await client.getInfo()).to.deep.include({ Messages: 2, Unread: 2, Tags: {} })
    expect(await client.getConfiguration()).to.deep.include({ SpamAssassin: false, ChaosEnabled: false })
    expect(await client.getTags()).to.deep.equal([])
  })

  it('shows a mail whole and marks it as read, by its id and as the latest', async () => {
    const { inbox, client } = await open()
    await inbox.send(order)
    const latest = await client.getMessageSummary()
    const { messages: [listed] } = await client.listMessages()
    expect(listed!.Read).to.equal(true)
    expect(await client.getMessageSummary(listed!.ID)).to.deep.equal(latest)
    expect(latest).to.deep.include({
      ID: listed!.ID, ReturnPath: 'app@shop.example', Text: 'Your code is 482913.', HTML: order.html, Username: inbox.username,
      ListUnsubscribe: { Header: '', Links: [], Errors: '', HeaderPost: '' },
    })
    expect(Number.isNaN(Date.parse(latest.Date))).to.equal(false)
    const { PartID, ...invoice } = latest.Attachments[0]!
    expect(invoice).to.deep.equal({
      FileName: 'invoice.pdf', ContentType: 'application/pdf', ContentID: '', Size: 5,
      Checksums: Object.fromEntries(['MD5', 'SHA1', 'SHA256'].map((name) => [name, createHash(name).update('a pdf').digest('hex')])),
    })
    expect(latest.Inline.map(({ FileName, ContentID, Size }) => ({ FileName, ContentID, Size }))).to.deep.equal([{ FileName: 'logo.png', ContentID: 'logo', Size: png.length }])
    const file = await client.getMessageAttachment('latest', PartID)
    expect([file.type, await file.text()]).to.deep.equal(['application/pdf', 'a pdf'])
  })

  it('shows header, source and bodies, the HTML without scripts', async () => {
    const { inbox, client } = await open()
    await inbox.send({ ...order, headers: { 'x-one': ['first', 'second'] } })
    const { ID, Inline: [logo] } = await client.getMessageSummary()
    const headers = await client.getMessageHeaders(ID)
    expect(headers).to.deep.include({ 'Subject': ['Your order'], 'Message-Id': ['<order@shop.example>'], 'X-One': ['first', 'second'] })
    expect(Object.keys(headers)).to.deep.equal(Object.keys(headers).sort())
    expect(await client.getMessageSource(ID)).to.match(/\r\nFrom: Shop <app@shop\.example>\r\n[^]*482913/)
    expect(await client.renderMessageText(ID)).to.equal('Your code is 482913.')
    expect(await client.renderMessageHTML('latest')).to.equal(order.html.replace('cid:logo', `/compatible/mailpit/api/v1/message/${ID}/part/${logo!.PartID}`))
    const page = await inbox.call(`mailpit/view/${ID}.html`)
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).to.match(/^sandbox; default-src 'none'/)
    const image = await inbox.call(`mailpit/api/v1/message/${ID}/part/${logo!.PartID}`)
    expect([image.status, image.headers.get('content-type')]).to.deep.equal([200, 'image/png'])
  })

  it('reads names and groups in all fields of recipients, and shows mail without a login', async () => {
    const { app, inbox, client } = await open()
    const raw = [
      'From: =?utf-8?q?Gr=C3=A4fin?= <g@shop.example>', 'To: "B, C" <b@x.example>, Team: a@x.example, <d@x.example>;', `To: ${inbox.username}`,
      'Cc: =?utf-8?b?w5Y=?= <o@x.example>', 'List-Unsubscribe: <mailto:off@shop.example>, <https://shop.example/off>', '', 'hi', '',
    ].join('\r\n')
    await sendRaw(app, inbox.username, raw)
    const mail = await client.getMessageSummary()
    expect(mail).to.deep.include({
      From: { Name: 'Gräfin', Address: 'g@shop.example' },
      To: [['B, C', 'b@x.example'], ['', 'a@x.example'], ['', 'd@x.example'], ['', inbox.username]].map(([Name, Address]) => ({ Name, Address })),
      Cc: [{ Name: 'Ö', Address: 'o@x.example' }], Bcc: [], ReplyTo: [], Subject: '', MessageID: '', Username: '',
    })
    expect(mail.ListUnsubscribe.Links).to.deep.equal(['mailto:off@shop.example', 'https://shop.example/off'])
  })

  it('searches by words and filters', async () => {
    const { inbox, client } = await open()
    await inbox.send(order)
    await inbox.send({ from: 'Billing <billing@shop.example>', to: 'grace@other.example', subject: 'Receipt for March', text: 'Thank you, Grace.' })
    await client.getMessageSummary() // marks the second one as read
    const found = async (query: string) => (await client.searchMessages({ query })).messages.map(({ Subject }) => Subject)
    for (const query of [
      'to:ada', 'to:"ADA@customer.example"', 'from:app@', 'subject:"your order"', 'subject:order', 'is:unread', '-is:read', 'has:attachment', '482913',
      'cc:team@shop.example', 'bcc:audit', 'reply-to:help', 'addressed:hidden.example', 'message-id:order@shop', 'larger:500', '!to:grace', 'order -grace',
      '-grace', 'to:ada 482913', 'has:inline', 'after:2026-03-13 to:ada',
    ]) expect(await found(query), query).to.deep.equal(['Your order'])
    for (const query of ['is:read', 'from:Billing', 'receipt march', '-has:attachment', '"thank you"', 'smaller:1m -larger:500']) {
      expect(await found(query), query).to.deep.equal(['Receipt for March'])
    }
    for (const query of ['tag:any', 'before:2020-01-01', 'to:nobody', 'words that no mail has', 'to:ada to:grace']) expect(await found(query), query).to.deep.equal([])
    const { messages, ...list } = await client.searchMessages({ query: 'from:shop.example', start: 1, limit: 1 })
    expect(list).to.deep.equal({ total: 2, unread: 1, count: 1, messages_count: 2, messages_unread: 1, start: 1, tags: [] })
    expect(messages.map(({ Subject }) => Subject)).to.deep.equal(['Your order'])
    expect((await inbox.call('mailpit/api/v1/message/latest?query=to:ada')).body.Subject).to.equal('Your order')
    expect((await inbox.call('mailpit/api/v1/message/latest?query=to:nobody')).status).to.equal(404)
    expect(await client.waitForMessage({ query: 'to:ada' })).to.include({ Subject: 'Your order' })
    expect((await client.waitForMessages({ count: 2 })).count).to.equal(2)
    expect((await inbox.call('mailpit/api/v1/search')).status).to.equal(400)
  })

  it('finds nothing by a query without anything to compare, and nothing by names that every object has', async () => {
    const { inbox, client } = await open()
    await inbox.send(order)
    const search = (query: string, method = 'GET') => inbox.call(`mailpit/api/v1/search?query=${encodeURIComponent(query)}`, { method })
    for (const query of ['constructor', 'constructor:x', '__proto__', '__proto__:x', 'toString', 'hasOwnProperty:x', '***', '""', '-***', 'after:unknown', '-larger:x', 'to:""']) {
      const found = await search(query)
      expect([found.status, found.body?.messages_count], query).to.deep.equal([200, 0])
      expect((await inbox.call(`mailpit/api/v1/message/latest?query=${encodeURIComponent(query)}`)).status, query).to.equal(404)
      expect((await search(query, 'DELETE')).text, query).to.equal('ok')
      expect((await inbox.call('mailpit/api/v1/messages', { method: 'PUT', body: { Search: query, Read: true } })).text, query).to.equal('ok')
      expect((await inbox.call('mailpit/api/v1/messages')).body, query).to.include({ total: 1, unread: 1 })
    }
    await client.deleteMessagesBySearch({ query: '-constructor' })
    expect((await client.listMessages()).total).to.equal(0)
  })

  it('refuses deletions and marks by a search of which not all terms are compared', async () => {
    const { inbox, client } = await open()
    await inbox.send({ subject: 'alpha bravo charlie delta echo', text: 'x' })
    for (const query of [
      'alpha bravo charlie delta echo f', 'alpha bravo charlie delta echo -f', '"alpha bravo charlie" delta echo f', `${'to:ada '.repeat(20)}to:grace`,
      'alpha ***', 'alpha after:unknown', 'alpha from:""', '"bravo alpha"', '"alpha bravo"', 'alpha -"charlie bravo"',
    ]) {
      const deleted = await inbox.call(`mailpit/api/v1/search?query=${encodeURIComponent(query)}`, { method: 'DELETE' })
      const marked = await inbox.call('mailpit/api/v1/messages', { method: 'PUT', body: { Search: query, Read: true } })
      for (const { status, text } of [deleted, marked]) {
        expect([status, text.split(':')[0]], query).to.deep.equal([400, 'Error'])
        expect(text).to.include('maximum 20 terms with 5 words')
      }
      expect((await inbox.call('mailpit/api/v1/messages')).body, query).to.include({ total: 1, unread: 1 })
    }
    await client.deleteMessagesBySearch({ query: 'subject:"bravo alpha"' })
    expect((await client.listMessages()).total).to.equal(1)
    await client.deleteMessagesBySearch({ query: '"alpha" subject:"bravo charlie" bravo charlie delta echo' })
    expect((await client.listMessages()).total).to.equal(0)
  })

  it('deletes no mail with excluded words that is older than the newest 1,000 with them', async () => {
    const { app, inbox, client } = await open()
    await inbox.send({ subject: 'many', text: 'excluded' })
    await inbox.send({ subject: 'old', text: 'order with excluded' })
    await repeatEmail(app, inbox.id, 1_000, 1_000_000)
    await client.deleteMessagesBySearch({ query: 'order -excluded' })
    expect((await client.searchMessages({ query: 'order' })).messages_count).to.equal(1)
  })

  it('marks some, found or all mails, and deletes them', async () => {
    const { app, inbox, client } = await open()
    for (const subject of ['one', 'two', 'three', 'four']) await inbox.send({ subject, text: subject })
    const read = async () => (await client.listMessages()).messages.filter(({ Read }) => Read).map(({ Subject }) => Subject)
    const ids = (await client.listMessages()).messages.map(({ ID }) => ID)
    expect(await client.setReadStatus({ IDs: [ids[0]!, 'unknown'], Read: true })).to.equal('ok')
    expect(await read()).to.deep.equal(['four'])
    await client.setReadStatus({ Search: 'subject:two', Read: true })
    expect(await read()).to.deep.equal(['four', 'two'])
    await client.setReadStatus({ Read: true })
    expect(await read()).to.have.length(4)
    await client.setReadStatus()
    expect(await read()).to.deep.equal([])
    expect(await client.deleteMessages({ IDs: [ids[0]!] })).to.equal('ok')
    expect(await client.deleteMessagesBySearch({ query: 'subject:two' })).to.equal('ok')
    expect((await client.listMessages()).messages.map(({ Subject }) => Subject)).to.deep.equal(['three', 'one'])
    expect((await app.api('GET', `/emails/${ids[0]}`)).body.data.isDeleted).to.equal(true)
    expect(await client.deleteMessages()).to.equal('ok')
    expect((await client.listMessages()).total).to.equal(0)
    expect((await inbox.call('mailpit/api/v1/message/latest')).status).to.equal(404)
    expect((await inbox.call('mailpit/api/v1/messages', { method: 'PUT', body: { IDs: 'one' } })).status).to.equal(400)
  })

  it('deletes more mails than a transaction changes', async () => {
    const { app, inbox, client } = await open()
    await inbox.send({ subject: 'many', text: 'many' })
    await repeatEmail(app, inbox.id, 249)
    await client.setReadStatus({ Read: true })
    const listed = (await client.listMessages(0, 1_000)).messages
    expect(listed.filter(({ Read }) => Read)).to.have.length(250)
    expect((await client.listMessages(0, 0)).count).to.equal(50)
    await client.deleteMessages()
    expect((await client.listMessages()).messages).to.deep.equal([])
  })

  it('answers 400 with the reason where it does not have a feature', async () => {
    const { inbox, client } = await open()
    await inbox.send(order)
    for (const run of [
      () => client.htmlCheck(), () => client.linkCheck(), () => client.spamAssassinCheck(),
      () => client.getChaosTriggers(), () => client.setChaosTriggers(),
      () => client.releaseMessage('latest', { To: ['a@b.example'] }), () => client.setTags({ IDs: [], Tags: ['x'] }), () => client.deleteTag('x'),
      () => client.sendMessage({ From: { Email: 'a@b.example' }, To: [{ Email: 'c@d.example' }] }),
    ]) expect(await run().then(() => '', String)).to.match(/ 400 Bad Request at .*(?:not available|not enabled)/)
    expect((await inbox.call('mailpit/api/v1/unknown')).status).to.equal(404)
    const wrong = await inbox.call('mailpit/api/v1/search', { method: 'PATCH' })
    expect([wrong.status, wrong.headers.get('allow')]).to.deep.equal([405, 'GET, DELETE'])
  })
})

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

describe('API of MailDev', () => {
  const openApp = shareTestApp({ env })

  async function open() {
    const app = await openApp()
    return { app, inbox: await newInbox(app) }
  }

  for (const root of ['maildev/api', 'maildev']) {
    it(`lists, shows, marks and deletes mail below /${root}`, async () => {
      const { inbox } = await open()
      await inbox.send(order)
      await inbox.send({ subject: 'Second', text: 'two' })
      const { body: emails } = await inbox.call(`${root}/email`)
      expect(emails.map(({ subject, read }: any) => [subject, read])).to.deep.equal([['Your order', false], ['Second', false]])
      const { body: email } = await inbox.call(`${root}/email/${emails[0].id}`)
      expect(email).to.deep.include({
        read: true, subject: 'Your order', html: order.html, text: order.text,
        from: [{ address: 'app@shop.example', name: 'Shop' }], to: [{ address: 'ada@customer.example', name: 'Ada' }],
        cc: [{ address: 'team@shop.example', name: '' }], calculatedBcc: [{ address: 'audit@hidden.example', name: '' }],
      })
      expect(email.headers).to.include({ subject: 'Your order' })
      expect(email.envelope.to.map(({ address }: any) => address)).to.deep.equal(['ada@customer.example', 'team@shop.example', 'audit@hidden.example'])
      const invoice = email.attachments.find(({ filename }: any) => filename === 'invoice.pdf')
      expect((await inbox.call(`${root}/email/${email.id}/attachment/${invoice.generatedFileName}`)).text).to.equal('a pdf')
      const logo = email.attachments.find(({ contentId }: any) => contentId === 'logo')
      expect((await inbox.call(`${root}/email/${email.id}/html`)).text).to.include(`/attachment/${logo.generatedFileName}"`)
      for (const path of ['source', 'download']) expect((await inbox.call(`${root}/email/${email.id}/${path}`)).text).to.include('Subject: Your order')
      expect((await inbox.call(`${root}/email/read-all`, { method: 'PATCH' })).body).to.equal(1)
      const { body: deleted } = await inbox.call(`${root}/email/delete`, { method: 'POST', body: { ids: [emails[0].id, 'unknown'] } })
      expect(deleted).to.deep.equal({ deleted: [emails[0].id], notFound: ['unknown'] })
      expect((await inbox.call(`${root}/email/${emails[0].id}`)).body).to.deep.equal({ error: 'There is no message with this ID in the mail of this address.' })
      expect((await inbox.call(`${root}/email/${emails[1].id}`, { method: 'DELETE' })).body).to.equal(true)
      expect((await inbox.call(`${root}/email/all`, { method: 'DELETE' })).body).to.equal(true)
      expect((await inbox.call(`${root}/email`)).body).to.deep.equal([])
      expect((await inbox.call(`${root}/healthz`)).body).to.equal(true)
      expect((await inbox.call(`${root}/config`)).body).to.have.keys(['version', 'smtpPort', 'isOutgoingEnabled', 'outgoingHost'])
      expect((await inbox.call(`${root}/email/${emails[1].id}/relay`, { method: 'POST' })).status).to.equal(404)
    })
  }

  it('filters by members, and lists by pages and as summaries', async () => {
    const { inbox } = await open()
    for (const subject of ['one', 'two', 'three']) await inbox.send({ subject, text: `text ${subject}`, to: `${subject}@customer.example` })
    const subjects = async (query: string) => (await inbox.call(`maildev/email${query}`)).body.map(({ subject }: any) => subject)
    expect(await subjects('?subject=two')).to.deep.equal(['two'])
    expect(await subjects('?to.address=one@customer.example')).to.deep.equal(['one'])
    expect(await subjects('?from.address=other@shop.example')).to.deep.equal([])
    expect(await subjects('?skip=1&limit=1')).to.deep.equal(['two'])
    expect(await subjects('?skip=2&limit=9')).to.deep.equal(['three'])
    expect(await subjects('?skip=3')).to.deep.equal([])
    expect(await subjects('?sort=desc&limit=2')).to.deep.equal(['three', 'two'])
    const { items, ...page } = (await inbox.call('maildev/api/email/summary?limit=2')).body
    expect(page).to.deep.equal({ total: 3, storeTotal: 3, unread: 3, skip: 0, limit: 2 })
    expect(items.map(({ subject, preview }: any) => [subject, preview])).to.deep.equal([['three', 'text three'], ['two', 'text two']])
    await inbox.call(`maildev/email/${items[0].id}`)
    expect((await inbox.call('maildev/api/email/summary?unread=true&sort=asc')).body).to.deep.include({ total: 2, storeTotal: 3, unread: 2 })
    expect((await inbox.call('maildev/api/email/summary?search=text one')).body.items.map(({ subject }: any) => subject)).to.deep.equal(['one'])
  })
})

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

/** A mail of parts within parts, of whose text each byte is six in JSON. */
function nested(bytes: number): string {
  const line = `${'\u0001'.repeat(900)}\r\n`
  const text = `Content-Type: text/plain\r\n\r\n${line.repeat(bytes / line.length)}`
  return `Subject: nested\r\nMIME-Version: 1.0\r\n${['a', 'b', 'c', 'd', 'e'].reduce((part, boundary) =>
    `Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\n${part}\r\n--${boundary}--\r\n`, text)}`
}

async function sendRaw(app: TestApp, to: string, raw: string) {
  const transport = createTransport({ ...app.smtp, tls: { rejectUnauthorized: false } })
  await transport.sendMail({ envelope: { from: 'g@shop.example', to }, raw })
  transport.close()
  await app.settled()
}

async function inTurn(count: number, run: () => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await run()).status)
  return statuses
}
