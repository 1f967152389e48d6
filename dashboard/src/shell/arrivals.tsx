import type { EmailReceivedEvent } from '@mayfly-mail/sdk'
import { useEffect, useState } from 'react'
import { texts } from '../texts.ts'
import hidden from '../ui/hidden.module.css'

const listeners = new Set<(mail: EmailReceivedEvent['data']) => void>()

/** Tells of a mail that has arrived. */
export function announceMail(mail: EmailReceivedEvent['data']) {
  for (const listener of listeners) listener(mail)
}

/** Says to screen readers which mail arrives, on every page. */
export function Arrivals() {
  const [text, setText] = useState('')
  useEffect(() => {
    const listen = ({ from, subject }: EmailReceivedEvent['data']) => setText(texts.notify.arrived(from, subject || texts.notify.noSubject))
    listeners.add(listen)
    return () => { listeners.delete(listen) }
  }, [])
  return <div className={hidden['hidden']} role="status" aria-live="polite" data-arrivals>{text}</div>
}
