import { expect } from 'chai'
import { simpleParser } from 'mailparser'
import type { AttachmentSend } from '../../server/contract/types.gen.ts'
import { sendEmail, shareSendingWorld } from './world.ts'
import type { SendingWorld } from './world.ts'

const text = (content: string, filename = 'a.txt'): AttachmentSend =>
  ({ filename, contentType: 'text/plain', content: Buffer.from(content).toString('base64') })

describe('Sending an email: cc and attachments', () => {
  const newWorld = shareSendingWorld()
  let world: SendingWorld

  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  const refusal = async (changes: Record<string, unknown>) => {
    const { status, body } = await world.app.api('POST', '/emails', {
      body: { fromAddressId: world.from.id, to: 'ada@example.org', subject: 's', body: 'b', ...changes },
    })
    return { status, paths: body.details?.map(({ path }: { path: string }) => path), error: body.error }
  }

  it('delivers one email to each recipient once, and shows all but the first as Cc', async () => {
    const { app, receiver, from } = world
    const email = await sendEmail(app, from.id, { cc: ['Bob <bob@example.org>', 'ADA@example.org', 'eve@example.org', 'bob@example.org'] })
    await app.settled()
    expect(receiver.mails.map(({ recipients }) => recipients).toSorted()).to.deep.equal([['ada@example.org'], ['bob@example.org'], ['eve@example.org']])
    expect(new Set(receiver.mails.map(({ sourceText }) => sourceText)).size).to.equal(1)
    const parsed = await simpleParser(receiver.mails[0]!.source)
    expect([parsed.to, parsed.cc]).to.have.nested.property('[0].text', 'ada@example.org')
    expect(parsed.cc).to.have.property('text', 'bob@example.org, eve@example.org')
    expect(await email.read()).to.include({ to: 'ada@example.org', recipientsTotal: 3, status: 'sent' })
    expect((await email.read()).recipients).to.deep.equal(['ada@example.org', 'bob@example.org', 'eve@example.org'])
    expect((await app.api('GET', '/emails?type=sent')).body.data[0]).to.include({ id: email.id, recipientsTotal: 3, status: 'sent' })
  })

  it('has the state of the recipient that it failed for, and names it', async () => {
    const { app, receiver, from } = world
    receiver.replies.rcpt = (address) => address.startsWith('bob') ? { code: 550, text: 'No such user' } : undefined
    const email = await sendEmail(app, from.id, { cc: ['bob@example.org'] })
    await app.settled()
    expect(receiver.mails.map(({ recipient }) => recipient)).to.deep.equal(['ada@example.org'])
    const read = await email.read()
    expect(read).to.include({ status: 'failed' })
    expect(read.failureReason).to.match(/^bob@example\.org: .*No such user/)
    expect((await app.api('GET', '/emails?type=sent')).body.data[0].status).to.equal('failed')
  })

  it('delivers and keeps attachments byte for byte, with their names and types', async () => {
    const { app, receiver, from } = world
    const bytes = Buffer.from(Array.from({ length: 5_000 }, (_, i) => i * 7 % 256))
    const names = ['plain.bin', 'Übersicht für März.pdf', '発票 📎.png', 'a"b;c=d.txt', `${'ä'.repeat(190)}.txt`, "it's %41.txt"]
    const attachments = names.map((filename, i) => ({ filename, ...i > 0 && { contentType: 'application/pdf' }, content: bytes.toString('base64') }))
    const email = await sendEmail(app, from.id, { attachments, bodyHtml: '<p>Hello</p>' })
    await app.settled()
    const { source, sourceText } = receiver.mails[0]!
    expect(sourceText.split('\r\n').filter((line) => line.length > 998 || /[^\t -~]/.test(line))).to.deep.equal([])
    expect(sourceText).to.match(/filename\*0?\*?=utf-8''%C3%9Cbersicht/)
    const parsed = await simpleParser(source)
    expect(parsed.attachments.map(({ filename, contentType, contentDisposition }) => [filename, contentType, contentDisposition]))
      .to.deep.equal(names.map((name, i) => [name, i > 0 ? 'application/pdf' : 'application/octet-stream', 'attachment']))
    for (const { content } of parsed.attachments) expect(content.equals(bytes)).to.equal(true)
    const read = await email.read()
    expect(read).to.include({ bodyText: 'Hello,\n\nwhere is it?\n', bodyHtml: '<p>Hello</p>' })
    expect(read.attachments.map(({ contentType, size, isInline }: Record<string, unknown>) => [contentType, size, isInline]))
      .to.deep.equal(names.map((_, i) => [i > 0 ? 'application/pdf' : 'application/octet-stream', 5_000, false]))
    const kept = await app.api('GET', `/emails/${email.id}/attachments/${read.attachments[1].id}`)
    expect(kept.body.equals(bytes)).to.equal(true)
    expect((await app.api('GET', '/emails?q=has:attachment')).body.data.map(({ id }: { id: string }) => id)).to.deep.equal([email.id])
  })

  it('takes files of 10 MiB in all, and not a byte more', async () => {
    const { app, receiver, from } = world
    const half = Buffer.alloc(5 * 1024 * 1024, 'A')
    const files = (last: Buffer) => [half, last].map((content, i) => ({ filename: `${i}.bin`, content: content.toString('base64') }))
    expect(await refusal({ attachments: files(Buffer.concat([half, Buffer.from('A')])) })).to.deep.equal({
      status: 400, paths: ['body.attachments'], error: 'body.attachments: have more than 10 MiB in all.',
    })
    const email = await sendEmail(app, from.id, { attachments: files(half) })
    await app.settled()
    const parsed = await simpleParser(receiver.mails[0]!.source)
    expect(parsed.attachments.map(({ content }) => content.equals(half))).to.deep.equal([true, true])
    expect((await email.read()).attachments).to.have.length(2)
    const { size, attachments: [{ id }] } = await email.read()
    expect(size).to.equal(receiver.mails[0]!.source.length)
    expect((await app.api('GET', `/emails/${email.id}/attachments/${id}`)).body.equals(half)).to.equal(true)
    expect((await refusal({ body: 'b', attachments: [{ filename: 'a', content: 'A'.repeat(15 * 1024 * 1024) }] })).status).to.equal(413)
    expect((await app.api('POST', '/addresses', { body: { label: 'x'.repeat(1024 * 1024) } })).status).to.equal(413)
  })

  it('refuses attachments that would inject lines or parts, or are too many or no base64', async () => {
    for (const filename of ['a\r\nBcc: eve@example.org', 'a\nb', 'a\0b', '../a', 'a\\b', '', 'x'.repeat(201), 'a\u0085b', 'a\u2028b']) {
      const { status, paths } = await refusal({ attachments: [text('a', filename)] })
      expect([status, paths], JSON.stringify(filename)).to.deep.equal([400, ['body.attachments.0.filename']])
    }
    for (const contentType of ['text/plain; charset=utf-8', 'text', 'text/plain\r\nX: y', 'a/b/c', 'multipart/mixed', 'Message/RFC822', '/']) {
      const { status, paths } = await refusal({ attachments: [{ ...text('a'), contentType }] })
      expect([status, paths], JSON.stringify(contentType)).to.deep.equal([400, ['body.attachments.0.contentType']])
    }
    for (const content of ['Zm9v!', 'Zm9', 'Zm9v Zm9v', 'Zm9v\nZm9=', '====', 'A===', 'AA=A', 'größe---']) {
      const { status, paths } = await refusal({ attachments: [text('a'), { ...text('a'), content }] })
      expect([status, paths], content).to.deep.equal([400, ['body.attachments.1.content']])
    }
    expect(await refusal({ attachments: Array(11).fill(text('a')) })).to.deep.include({ status: 400, paths: ['body.attachments'] })
    expect(await refusal({ attachments: [{ ...text('a'), cid: 'x' }] })).to.deep.include({ status: 400, paths: ['body.attachments.0.cid'] })
    await world.app.settled()
    expect(world.receiver.mails).to.deep.equal([])
  })

  it('refuses recipients that are not one address, and more than 20', async () => {
    for (const cc of ['a@example.org, b@example.org', 'nobody', 'a@example.org\r\nBcc: eve@example.org', '']) {
      expect((await refusal({ cc: ['bob@example.org', cc] })).paths?.[0], JSON.stringify(cc)).to.equal('body.cc.1')
    }
    expect(await refusal({ cc: Array(21).fill('a@example.org') })).to.deep.include({ status: 400, paths: ['body.cc'] })
  })
})
