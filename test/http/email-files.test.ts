import { expect } from 'chai'
import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { Attachment, EmailSummary } from '../../server/contract/types.gen.ts'
import { shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { bearer } from '../contract/requests.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { rawRequest } from '../support/raw-request.ts'
import { emitted } from '../support/store/events.ts'
import { countMailRows } from '../support/store/rows.ts'
import { delivery, hello } from '../smtp/mailbox.ts'

describe('Emails: source and attachments', () => {
  let app: TestApp
  const newAccount = shareTestApp()
  beforeEach(async () => { app = await newAccount() })

  const download = (path: string, key = app.key) =>
    rawRequest(app.url, { path: `/api/v1/emails/${path}`, headers: { authorization: `Bearer ${key}` } })

  /** Delivers the bytes unchanged, with dot-stuffing (RFC 5321 §4.5.2). */
  async function deliver(to: string[], source: Buffer) {
    const text = Buffer.from(source.toString('latin1').replaceAll(/^\./gm, '..'), 'latin1')
    await playSession(app.smtp, [
      hello, ['MAIL FROM:<shop@example.org>', 250], ...to.map((address) => [`RCPT TO:<${address}>`, 250] as [string, number]),
      ['DATA', 354], [Buffer.concat([text, Buffer.from('.\r\n')]), 250],
    ])
    await app.settled()
  }

  describe('an attachment', () => {
    it('has the sent bytes, and headers that keep browsers from opening it', async () => {
      const { id, address } = await app.newAddress()
      const content = randomBytes(200_000)
      await app.send({ to: address, text: 'x', attachments: [{ filename: 'photo.jpg', content, contentType: 'image/jpeg', cid: 'photo@example.org' }] })
      const email = await app.onlyEmail(id)
      expect(email.attachments).to.deep.equal([{
        id: email.attachments[0]!.id, filename: 'photo.jpg', contentType: 'image/jpeg', size: 200_000,
        contentId: 'photo@example.org', isInline: email.attachments[0]!.isInline,
      }])
      const { status, headers, bytes } = await download(`${email.id}/attachments/${email.attachments[0]!.id}`)
      expect(status).to.equal(200)
      expect(bytes.equals(content)).to.equal(true)
      expect(headers).to.include({
        'content-type': 'image/jpeg',
        'content-length': '200000',
        'content-disposition': 'attachment; filename=photo.jpg',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      })
    })

    it('may be empty', async () => {
      const { id, address } = await app.newAddress()
      await app.send({ to: address, text: 'x', attachments: [{ filename: 'empty.txt', content: '' }] })
      const { id: emailId, attachments: [empty] } = await app.onlyEmail(id)
      expect(empty).to.include({ filename: 'empty.txt', size: 0 })
      const { status, headers, bytes } = await download(`${emailId}/attachments/${empty!.id}`)
      expect([status, headers['content-length'], bytes.length]).to.deep.equal([200, '0', 0])
    })

    it('has a safe name, in the form of RFC 6266 and RFC 8187', async () => {
      const { id, address } = await app.newAddress()
      const names = [
        'ünï.pdf', '日本語 😀.txt', 'a"b.txt', 'a;b=c.txt', "a'b%41.txt", '../../etc/passwd', 'C:\\Windows\\cmd.exe', '..', '/', '',
        'a\r\nX-Evil: 1.txt', 'a\0b', '\u202egnp.exe', `${'x'.repeat(300)}.txt`, '.htaccess', ' sp ', '€ rates', 'ÿ', 'a\ud800b',
      ]
      await app.send({ to: address, text: 'x', attachments: names.map((filename, i) => ({ filename, content: `content ${i}` })) })
      const { id: emailId, attachments } = await app.onlyEmail(id)
      expect(attachments).to.have.length(names.length)
      for (const [i, attachment] of attachments.entries()) {
        const { status, headers, text } = await download(`${emailId}/attachments/${attachment.id}`)
        const disposition = headers['content-disposition']!
        expect([status, text]).to.deep.equal([200, `content ${i}`])
        expect(headers).to.not.have.property('x-evil')
        expect(disposition).to.match(/^attachment; filename=("[\x20-\x7e]+"|[!#$%&'*+.^_`|~\w-]+)(; filename\*=UTF-8''[!#$&+.^_`|~\w%-]+)?$/)
        expect(nameIn(disposition), disposition).to.equal(attachment.filename)
        expect(attachment.filename).to.match(/^[^/\\\p{Cc}\u202a-\u202e\u2066-\u2069]+$/u).and.not.match(/^\.{1,2}$/)
      }
    })

    it('is not sent with a content type that a browser would execute', async () => {
      const { id, address } = await app.newAddress()
      const types = ['text/html; charset=utf-7', 'application/x-\u00fc', 'x', 'a/b\u0001', 'text/plain, text/html', 'image/svg+xml', 'application/json']
      const parts = types.map((type) => `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename=x\r\n\r\n{}\r\n`)
      await deliver([address], Buffer.from(`MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join('')}--b--\r\n`))
      const { id: emailId, attachments } = await app.onlyEmail(id)
      expect(attachments).to.have.length(types.length)
      for (const attachment of attachments) {
        const { headers, text } = await download(`${emailId}/attachments/${attachment.id}`)
        expect(text).to.equal('{}')
        expect(headers['content-type']).to.equal(attachment.contentType).and.match(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/)
        expect(headers).to.include({ 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" })
      }
    })

    it('is answered 404 with the id of another email', async () => {
      const { address } = await app.newAddress()
      for (const filename of ['a', 'b']) await app.send({ to: address, attachments: [{ filename, content: filename }] })
      await app.settled()
      const [one, two] = await Promise.all((await app.listEmails()).map(async ({ id }) => (await app.api('GET', `/emails/${id}`)).body.data))
      const answer = await download(`${one.id}/attachments/${two.attachments[0].id}`)
      expect(answer.status).to.equal(404)
      expect(answer.json).to.deep.equal({ error: 'There is no attachment with this id on an email with this id.', code: 'NOT_FOUND' })
      expect((await download(`${one.id}/attachments/${one.id}`)).status).to.equal(404)
    })
  })

  describe('the source', () => {
    it('has every sent byte', async () => {
      const { id, address } = await app.newAddress()
      const every = Buffer.from(Array.from({ length: 256 }, (_, i) => i).filter((byte) => byte !== 10 && byte !== 13))
      const source = Buffer.concat([
        Buffer.from(`Subject: bytes\r\nX-Long: ${'l'.repeat(5000)}\r\n\r\n.\r\n..\r\n.dot\r\n`), every, Buffer.from('\r\n\r\n'), randomBytes(60).map((byte) => byte | 0x40),
        Buffer.from('\r\nlast\r\n'),
      ])
      await deliver([address], source)
      const { id: emailId, size } = await app.onlyEmail(id)
      const { status, headers, bytes } = await download(`${emailId}/raw`)
      expect(status).to.equal(200)
      expect(bytes.toString('latin1')).to.equal(source.toString('latin1'))
      expect(size).to.equal(source.length)
      expect(headers).to.include({
        'content-type': 'message/rfc822',
        'content-length': String(source.length),
        'content-disposition': `attachment; filename=${emailId}.eml`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      })
    })

    it('has the type application/octet-stream for a client that accepts nothing else', async () => {
      const { id, address } = await app.newAddress()
      await deliver([address], Buffer.from('Subject: bytes\r\n\r\nbytes\r\n'))
      const { id: emailId } = await app.onlyEmail(id)
      const typeFor = async (accept: string) => (await rawRequest(app.url, {
        path: `/api/v1/emails/${emailId}/raw`, headers: { authorization: `Bearer ${app.key}`, accept },
      })).headers['content-type']
      for (const accept of ['*/*', 'message/rfc822', 'message/rfc822, application/octet-stream', 'text/html', '']) {
        expect(await typeFor(accept), accept).to.equal('message/rfc822')
      }
      for (const accept of ['application/octet-stream', 'application/octet-stream, application/json;q=0.9']) {
        expect(await typeFor(accept), accept).to.equal('application/octet-stream')
      }
    })

    for (const size of [256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 512 * 1024, 3_000_000]) {
      it(`has every byte of a mail of ${size} bytes`, async () => {
        const { id, address } = await app.newAddress()
        const head = 'Subject: large\r\n\r\n'
        const line = `${'0123456789'.repeat(7)}\r\n`
        const text = line.repeat(Math.ceil(size / line.length)).slice(0, size - head.length - 2)
        const source = Buffer.from(`${head}${text.replace(/[\r\n]+$/, (end) => 'x'.repeat(end.length))}\r\n`)
        await deliver([address], source)
        const email = await app.onlyEmail(id)
        expect(email.size).to.equal(source.length).and.equal(size)
        expect((await download(`${email.id}/raw`)).bytes.equals(source)).to.equal(true)
      })
    }

    it('and an attachment of 2 MB are complete', async () => {
      const { id, address } = await app.newAddress()
      const content = randomBytes(2_000_000)
      const base64 = content.toString('base64').replaceAll(/.{1,76}/g, '$&\r\n')
      const source = Buffer.from([
        'Subject: large', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 't'.repeat(900), '--b',
        'Content-Type: application/zip', 'Content-Disposition: attachment; filename=a.zip', 'Content-Transfer-Encoding: base64', '', `${base64}--b--`, '',
      ].join('\r\n'))
      await deliver([address], source)
      const email = await app.onlyEmail(id)
      expect(email.size).to.equal(source.length)
      expect(email.attachments[0]).to.include({ filename: 'a.zip', contentType: 'application/zip', size: 2_000_000 })
      expect((await download(`${email.id}/raw`)).bytes.equals(source)).to.equal(true)
      expect((await download(`${email.id}/attachments/${email.attachments[0]!.id}`)).bytes.equals(content)).to.equal(true)
    })

    for (const encoding of ['base64', 'quoted-printable', '8bit'] as const) {
      it(`has an attachment and an HTML body across the borders of chunks, in ${encoding}`, async () => {
        const { id, address } = await app.newAddress()
        const lines = Array.from({ length: 4_000 }, (_, i) => `<p>Gr\u00fc\u00dfe an Zeile ${i} = ${'x'.repeat(i % 50)}</p>`)
        const encode = (text: string) => {
          if (encoding === 'base64') return Buffer.from(text).toString('base64').replaceAll(/.{1,76}/g, '$&\r\n')
          return encoding === '8bit' ? text : text.replaceAll('=', '=3D').replaceAll('\u00fc', '=C3=BC').replaceAll('\u00df', '=C3=9F')
        }
        const [html, file] = [lines.join('\r\n').slice(0, 150_000), lines.join('\r\n').repeat(3)]
        const part = (type: string, text: string) => ['--b', `Content-Type: ${type}`, `Content-Transfer-Encoding: ${encoding}`, '', encode(text)]
        const source = Buffer.from([
          'Subject: borders', 'Content-Type: multipart/mixed; boundary=b', '',
          '--b', '', 'text '.repeat(36_000), ...part('text/html; charset=utf-8', html), ...part('text/csv; name=a.csv', file), '--b--', '',
        ].join('\r\n'))
        expect(source.length).to.be.greaterThan(3 * 256 * 1024)
        await deliver([address], source)
        const email = await app.onlyEmail(id)
        expect(email.bodyHtml.replace(/\n$/, '')).to.equal(html.replaceAll('\r\n', '\n'))
        expect((await download(`${email.id}/attachments/${email.attachments[0]!.id}`)).text.replace(/\r\n$/, '')).to.equal(file)
      })
    }

    it('closes the connection when it is deleted during the download, so that the client notices the missing part', async () => {
      const { id, address } = await app.newAddress()
      await app.send({ to: address, text: 'x', attachments: [{ filename: 'a.bin', content: Buffer.alloc(9_000_000) }] })
      const email = await app.onlyEmail(id)
      const answer = await new Promise<IncomingMessage>((resolve) => {
        const agent = false // a connection of its own: the buffers of one that was used for large answers may take all of this one
        get(`${app.url}/api/v1/emails/${email.id}/attachments/${email.attachments[0]!.id}`, { agent, headers: bearer(app.key) }, resolve)
      })
      expect(answer.headers['content-length']).to.equal('9000000')
      await app.api('DELETE', `/addresses/${id}`)
      await app.settled()
      const end = await Array.fromAsync(answer).then(() => 'whole', (error: Error & { code?: string }) => error.code)
      expect(end).to.equal('ECONNRESET')
      expect((await app.api('GET', '/addresses')).status).to.equal(200)
    })
  })

  describe('a mail to several recipients', () => {
    let rowsBefore: Awaited<ReturnType<typeof countMailRows>>
    beforeEach(async () => {
      await app.settled()
      rowsBefore = await countMailRows(app)
    })
    /** The number of rows that the test has added to each table of mail. */
    const addedRows = async () => {
      const rows = Object.entries(await countMailRows(app)) as [keyof typeof rowsBefore, number][]
      return Object.fromEntries(rows.map(([table, count]) => [table, count - rowsBefore[table]]))
    }
    const receivedAt = async (addresses: { id: string }[]) => (await emitted(app, 'email.received'))
      .map(({ data }) => (data as { addressId: string }).addressId).filter((id) => addresses.some((address) => address.id === id))

    it('is one email for each, with one stored source', async () => {
      const recipients = [await app.newAddress(), await app.newAddress(), await app.newAddress()]
      const source = Buffer.from(`Subject: for all\r\n\r\n${'x\r\n'.repeat(200_000)}`)
      await deliver(recipients.map(({ address }) => address), source)
      expect(await addedRows()).to.include({ emails: 3, messages: 1, message_chunks: 3 })
      const emails = await app.listEmails()
      expect(new Set(emails.map(({ id }) => id)).size).to.equal(3)
      for (const { id, address } of recipients) {
        const email = await app.onlyEmail(id)
        expect(email).to.include({ addressId: id, to: address, subject: 'for all' })
        expect((await download(`${email.id}/raw`)).bytes.equals(source)).to.equal(true)
      }
      expect(await receivedAt(recipients)).to.deep.equal(recipients.map(({ id }) => id))
    })

    it('has marks and a deletion for each', async () => {
      const recipients = [await app.newAddress(), await app.newAddress()]
      await deliver(recipients.map(({ address }) => address), Buffer.from('Subject: both\r\n\r\n'))
      const [one, two] = [await app.onlyEmail(recipients[0]!.id), await app.onlyEmail(recipients[1]!.id)]
      await app.api('PATCH', `/emails/${one.id}`, { body: { isRead: true } })
      await app.api('DELETE', `/emails/${one.id}`)
      expect((await app.listEmails()).map(({ id, isRead }) => ({ id, isRead }))).to.deep.equal([{ id: two.id, isRead: false }])
    })

    it('shows no recipient of another account', async () => {
      const theirKey = await app.newKey()
      const mine = await app.newAddress()
      const theirs = (await app.api('POST', '/addresses', { key: theirKey, body: {} })).body.data
      await deliver([mine.address, theirs.address], Buffer.from('To: undisclosed-recipients:;\r\nSubject: both\r\n\r\n'))
      for (const [key, own, other] of [[app.key, mine, theirs], [theirKey, theirs, mine]] as const) {
        const { data, total } = (await app.api('GET', '/emails', { key })).body
        expect([total, data.map(({ to }: EmailSummary) => to)]).to.deep.equal([1, [own.address]])
        const { text } = await download(data[0].id, key)
        expect(text).to.not.include(other.address).and.not.include(other.id)
      }
    })

    it('is one email for a repeated recipient', async () => {
      const { id, address } = await app.newAddress()
      await deliver([address.replace('@', '+one@'), address, address.toUpperCase(), address.replace('@', '+two@')], Buffer.from('Subject: once\r\n\r\n'))
      expect(await app.onlyEmail(id)).to.include({ to: address.replace('@', '+one@'), subject: 'once' })
    })

    it('is delivered to the others when one address is deleted before the end of DATA', async () => {
      const [gone, left] = [await app.newAddress(), await app.newAddress()]
      await using session = await openSession(app.smtp)
      await session.play([hello, ['MAIL FROM:<a@example.org>', 250], [`RCPT TO:<${gone.address}>`, 250], [`RCPT TO:<${left.address}>`, 250], ['DATA', 354]])
      await app.api('DELETE', `/addresses/${gone.id}`)
      await session.play([['Subject: late\r\n.', 250]])
      expect((await app.onlyEmail(left.id)).subject).to.equal('late')
      expect(await addedRows()).to.include({ emails: 1, messages: 1 })
      expect(await receivedAt([gone, left])).to.deep.equal([left.id])
    })

    it('leaves no rows when its address is deleted right after the 250', async () => {
      for (const text of ['short\r\n', 'long\r\n'.repeat(200_000)]) {
        const { id, address } = await app.newAddress()
        await playSession(app.smtp, [hello, ...delivery(address, text)])
        await app.api('DELETE', `/addresses/${id}`)
        await app.settled()
        expect(await addedRows()).to.deep.equal({ messages: 0, message_chunks: 0, attachments: 0, emails: 0, addresses: 0 })
        expect((await app.api('GET', '/emails')).body).to.include({ total: 0 })
      }
    })

    it('leaves no rows when all its addresses are deleted before the end of DATA, short or long', async () => {
      for (const text of ['short', 'long\r\n'.repeat(100_000)]) {
        const { id, address } = await app.newAddress()
        await using session = await openSession(app.smtp)
        await session.play([hello, ...delivery(address).slice(0, 3)])
        await app.api('DELETE', `/addresses/${id}`)
        await session.play([[`${text}\r\n.`, 250]])
        await app.settled()
        expect(await addedRows()).to.deep.equal({ messages: 0, message_chunks: 0, attachments: 0, emails: 0, addresses: 0 })
      }
    })
  })
})

/** The file name in the header, by RFC 6266. */
function nameIn(disposition: string): Attachment['filename'] {
  const [, extended] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? []
  if (extended) return decodeURIComponent(extended)
  return /filename="?((?:[^"\\]|\\.)*)"?$/.exec(disposition)![1]!.replaceAll(/\\(.)/g, '$1')
}
