import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'

interface VirtualRows<Row> {
  /** For the element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  /** The rows to draw, each with its place in pixels. */
  drawn: { row: Row, index: number, top: number }[]
  /** Of all rows, in pixels. */
  height: number
  /** Scrolls as little as is needed to show a row. */
  scrollTo(index: number): void
}

/** Rows that are drawn before and behind those in view, for the next frames of scrolling. */
const overscan = 8

/**
 * The rows in view, of a list of any length.
 * @param rowHeight in pixels; all rows have it
 * @param onShown takes the index of the last row that is drawn, after each movement
 */
export function useVirtualRows<Row>(rows: Row[], rowHeight: number, onShown: (index: number) => void): VirtualRows<Row> {
  const scroller = useRef<HTMLDivElement>(null)
  const [{ first, end }, setRange] = useState({ first: 0, end: 0 })
  useLayoutEffect(() => {
    const element = scroller.current!
    const follow = () => {
      const { scrollTop, clientHeight } = element
      const first = Math.max(0, Math.floor(scrollTop / rowHeight) - overscan)
      const end = Math.ceil((scrollTop + clientHeight) / rowHeight) + overscan
      setRange((last) => last.first === first && last.end === end ? last : { first, end })
    }
    const resizes = new ResizeObserver(follow)
    resizes.observe(element)
    element.addEventListener('scroll', follow, { passive: true })
    follow()
    return () => {
      resizes.disconnect()
      element.removeEventListener('scroll', follow)
    }
  }, [rowHeight])
  const drawn = rows.slice(first, end).map((row, offset) => ({ row, index: first + offset, top: (first + offset) * rowHeight }))
  const lastIndex = drawn.at(-1)?.index ?? 0
  useEffect(() => onShown(lastIndex), [lastIndex, rows.length, onShown])
  return {
    scroller,
    drawn,
    height: rows.length * rowHeight,
    scrollTo(index) {
      const element = scroller.current
      if (!element) return
      const top = index * rowHeight
      element.scrollTop = Math.min(top, Math.max(element.scrollTop, top + rowHeight - element.clientHeight))
    },
  }
}
