import type { EmailSummary } from '@mayfly-mail/sdk'
import { useMemo } from 'react'
import { keys } from '../../api/keys.ts'
import { useLiveRows } from '../../api/live-rows.ts'
import { mayfly } from '../../api/session.ts'
import type { Show } from './mail-search.ts'
import { applyChanges, usePendingChanges } from './pending-changes.ts'

/** A mail in the list, without the beginnings of its bodies: 10,000 stay in memory. */
export type MailRowData = Omit<EmailSummary, 'bodyText' | 'bodyHtml' | 'isTruncated'>

export interface MailFilter {
  /** Undefined for all addresses. */
  addressId: string | undefined
  search: string
  show: Show
}

const pageSize = 50

/** The mails that match, newest first. The API has no filter for unread and starred mails: these are taken from the loaded ones. */
export function useMails({ addressId, search, show }: MailFilter, openId: string | undefined) {
  const pending = usePendingChanges()
  const type = typeOf(show)
  const isDeleted = show === 'deleted'
  const list = useLiveRows<MailRowData>({
    queryKey: listKey({ addressId, search, show }),
    isReplaced: isDeleted, // a mail becomes a deleted one at any place of the list
    keepsPrevious: true,
    async fetchPage(before, signal) {
      const query = { addressId, type, limit: pageSize, before, ...search && { q: search }, ...isDeleted && { isDeleted } }
      const { data, hasMore, total } = await mayfly.emails.list(query, { signal })
      return { rows: data.map(toRow), hasMore, total }
    },
  })
  const rows = useMemo(() => {
    const changed = applyChanges(list.rows, pending)
    const isShown = show === 'unread' ? isUnread : show === 'starred' ? isStarred : undefined
    return isShown ? changed.filter((row) => isShown(row) || row.id === openId) : changed
  }, [list.rows, pending, show, openId])
  return { ...list, rows, loaded: list.rows.length, pageSize }
}

const typeOf = (show: Show) => show === 'received' || show === 'sent' ? show : undefined

/** In the query cache. */
export const listKey = ({ addressId, search, show }: MailFilter) =>
  keys.emails('list', { addressId, search, type: typeOf(show), isDeleted: show === 'deleted' })

const isUnread = ({ isRead }: MailRowData) => !isRead
const isStarred = ({ isStarred }: MailRowData) => isStarred

function toRow(email: EmailSummary): MailRowData {
  const row: Partial<EmailSummary> = { ...email }
  for (const name of ['bodyText', 'bodyHtml', 'isTruncated'] as const) delete row[name]
  return row as MailRowData
}
