import { Button, Center, Loader, Text } from '@mantine/core'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { showDone } from '../../ui/notify.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { copyCode, openLinkOf } from './copy-code.ts'
import { deleteMails, restoreMails } from './delete-mails.ts'
import { EmptyList } from './empty-list.tsx'
import { MailRows } from './mail-rows.tsx'
import { readMailSearch } from './mail-search.ts'
import { markAllRead } from './mark-all-read.ts'
import { markMails } from './mark-mails.ts'
import classes from './mail-list.module.css'
import { saveSearch } from './saved-searches.ts'
import { mailListTexts as texts } from './texts.ts'
import { Toolbar } from './toolbar.tsx'
import { useMailKeys } from './use-mail-keys.ts'
import { useMailSearch } from './use-mail-search.ts'
import { useMails } from './use-mails.ts'
import type { MailRowData } from './use-mails.ts'
import { useOlderMails } from './use-older-mails.ts'
import { useSelection } from './use-selection.ts'

interface MailListProps {
  /** Undefined for all addresses. */
  addressId: string | undefined
  /** The mail in the reader. */
  openId: string | undefined
  onOpen(email: MailRowData): void
  onClose(): void
  hrefOf(email: MailRowData): string
  /** In place of the list while the mailbox is empty. */
  emptyMailbox: ReactNode
}

/** The mails of an address or of all, with search, filters, selection and keys. */
export function MailList({ addressId, openId, onOpen, onClose, hrefOf, emptyMailbox }: MailListProps) {
  const search = useMailSearch()
  const { words, show } = search
  const [currentId, setCurrent] = useState<string>()
  const [shownIndex, setShownIndex] = useState(0)
  const searchBox = useRef<HTMLInputElement>(null)
  const list = useMails({ addressId, search: words, show }, openId)
  const { rows, loaded, recordShown } = list
  const { isStopped, goOn } = useOlderMails(list, shownIndex)
  const selection = useSelection(rows)
  const actions = useMailKeys({
    rows, selected: selection.selected, currentId, openId, canDelete: show !== 'deleted', setCurrent, open: onOpen, close: onClose,
    toggleSelected: selection.toggle, clearSelection: selection.clear, focusSearch: () => searchBox.current?.focus(),
  })

  const isPageFilter = show === 'unread' || show === 'starred'
  const keepsAll = isPageFilter || selection.isAll
  useEffect(() => recordShown(keepsAll ? loaded : shownIndex), [keepsAll, loaded, shownIndex, recordShown])
  useEffect(() => {
    if (selection.isAll && list.canLoadOlder && !list.isLoadingOlder && !list.olderError) list.loadOlder()
  })
  const latestOpen = useRef(onOpen)
  useLayoutEffect(() => { latestOpen.current = onOpen }, [onOpen])
  const latestRows = useRef(rows)
  useLayoutEffect(() => { latestRows.current = rows }, [rows])
  const { toggle } = selection
  const handlers = useMemo(() => ({
    open(email: MailRowData) {
      setCurrent(email.id)
      latestOpen.current(email)
    },
    copyCode: (code: string) => void copyCode(code),
    openLink: (id: string) => void openLinkOf(id),
    restore: (id: string) => void restoreMails([id]),
    remove: (id: string) => deleteMails(latestRows.current.flatMap((row) => row.id === id && !row.isDeleted ? [id] : [])),
    toggleRead(id: string) {
      const row = latestRows.current.find((each) => each.id === id)
      if (row) void markMails([id], { isRead: !row.isRead })
    },
    toggleStar: ({ id, isStarred }: MailRowData) => void markMails([id], { isStarred: !isStarred }),
    toggleSelected(id: string, isRange: boolean) {
      setCurrent(id)
      toggle(id, isRange)
    },
  }), [toggle])

  const isAllSelected = rows.length > 0 && selection.selected.size === rows.length
  const save = () => {
    saveSearch(readMailSearch({ q: words, show }))
    showDone(texts.saved)
  }
  const isFiltered = words !== '' || show !== 'all'
  if (!isFiltered && search.text === '' && !list.isLoading && !list.error && loaded === 0 && !openId) return emptyMailbox
  return (
    <>
      <Toolbar
        searchBox={searchBox} search={search.text} onSearch={search.type} show={show} onShow={search.setShow}
        selectedCount={selection.selected.size} isAllSelected={isAllSelected}
        onSelectAll={selection.selectLoaded} onClear={selection.clear}
        onStar={actions.toggleStar} onRead={actions.setRead} onDelete={actions.delete} onRestore={actions.restore}
        onMarkAllRead={() => void markAllRead(addressId)} onSave={isFiltered ? save : undefined}
      />
      {isAllSelected && !selection.isAll && list.canLoadOlder && (
        <div className={classes['every']}>
          <Button variant="subtle" size="compact-sm" onClick={selection.selectAll}>{texts.selectEvery(list.total)}</Button>
        </div>
      )}
      {words !== '' && !list.isLoading && !list.isPlaceholder && rows.length > 0 && (
        <Text size="xs" px="sm" py={4} role="status" className={classes['found']}>{texts.count(list.total, true)}</Text>
      )}
      {list.isLoading
        ? <LoadingRows height={32} />
        : list.error && loaded === 0
          ? <ErrorState error={list.error} retry={list.retry} />
          : rows.length === 0 && !list.canLoadOlder
            ? <EmptyList isSearch={words !== ''} onReset={isFiltered ? search.reset : undefined} />
            : (
                <MailRows
                  rows={rows} hasMore={list.canLoadOlder} isPlaceholder={list.isPlaceholder} selected={selection.selected}
                  currentId={currentId ?? openId} openId={openId} showsAddress={!addressId} handlers={handlers} hrefOf={hrefOf}
                  onShown={setShownIndex}
                >
                  <ListEnd {...list} isStopped={isStopped} goOn={goOn} />
                </MailRows>
              )}
    </>
  )
}

/** Below the last row: that older mails are loading, have failed to, or are to be asked for. */
function ListEnd({ isLoadingOlder, olderError, loadOlder, isStopped, goOn }: {
  isLoadingOlder: boolean, olderError: unknown, loadOlder: () => void, isStopped: boolean, goOn: () => void
}) {
  if (olderError) return <ErrorState error={olderError} retry={loadOlder} />
  if (isStopped) return <Center p="md"><Button variant="default" size="sm" onClick={goOn}>{texts.searchOlder}</Button></Center>
  return isLoadingOlder && <Center p="sm" role="status"><Loader size="xs" mr="xs" aria-hidden /><Text size="xs">{texts.loadingOlder}</Text></Center>
}
