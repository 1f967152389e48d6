import type { AttachmentSend, EmailSend as EmailSendBody } from '../generated/types.gen.ts'
import { MayflyError } from '../core/errors.ts'

/** A file to send. */
export interface FileSend extends Omit<AttachmentSend, 'content'> {
  /** Its bytes; a string is sent as UTF-8. */
  content: Uint8Array | string
}

/** An email to send. */
export interface EmailNew extends Omit<EmailSendBody, 'attachments' | 'inReplyToId'> {
  fromAddressId: string
  to: string
  subject: string
  /** Files, at most ten, and 10 MiB together. */
  attachments?: FileSend[]
}

/** An answer to an email. */
export interface EmailReply extends Omit<EmailSendBody, 'attachments'> {
  inReplyToId: string
  /** Files, at most ten, and 10 MiB together. */
  attachments?: FileSend[]
}

export type EmailSend = EmailNew | EmailReply

export const toBody = (email: EmailSend): EmailSendBody => ({
  ...email, attachments: email.attachments?.map((file, i) => ({ ...file, content: base64(file.content, i) })),
})

function base64(content: Uint8Array | string, i: number): string {
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) throw new MayflyError(`emails.send: attachments.${i}.content must be a Uint8Array or a string`)
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
