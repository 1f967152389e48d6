/**
 * Hands keys that are pressed in the frame of a mail to the page, so that its shortcuts work there too, and follows links within the mail.
 * The frame has no scripts; these are functions of the page.
 */
export function forwardKeys(frame: HTMLIFrameElement, shown: Document, signal: AbortSignal) {
  shown.addEventListener('keydown', (event) => {
    const { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat } = event
    const copy = new KeyboardEvent('keydown', { key, code, shiftKey, ctrlKey, altKey, metaKey, repeat, bubbles: true, cancelable: true })
    if (!frame.dispatchEvent(copy)) event.preventDefault()
  }, { signal })
  shown.addEventListener('click', (event) => {
    const fragment = (event.target as Element | null)?.closest?.('a[href^="#"]')?.getAttribute('href')
    if (!fragment) return
    event.preventDefault()
    shown.getElementById(fragment.slice(1))?.scrollIntoView()
  }, { signal })
}
