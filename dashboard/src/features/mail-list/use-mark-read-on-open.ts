import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMayChange } from '../../api/account.ts'
import { keys } from '../../api/keys.ts'
import { markMails } from './mark-mails.ts'

/** Marks the mail in the reader as read, once it is loaded. */
export function useMarkReadOnOpen(emailId: string | undefined) {
  const { data } = useQuery<{ isRead: boolean }>({ queryKey: keys.email(emailId ?? ''), enabled: false }) // the reader loads it
  const isLoaded = data !== undefined
  const mayChange = useMayChange()
  useEffect(() => {
    if (mayChange && emailId && isLoaded && !data.isRead) void markMails([emailId], { isRead: true })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- not again when the user marks it as unread
  }, [emailId, isLoaded])
}
