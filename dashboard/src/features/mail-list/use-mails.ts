import type { EmailSummary } from '@mayfly-mail/sdk'
import { useMemo, useState } from 'react'
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

/** The filters that the search of the API has. */
const operators: Partial<Record<Show, string>> = { unread: 'is:unread', starred: 'is:starred' }

/** The mails that match, newest first. The open one stays, also when it is read and the filter is for unread ones. */
export function useMails({ addressId, search, show }: MailFilter, openId: string | undefined) {
  const pending = usePendingChanges()
  const type = typeOf(show)
  const isDeleted = show === 'deleted'
  const q = [search, operators[show]].filter(Boolean).join(' ')
  const list = useLiveRows<MailRowData>({
    queryKey: listKey({ addressId, search, show }),
    isReplaced: isDeleted || show in operators, // a mail becomes a deleted one at any place of the list
    keepsPrevious: true,
    async fetchPage(before, signal) {
      const query = { addressId, type, limit: pageSize, before, ...q && { q }, ...isDeleted && { isDeleted } }
      const { data, hasMore, total } = await mayfly.emails.list(query, { signal })
      return { rows: data.map(toRow), hasMore, total }
    },
  })
  const found = list.rows.find(({ id }) => id === openId)
  const [kept, setKept] = useState(found)
  if (found && found !== kept) setKept(found)
  const rows = useMemo(() => {
    const isShown = show === 'unread' ? isUnread : show === 'starred' ? isStarred : undefined
    if (!isShown) return applyChanges(list.rows, pending)
    const others = list.rows.filter(({ id }) => id !== kept?.id)
    const all = kept?.id === openId && kept ? [...others, kept].sort((first, second) => first.id < second.id ? 1 : -1) : list.rows
    return applyChanges(all, pending).filter((row) => isShown(row) || row.id === openId)
  }, [list.rows, pending, show, openId, kept])
  return { ...list, rows, loaded: list.rows.length, pageSize }
}

const typeOf = (show: Show) => show === 'received' || show === 'sent' ? show : undefined

/** In the query cache. */
export const listKey = ({ addressId, search, show }: MailFilter) =>
  keys.emails('list', { addressId, search, show })

const isUnread = ({ isRead }: MailRowData) => !isRead
const isStarred = ({ isStarred }: MailRowData) => isStarred

function toRow(email: EmailSummary): MailRowData {
  const row: Partial<EmailSummary> = { ...email }
  for (const name of ['bodyText', 'bodyHtml', 'isTruncated'] as const) delete row[name]
  return row as MailRowData
}
