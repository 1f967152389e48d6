import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'

/**
 * Keeps the rows in view where they are when others arrive above them. At its top the list shows what arrives.
 * @param rowHeight pixels
 */
export function useAnchoredScroll(scroller: RefObject<HTMLElement | null>, rows: { id: string }[], rowHeight: number) {
  const anchor = useRef<{ id: string, index: number }>(undefined)
  const latest = useRef(rows)

  useLayoutEffect(() => {
    const element = scroller.current
    latest.current = rows
    if (!element || !anchor.current || element.scrollTop === 0) return
    const { id, index } = anchor.current
    const nowAt = rows.findIndex((row) => row.id === id)
    if (nowAt >= 0 && nowAt !== index) element.scrollBy({ top: (nowAt - index) * rowHeight, behavior: 'instant' })
    if (nowAt >= 0) anchor.current = { id, index: nowAt }
  }, [rows, rowHeight, scroller])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const record = () => {
      const index = Math.floor(element.scrollTop / rowHeight)
      const row = latest.current[index]
      anchor.current = row && { id: row.id, index }
    }
    element.addEventListener('scroll', record, { passive: true })
    return () => element.removeEventListener('scroll', record)
  }, [rowHeight, scroller])
}
