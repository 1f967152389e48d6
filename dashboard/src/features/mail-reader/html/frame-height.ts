/** Higher mails scroll within the frame. */
const maxHeight = 20_000

/** In px, at most. */
const scrollbarHeight = 17

/** A mail whose height depends on that of the frame cannot make it grow without end. */
const maxMeasurements = 200

/**
 * Keeps a frame as high as its document. It is measured while it is low, so that a document which fills its window has its own height.
 * @param holder the element around the frame, which keeps its height meanwhile and while the next document loads, so that the page stays
 * @returns a function that ends it
 */
export function followHeight(frame: HTMLIFrameElement, holder: HTMLElement, shown: Document): () => void {
  const root = shown.documentElement
  let measurements = 0
  let request = 0
  const measure = () => {
    request = 0
    if (++measurements > maxMeasurements) return observer.disconnect()
    holder.style.minHeight = `${holder.offsetHeight}px`
    frame.style.height = '0'
    const scrollbar = root.scrollWidth > root.clientWidth ? scrollbarHeight : 0
    const height = Math.min(Math.max(root.scrollHeight, shown.body?.scrollHeight ?? 0) + scrollbar, maxHeight)
    frame.style.height = `${height}px`
    holder.style.minHeight = `${height}px`
  }
  const observer = new ResizeObserver(() => { request ||= requestAnimationFrame(measure) })
  measure()
  observer.observe(root)
  if (shown.body) observer.observe(shown.body)
  return () => {
    observer.disconnect()
    cancelAnimationFrame(request)
  }
}
