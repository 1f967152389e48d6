import { useNotifications } from '@mantine/notifications'
import { useState } from 'react'
import { lazyPart } from './lazy-part.tsx'

const Notifications = lazyPart(async () => (await import('./notices-list.tsx')).NoticesList)

/** The notices of `notify.tsx`. Their component is loaded at the first one, since it is large. */
export function Notices() {
  const [isNeeded, setNeeded] = useState(false)
  const { notifications } = useNotifications()
  if (!isNeeded && notifications.length > 0) setNeeded(true)
  return isNeeded && <Notifications />
}
