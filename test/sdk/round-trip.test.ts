import { connect } from 'node:net'
import { once } from 'node:events'
import { expect } from 'chai'
import { Mayfly } from '@mayfly-mail/sdk'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\r\n'), Buffer.from(Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 256))])
const html = '<h1>Grüße</h1><p>Ihr Code: <b>482913</b></p>'

/** The ways in which a mail may arrive; each returns the sent bytes. */
const clients: Record<string, (app: TestApp, to: string) => Promise<Buffer>> = {
  async nodemailer(app, to) {
    const raw = await compose(to)
    const transport = createTransport({ host: '127.0.0.1', port: app.smtp.port, ignoreTLS: true })
    await transport.sendMail({ envelope: { from: 'shop@example.org', to }, raw })
    transport.close()
    return raw
  },

  async 'raw SMTP, one byte a write'(app, to) {
    const raw = await compose(to)
    const stuffed = raw.toString('latin1').replaceAll(/^\./gm, '..')
    const session = `EHLO a.example\r\nMAIL FROM:<shop@example.org>\r\nRCPT TO:<${to}>\r\nDATA\r\n${stuffed}.\r\nQUIT\r\n`
    const socket = connect({ host: '127.0.0.1', port: app.smtp.port, noDelay: true })
    let replies = ''
    socket.on('data', (chunk) => { replies += chunk.toString('latin1') })
    await once(socket, 'data')
    for (const byte of Buffer.from(session, 'latin1')) socket.write(Buffer.of(byte))
    await once(socket, 'close')
    expect(replies).to.match(/354[^\r]*\r\n250[^\r]*\r\n221/)
    return raw
  },
}

function compose(to: string): Promise<Buffer> {
  return new MailComposer({
    from: '"Käse & Co" <shop@example.org>', to, subject: 'Grüße aus der Käserei ✓', text: 'Ihr Code: 482913\n', html,
    attachments: [{ filename: 'rechnung.pdf', content: pdf, contentType: 'application/pdf' }], newline: 'windows',
  }).compile().build()
}

describe('SDK: a multipart mail with a PDF', () => {
  for (const [name, send] of Object.entries(clients)) {
    it(`sent by ${name} is read unchanged through the SDK`, async () => {
      await using app = await openTestApp()
      const sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url })
      const { id: addressId, address } = await sdk.addresses.create()
      const raw = await send(app, address)
      const email = await sdk.emails.waitFor({ addressId })
      expect(email).to.include({ subject: 'Grüße aus der Käserei ✓', fromName: 'Käse & Co', to: address, bodyHtml: html })
      expect(email.bodyText.trim()).to.equal('Ihr Code: 482913')
      expect(email.codes).to.deep.equal(['482913'])
      const file = await sdk.emails.attachment(email.id, email.attachments[0]!.id)
      expect([file.name, file.type, file.size]).to.deep.equal(['rechnung.pdf', 'application/pdf', pdf.length])
      expect(pdf.equals(Buffer.from(await file.arrayBuffer()))).to.equal(true)
      expect(raw.equals(Buffer.from(await (await sdk.emails.raw(email.id)).arrayBuffer()))).to.equal(true)
    })
  }
})
