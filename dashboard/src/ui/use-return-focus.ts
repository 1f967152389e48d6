import { useEffect } from 'react'

/**
 * Gives the focus back to the element that had it before the component was shown, or to the heading of the page where that element is
 * gone, such as the button of a removed row. For dialogs that are rendered while they are open.
 */
export function useReturnFocus() {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement && before !== document.body && before.isConnected) return before.focus({ preventScroll: true })
      const heading = document.querySelector<HTMLElement>('main h1')
      if (!heading) return
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
  }, [])
}
