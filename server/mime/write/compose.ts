import MailComposer from 'nodemailer/lib/mail-composer/index.js'
import type { Mailbox } from '../../mailbox.ts'

export interface NewMail {
  messageId: string
  date: Date
  from: { address: string, name?: string }
  to: Pick<Mailbox, 'address'>
  subject: string
  text: string
  /** Empty for plain text alone. */
  html: string
  headers?: Record<string, string>
}

/** Writes the source of a mail; CR and LF of its texts become CRLF. */
export async function composeMail(mail: NewMail): Promise<Buffer> {
  const composer = new MailComposer({
    messageId: `<${mail.messageId}>`,
    date: mail.date,
    // given as records, so nothing in them is parsed
    from: { name: mail.from.name ?? '', address: mail.from.address },
    to: { name: '', address: mail.to.address },
    subject: mail.subject,
    text: withCrlf(mail.text),
    ...(mail.html && { html: withCrlf(mail.html) }),
    headers: mail.headers,
    newline: 'windows',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

/** SMTP sends no other line break (RFC 5321, section 2.3.8), and a signature must be over the bytes that are sent. */
export const withCrlf = (text: string) => text.replace(/\r\n?|\n/g, '\r\n')
