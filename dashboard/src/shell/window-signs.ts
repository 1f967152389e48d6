import { useEffect } from 'react'
import unreadIcon from '../icon-unread.svg'
import { setUnread } from '../ui/window-title.ts'
import { useUnread } from './unread.ts'

/** Shows the number of unread mails in the title of the window, and a dot in its icon. */
export function useWindowSigns() {
  const unread = useUnread()
  const hasUnread = unread > 0
  useEffect(() => setUnread(unread), [unread])
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!link || !hasUnread) return
    const { href } = link
    link.href = unreadIcon
    return () => { link.href = href }
  }, [hasUnread])
  useEffect(() => () => setUnread(0), [])
}
