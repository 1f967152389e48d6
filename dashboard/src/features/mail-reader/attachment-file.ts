import { createContext } from 'react'
import { mayfly } from '../../api/session.ts'

/**
 * Loads an attachment into memory.
 * @param type the media type of the result; that which the sender declared is not used
 */
export async function openAttachment(emailId: string, attachmentId: string, type: string, signal?: AbortSignal): Promise<Blob> {
  const file = await mayfly.emails.attachment(emailId, attachmentId, signal && { signal })
  return new Blob([file], { type })
}

/** How the parts of a reader load attachments: with the session, or by the link of a shared inbox. */
export const AttachmentSource = createContext(openAttachment)

/** Has the browser save a file. */
export function saveFile(file: Blob, name: string) {
  const url = URL.createObjectURL(new Blob([file], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000) // the browser reads it after the click
}
