import { toCrlf } from '../../line-endings.ts'

/** A report on a mail, for the sender of its envelope. */
export interface MailReport {
  messageId: string
  /** Milliseconds since 1970. */
  date: number
  from: string
  to: string
  subject: string
  text: string
  /** `delivery-status` (RFC 3464, section 2) or `feedback-report` (RFC 5965, section 2). */
  type: 'delivery-status' | 'feedback-report'
  /** The fields of the report, in blocks that an empty line separates. */
  fields: [name: string, value: string][][]
  /** The header of the mail, with CRLF line endings. */
  header: Uint8Array
}

/** Writes a multipart/report (RFC 6522, section 3): a text, the fields of the report, and the header of the mail. */
export function composeReport({ messageId, date, from, to, subject, text, type, fields, header }: MailReport): Buffer {
  const boundary = `report-${messageId.slice(0, messageId.indexOf('@'))}`
  const blocks = fields.map((block) => block.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}\r\n`).join(''))
  const start = [
    `From: Mail Delivery System <${from}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${mailDate(date)}`,
    `Message-ID: <${messageId}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    toCrlf(text),
    `--${boundary}`,
    `Content-Type: message/${type}`,
    '',
    blocks.join('\r\n'),
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    'Content-Transfer-Encoding: 8bit',
    '',
    '',
  ].join('\r\n')
  return Buffer.concat([Buffer.from(start), header, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/** The date of a header field (RFC 5322, section 3.3). @param time milliseconds since 1970 */
export const mailDate = (time: number): string => new Date(time).toUTCString().replace('GMT', '+0000')
