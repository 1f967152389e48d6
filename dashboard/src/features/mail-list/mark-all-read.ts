import { mayfly } from '../../api/session.ts'
import { showDone, showError } from '../../ui/notify.tsx'
import { markMails } from './mark-mails.ts'
import { mailListTexts as texts } from './texts.ts'

/** Marks all mails of an address, or of all, as read: also those that are not loaded. */
export async function markAllRead(addressId: string | undefined) {
  try {
    const unread = (await Array.fromAsync(mayfly.emails.list({ addressId, q: 'is:unread', limit: 100 }))).map(({ id }) => id)
    await markMails(unread, { isRead: true })
    showDone(texts.markedRead(unread.length))
  } catch (error) {
    showError(error)
  }
}
