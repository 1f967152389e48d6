import type { Email } from '@mayfly-mail/sdk'
import { use, useEffect, useEffectEvent, useRef } from 'react'
import { styleNonce } from '../../../csp.ts'
import { AttachmentSource } from '../attachment-file.ts'
import { readerTexts as texts } from '../texts.ts'
import { isSlowToLayOut } from './layout-cost.ts'
import { fillImages } from './fill-images.ts'
import { frameDocument, frameSandbox, hasDarkStyles, loadDocument } from './frame-document.ts'
import { forwardKeys } from './frame-keys.ts'
import { followSize } from './frame-size.ts'
import type { FrameSize } from './frame-size.ts'
import classes from './frame.module.css'
import { isSlowToPaint } from './paint-cost.ts'
import type { SanitisedMail } from './sanitise.ts'

interface FrameProps {
  email: Pick<Email, 'id' | 'attachments'>
  mail: SanitisedMail
  isRemoteAllowed: boolean
  isFullSize: boolean
  /** Whether the mail is shown as in a client of dark colours. */
  isDark: boolean
  /** Called with whether the mail is wider than the frame. */
  onMeasure: (isWider: boolean) => void
  /** Called before a mail is painted that would stop the page for seconds. */
  onTooMuch: () => void
}

/**
 * The HTML of a mail, in a frame of its height and scaled to its width. Each document has a frame of its own, so that none is in the
 * browser's history.
 */
export function MailFrame({ email, mail, isRemoteAllowed, isFullSize, isDark, onMeasure, onTooMuch }: FrameProps) {
  const holder = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const size = useRef<FrameSize>(undefined)
  const openAttachment = use(AttachmentSource)
  const scheme = !isDark ? 'light' : hasDarkStyles(mail) ? 'dark' : 'inverted'
  const source = frameDocument(mail, { isRemoteAllowed, scheme, nonce: styleNonce })
  const measured = useEffectEvent(onMeasure)
  const refuse = useEffectEvent(onTooMuch)
  const setFullSize = useEffectEvent(() => size.current?.setFullSize(isFullSize))

  useEffect(() => {
    const element = frame.current!
    const abort = new AbortController()
    const open = () => {
      const shown = element.contentDocument!
      if (isSlowToLayOut(shown)) return refuse()
      shown.documentElement.style.removeProperty('display')
      const showMeasured = (isWider: boolean) => {
        if (isSlowToPaint(shown)) return refuse()
        element.style.visibility = 'visible'
        measured(isWider)
      }
      size.current = followSize({ frame: element, holder: holder.current!, shown, onMeasure: showMeasured })
      setFullSize()
      forwardKeys(element, shown, abort.signal)
      void fillImages(shown, mail.images, email, openAttachment, abort.signal)
    }
    element.addEventListener('load', open, { once: true, signal: abort.signal })
    const close = loadDocument(element, source)
    return () => {
      abort.abort()
      size.current?.stop()
      size.current = undefined
      close()
    }
  }, [source, email, mail, openAttachment])
  useEffect(() => setFullSize(), [isFullSize])

  return (
    <div ref={holder} className={classes['holder']} data-scheme={scheme}>
      <iframe key={`${isRemoteAllowed} ${scheme}`} ref={frame} title={texts.frame} sandbox={frameSandbox} className={classes['frame']} />
    </div>
  )
}
