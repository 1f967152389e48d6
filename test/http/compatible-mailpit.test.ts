import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { MailpitClient } from 'mailpit-api'
import { shareTestApp } from '../support/app.ts'
import { repeatEmail } from '../support/store/mails.ts'
import { env, newInbox, order, png, sendRaw } from './compatible-world.ts'

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
