import { useEffect, useState } from 'react'

/** Gives the focus back to the element that had it, when the component ends: for dialogs that are rendered while they are open. */
export function useReturnFocus() {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => {
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }, [before])
}
