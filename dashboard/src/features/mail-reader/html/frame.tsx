import type { Email } from '@mayfly-mail/sdk'
import { useEffect, useRef } from 'react'
import { styleNonce } from '../../../csp.ts'
import { readerTexts as texts } from '../texts.ts'
import { fillImages } from './fill-images.ts'
import { frameDocument, frameSandbox, loadDocument } from './frame-document.ts'
import { followHeight } from './frame-height.ts'
import { forwardKeys } from './frame-keys.ts'
import classes from './frame.module.css'
import type { SanitisedMail } from './sanitise.ts'

interface FrameProps {
  email: Pick<Email, 'id' | 'attachments'>
  mail: SanitisedMail
  isRemoteAllowed: boolean
}

/** The HTML of a mail, in a frame of its height. Each document has a frame of its own, so that none is in the browser's history. */
export function MailFrame({ email, mail, isRemoteAllowed }: FrameProps) {
  const holder = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const source = frameDocument(mail, { isRemoteAllowed, nonce: styleNonce })

  useEffect(() => {
    const element = frame.current!
    let stop: (() => void) | undefined
    const open = () => {
      stop = openDocument(element, holder.current!, email, mail)
    }
    element.addEventListener('load', open, { once: true })
    const close = loadDocument(element, source)
    return () => {
      element.removeEventListener('load', open)
      stop?.()
      close()
    }
  }, [source, email, mail])

  return (
    <div ref={holder} className={classes['holder']}>
      <iframe key={`${isRemoteAllowed}`} ref={frame} title={texts.frame} sandbox={frameSandbox} className={classes['frame']} />
    </div>
  )
}

/** @returns a function that ends all that goes on in the document */
function openDocument(frame: HTMLIFrameElement, holder: HTMLElement, email: FrameProps['email'], mail: SanitisedMail) {
  const shown = frame.contentDocument!
  const abort = new AbortController()
  const stopHeight = followHeight(frame, holder, shown)
  forwardKeys(frame, shown, abort.signal)
  void fillImages(shown, mail.images, email, abort.signal)
  return () => {
    abort.abort()
    stopHeight()
  }
}
