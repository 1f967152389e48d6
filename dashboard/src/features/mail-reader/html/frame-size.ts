import { brokenLines } from './frame-document.ts'

/** Higher mails scroll within the frame. */
export const maxHeightPx = 20_000

/** Width of a scrollbar, at most. */
const scrollbarPx = 17

/**
 * Maximum measurements at one width, and their time in all: images may arrive one by one, and a mail may change again and again. Then it
 * scrolls within the frame.
 */
const maxMeasurements = 200
const maxMeasuringMs = 2_000

/** Wider mails have long words or lines. These are broken then, also where that makes columns narrower (`frame-document.ts`). */
const maxUsualWidthPx = 800

/** A mail that is still wider at this scale can be scrolled. */
const minScale = 0.2

/** Each scale lays the mail out again. Rounded widths need a second round; a mail that is wider at any scale can be scrolled. */
const maxRounds = 4

interface Sized {
  frame: HTMLIFrameElement
  /** Around the frame; keeps its height while that is measured and while the next document loads, so that the page stays. */
  holder: HTMLElement
  shown: Document
  /** Called with whether the mail is wider than the frame. */
  onMeasure: (isWider: boolean) => void
}

export interface FrameSize {
  /** Shows the mail in its own size, or else not wider than the frame. */
  setFullSize: (isFullSize: boolean) => void
  stop: () => void
}

/**
 * Keeps a frame as high as its document, and scales the document down to the width of the frame. It is measured while it is low, so that a
 * document which fills its window has its own height. A scrollbar that a mail once needed stays while the width does: without it the mail
 * may be low again, so that each measurement would lead to another one.
 */
export function followSize({ frame, holder, shown, onMeasure }: Sized): FrameSize {
  const root = shown.documentElement
  let isFullSize = false
  let isScrolled = false
  let measurements = 0
  let measuringMs = 0
  let measuredWidth = 0
  let request = 0
  const setOverflow = (overflow: string) => root.style.setProperty('overflow', overflow, 'important')
  const measureHeight = () => {
    setOverflow(isScrolled ? 'auto scroll' : 'auto hidden')
    const isWider = fitWidth(shown, isFullSize)
    return { isWider, height: root.scrollHeight + (root.scrollWidth > root.clientWidth ? scrollbarPx : 0) }
  }
  const measure = () => {
    request = 0
    const width = frame.clientWidth
    if (Math.abs(width - measuredWidth) > scrollbarPx) {
      measurements = measuringMs = 0
      isScrolled = false
    }
    measuredWidth = width
    if (measurements >= maxMeasurements || measuringMs > maxMeasuringMs) return
    const start = performance.now()
    holder.style.minHeight = `${holder.offsetHeight}px`
    frame.style.height = '0'
    let measured = measureHeight()
    if (!isScrolled && measured.height > maxHeightPx) {
      isScrolled = true
      measured = measureHeight()
    }
    frame.style.height = holder.style.minHeight = `${Math.min(measured.height, maxHeightPx)}px`
    onMeasure(measured.isWider)
    measurements++
    measuringMs += performance.now() - start
    if (measurements >= maxMeasurements || measuringMs > maxMeasuringMs) setOverflow('auto')
  }
  root.style.setProperty('height', 'auto', 'important')
  root.style.setProperty('min-height', '0', 'important')
  shown.body?.style.setProperty('overflow', 'visible', 'important')
  const observer = new ResizeObserver(() => { request ||= requestAnimationFrame(measure) })
  observer.observe(root)
  if (shown.body) observer.observe(shown.body)
  return {
    setFullSize(isFull) {
      isFullSize = isFull
      measuredWidth = 0 // it is measured as at a new width
      measure()
    },
    stop() {
      observer.disconnect()
      cancelAnimationFrame(request)
    },
  }
}

/** Scales a document down until it is not wider than its window. @returns whether it would be wider in its own size */
function fitWidth({ documentElement: root }: Document, isFullSize: boolean): boolean {
  const isWider = () => root.scrollWidth > root.clientWidth
  root.style.zoom = ''
  root.removeAttribute(brokenLines)
  if (!isWider()) return false
  if (isFullSize) return true
  root.toggleAttribute(brokenLines, root.scrollWidth > maxUsualWidthPx)
  for (let round = 0, scale = 1; round < maxRounds && isWider() && scale > minScale; round++) {
    scale = Math.max(minScale, scale * Math.min(root.clientWidth / root.scrollWidth, 0.999))
    root.style.zoom = `${scale}`
  }
  return true
}
