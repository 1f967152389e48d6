import { useEffect, useRef } from 'react'
import { useKeys } from '../keyboard/use-keys.ts'
import { copyCodeOf, copyLinkOf, openLinkOf } from './copy-code.ts'
import { deleteMails, restoreMails, undoLastDeletion } from './delete-mails.ts'
import { markMails } from './mark-mails.ts'
import type { MailRowData } from './use-mails.ts'

interface MailKeys {
  rows: MailRowData[]
  selected: ReadonlySet<string>
  currentId: string | undefined
  openId: string | undefined
  canDelete: boolean
  setCurrent(id: string | undefined): void
  open(email: MailRowData): void
  close(): void
  toggleSelected(id: string): void
  clearSelection(): void
  focusSearch(): void
}

/** Changes mails by key or button: the selected ones, else the current one. */
export function useMailKeys(list: MailKeys) {
  const { rows, selected, openId, setCurrent } = list
  const currentId = list.currentId ?? openId
  const wantsFocus = useRef(false)
  const index = rows.findIndex(({ id }) => id === currentId)
  const targets = () => selected.size > 0 ? rows.filter(({ id }) => selected.has(id)) : index >= 0 ? [rows[index]!] : []

  // the row of the current mail gets the focus after it was drawn
  useEffect(() => {
    if (!wantsFocus.current || currentId === undefined) return
    wantsFocus.current = false
    const focus = () => document.querySelector<HTMLElement>(`[data-mail="${CSS.escape(currentId)}"]`)?.focus({ preventScroll: true })
    focus()
    const frame = requestAnimationFrame(focus)
    return () => cancelAnimationFrame(frame)
  }, [currentId, openId])

  function setCurrentAndFocus(id: string | undefined) {
    wantsFocus.current = true
    setCurrent(id)
  }

  function move(step: 1 | -1) {
    const next = rows[index < 0 ? 0 : index + step]
    if (!next) return
    setCurrentAndFocus(next.id)
    if (openId !== undefined) list.open(next)
  }

  /** Without a current mail, the newest one. */
  function withCurrent(run: (id: string) => Promise<void>) {
    const id = currentId ?? rows[0]?.id
    if (id !== undefined) void run(id)
  }

  const actions = {
    toggleStar() {
      const mails = targets()
      const isStarred = !mails.every((mail) => mail.isStarred)
      void markMails(mails.map(({ id }) => id), { isStarred })
    },
    setRead(isRead: boolean) {
      void markMails(targets().filter((mail) => mail.isRead !== isRead).map(({ id }) => id), { isRead })
    },
    restore() {
      void restoreMails(targets().map(({ id }) => id))
      list.clearSelection()
    },
    delete() {
      if (!list.canDelete) return
      const ids = new Set(targets().map(({ id }) => id))
      const isKept = ({ id }: MailRowData) => !ids.has(id)
      const next = rows.slice(index + 1).find(isKept) ?? rows.slice(0, Math.max(index, 0)).findLast(isKept)
      deleteMails([...ids])
      list.clearSelection()
      if (currentId !== undefined && ids.has(currentId)) setCurrentAndFocus(next?.id)
      if (openId !== undefined && ids.has(openId)) list.close()
    },
  }
  useKeys({
    next: () => move(1),
    previous: () => move(-1),
    open: () => { if (index >= 0) list.open(rows[index]!) },
    back() {
      if (openId !== undefined) {
        setCurrentAndFocus(openId)
        list.close()
      } else list.clearSelection()
    },
    select: () => { if (index >= 0) list.toggleSelected(rows[index]!.id) },
    star: actions.toggleStar,
    read: () => actions.setRead(true),
    unread: () => actions.setRead(false),
    delete: actions.delete,
    undo: undoLastDeletion,
    copyCode: () => withCurrent(copyCodeOf),
    openLink: () => withCurrent(openLinkOf),
    copyLink: () => withCurrent(copyLinkOf),
    search: list.focusSearch,
  })
  return actions
}
