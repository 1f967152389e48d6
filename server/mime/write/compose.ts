import { toCrlf } from '../../line-endings.ts'
import type { Mailbox } from '../../mailbox.ts'

export interface NewMail {
  messageId: string
  date: Date
  from: { address: string, name?: string }
  to: Pick<Mailbox, 'address'>
  subject: string
  text: string
  /** Empty for a mail of plain text only. */
  html: string
  headers?: Record<string, string>
}

/** Writes the source of a mail, with CRLF in its texts too. */
export async function composeMail(mail: NewMail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js') // with the first mail that is written
  const { encodeWord } = await import('nodemailer/lib/mime-funcs/index.js')
  const composer = new MailComposer({
    messageId: `<${mail.messageId}>`,
    date: mail.date,
    // as records, so that nodemailer does not parse them
    from: { name: mail.from.name ?? '', address: mail.from.address },
    to: { name: '', address: mail.to.address },
    // nodemailer does not encode text in the form of an encoded word (RFC 2047, section 5): a reader of the mail would decode it
    subject: mail.subject.includes('=?') ? encodeWord(mail.subject, 'Q', 52) : mail.subject,
    text: toCrlf(mail.text),
    ...(mail.html && { html: toCrlf(mail.html) }),
    headers: mail.headers,
    newline: 'windows',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
