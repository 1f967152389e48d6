import { expect } from 'chai'
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import MailComposer from 'nodemailer/lib/mail-composer'
import { readMessage } from '../../server/mime/read-message.ts'
import { contentOf, rawOf } from './read-corpus.ts'

/** The results that both parsers have to agree on. */
type Reading = Record<'subject' | 'from' | 'fromName' | 'text' | 'html', string> & { attachments: string[] }

// Without mails that this parser reads differently by design (guessed charsets, bounces, named and broken parts).
const AGREED = ['charset-utf-8', 'charset-latin-1', 'charset-windows-1251', 'charset-windows-1252',
  'charset-iso-2022-jp',
  'charset-gb18030', 'charset-koi8-r', 'charset-euc-kr', 'charset-utf-7', 'encoded-words', 'rfc2231-names', 'missing-end',
    'from-several',
  'from-missing', 'html-only']

describe('MIME: agreement with mailparser', () => {
  for (const name of AGREED) {
    it(`has the same result for ${name}`, async () => {
      const raw = rawOf(name)
      expect(ours(raw, name !== 'html-only')).to.deep.equal(await theirs(raw))
    })
  }

  it('has the same result for mails that nodemailer composes', async () => {
    await fc.assert(fc.asyncProperty(composed, async (mail) => {
      const raw = await new MailComposer(mail).compile().build()
      const read = ours(raw)
      expect(read).to.deep.equal(await theirs(raw))
      expect(read.text.trim()).to.equal(mail.text.trim())
      expect(read.attachments).to.deep.equal(mail.attachments.map(({ content }) =>
        content.toString('base64')))
    }), { numRuns: 150, seed: 20260102 })
  })
})

const words = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replace(/[\p{C}\p{Z}]+/gu,
  ' ').trim())
const lines = fc.array(words, { maxLength: 8 }).map((some) => some.join('\n'))

const composed = fc.record({
  from: fc.record({ name: fc.string({ maxLength: 20 }).map((name) => name.replace(/[^\w .,é]/g, '').trim()),
    address: fc.constant('jane.doe@example.org') }),
  subject: words.map((subject) => subject.replace(/=\?|\?=/g, '')),
  text: lines.map((text) => `Text\n${text}`),
  html: fc.option(lines.map((text) => `<p>${text}</p>`), { nil: undefined }),
  textEncoding: fc.constantFrom('base64' as const, 'quoted-printable' as const),
  attachments: fc.array(fc.record({
    filename: fc.constantFrom('a.bin', 'ä ö.dat', '日本語のとても長い名前のファイルですからここで折り返されます.dat', 'x;y="z".bin'),
    content: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    contentType: fc.constantFrom('application/x-own', 'image/png', 'text/csv'),
  }), { maxLength: 3 }),
})

function ours(raw: Buffer, withText = true): Reading {
  const { subject, from, fromName, bodyText, bodyHtml, attachments } = readMessage(raw)
  return { subject, from, fromName, text: withText ? bodyText : '', html: bodyHtml,
    attachments: attachments.map((attachment) => contentOf(raw, attachment).toString('base64')) }
}

async function theirs(raw: Buffer): Promise<Reading> {
  const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true,
    skipTextLinks: true })
  const sender = mail.from?.value[0]
  return { subject: mail.subject ?? '', from: sender?.address ?? '', fromName: sender?.name ?? '',
    text: mail.text ?? '',
    html: mail.html || '', attachments: mail.attachments.map(({ content }) => content.toString('base64')) }
}
