import type { AttachmentSend, EmailSend as EmailSendBody } from '../generated/types.gen.ts'

/** A file to send. */
export interface FileSend extends Omit<AttachmentSend, 'content'> {
  /** Its bytes; a string is sent as UTF-8. */
  content: Uint8Array | string
}

/** An email to send, or a reply to one. */
export type EmailSend =
  & Omit<EmailSendBody, 'attachments'>
  & ({ inReplyToId: string } | { fromAddressId: string, to: string, subject: string })
  & {
    /** Files, at most ten, and 10 MiB together. */
    attachments?: FileSend[]
  }

export const toBody = ({ attachments, ...email }: EmailSend): EmailSendBody => ({
  ...email,
  attachments: attachments?.map(({ content, ...file }) => ({ ...file, content: base64(content) })),
})

function base64(content: Uint8Array | string): string {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
