import { keys } from '../../api/keys.ts'
import { changeRows } from '../../api/live-rows.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'
import { showDone, showError } from '../../ui/notify.tsx'
import { mailListTexts as texts } from './texts.ts'
import type { MailRowData } from './use-mails.ts'

/** Marks all mails of an address, or of all, as read: also those that are not loaded. */
export async function markAllRead(addressId: string | undefined) {
  let count = 0
  try {
    for (let hasMore = true; hasMore;) {
      const answer = await mayfly.emails.changeAll({ action: 'markRead', addressId })
      count += answer.changed
      hasMore = answer.hasMore
    }
    changeRows<MailRowData>('emails', (rows) => rows.map((row) =>
      !row.isRead && (addressId === undefined || row.addressId === addressId) ? { ...row, isRead: true } : row))
    showDone(texts.markedRead(count))
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: keys.emails('list') }) // some are marked
    showError(error)
  }
  for (const queryKey of [keys.addresses(), keys.emails('unread')]) void queryClient.invalidateQueries({ queryKey })
}
