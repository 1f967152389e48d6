import { useMemo, useState } from 'react'
import { styleNonce } from '../../csp.ts'
import { sanitiseMail } from './html/sanitise.ts'
import type { SanitisedMail } from './html/sanitise.ts'

/** The HTML of a mail as it is shown, and what its reader may decide about it. */
export interface ShownHtml {
  /** Undefined without HTML, or when it is too costly. */
  mail: SanitisedMail | undefined
  /** Whether images of other hosts are loaded. */
  isRemoteAllowed: boolean
  onAllowRemote: () => void
  /** Called before HTML is painted that would stop the page for seconds. */
  onTooMuch: () => void
}

export function useShownHtml(bodyHtml: string): ShownHtml {
  const [isRemoteAllowed, setRemoteAllowed] = useState(false)
  const [isTooMuch, setTooMuch] = useState(false)
  const mail = useMemo(() => bodyHtml && !isTooMuch
    ? sanitiseMail(bodyHtml, { isRemoteAllowed, ownHost: location.hostname, nonce: styleNonce })
    : undefined, [bodyHtml, isRemoteAllowed, isTooMuch])
  return { mail, isRemoteAllowed, onAllowRemote: () => setRemoteAllowed(true), onTooMuch: () => setTooMuch(true) }
}
