import { useEffect, useState } from 'react'

/**
 * Gives the focus back to the element that had it when the component was first rendered, or to the heading of the page where that element
 * is gone, such as the button of a removed row. For dialogs that are rendered while they are open.
 */
export function useReturnFocus() {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => {
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) return before.focus({ preventScroll: true })
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [before])
}
