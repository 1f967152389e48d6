import { toCrlf } from '../../line-endings.ts'
import type { Mailbox } from '../../mailbox.ts'

export interface NewMail {
  messageId: string
  date: Date
  from: { address: string, name?: string }
  to: Pick<Mailbox, 'address'>
  /** Further recipients. */
  cc?: Pick<Mailbox, 'address'>[]
  subject: string
  text: string
  /** Empty for a mail of plain text only. */
  html: string
  headers?: Record<string, string>
  attachments?: NewFile[]
}

/** A file that a mail has. */
export interface NewFile {
  filename: string
  /** Undefined for that of the extension of its name. */
  contentType: string | undefined
  content: Uint8Array
}

/** A type of a file whose content readers would take for parts of the mail; it must not be in base64 (RFC 2045, section 6.4). */
export const isMailType = /^(?:multipart|message)\//i

/** Writes the source of a mail, with CRLF in its texts too. */
export async function composeMail(mail: NewMail): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js') // with the first mail that is written
  const { detectMimeType, encodeWord } = await import('nodemailer/lib/mime-funcs/index.js')
  const composer = new MailComposer({
    messageId: `<${mail.messageId}>`,
    date: mail.date,
    // as records, so that nodemailer does not parse them
    from: { name: mail.from.name ?? '', address: mail.from.address },
    to: { name: '', address: mail.to.address },
    ...mail.cc && { cc: mail.cc.map(({ address }) => ({ name: '', address })) },
    // nodemailer passes on text of the form of an encoded word, which readers would decode (RFC 2047, section 5)
    subject: mail.subject.includes('=?') ? encodeWord(mail.subject, 'Q', 52) : mail.subject,
    text: toCrlf(mail.text),
    ...(mail.html && { html: toCrlf(mail.html) }),
    headers: mail.headers,
    attachments: mail.attachments?.map(({ filename, contentType = detectMimeType(filename), content }) => ({
      filename,
      contentType: isMailType.test(contentType) ? 'application/octet-stream' : contentType,
      content: Buffer.from(content.buffer, content.byteOffset, content.length),
    })),
    newline: 'windows',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
