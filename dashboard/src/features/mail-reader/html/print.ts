import type { Email } from '@mayfly-mail/sdk'
import { styleNonce } from '../../../csp.ts'
import { openAttachment } from '../attachment-file.ts'
import { fillImages } from './fill-images.ts'
import { frameDocument, loadDocument } from './frame-document.ts'
import type { SanitisedMail } from './sanitise.ts'

interface Printed {
  email: Email
  mail: SanitisedMail
  isRemoteAllowed: boolean
  /** Lines above the mail, such as its subject and its sender, each in pieces that do not change the direction of one another. */
  lines: string[][]
}

/** Prints a mail alone, from a frame that is not shown. Its sandbox allows the dialog for printing, and no scripts. */
export function printMail({ email, mail, isRemoteAllowed, lines }: Printed) {
  const frame = document.createElement('iframe')
  const abort = new AbortController()
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals')
  frame.setAttribute('aria-hidden', 'true')
  frame.style.cssText = 'position: fixed; inset: 100% auto auto 100%; visibility: hidden'
  const close = loadDocument(frame, frameDocument(mail, { isRemoteAllowed, nonce: styleNonce, heading: headingOf(lines) }))
  frame.addEventListener('load', () => void print(), { once: true })
  document.body.append(frame)

  async function print() {
    const shown = frame.contentDocument!
    shown.documentElement.style.removeProperty('display')
    await fillImages(shown, mail.images, email, openAttachment, abort.signal)
    await Promise.allSettled(Array.from(shown.images, (image) => image.decode()))
    frame.contentWindow!.print() // returns when the dialog is closed
    abort.abort()
    close()
    frame.remove()
  }
}

function headingOf(lines: string[][]): string {
  const heading = document.createElement('pre')
  for (const pieces of lines) {
    heading.append(...pieces.filter(Boolean).flatMap((piece) => [isolated(piece), ' ']), '\n')
  }
  return `${heading.outerHTML}<hr>`
}

function isolated(text: string): HTMLElement {
  const element = document.createElement('bdi')
  element.textContent = text
  return element
}
