import { useVirtualizer } from '@tanstack/react-virtual'
import type { Virtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

interface VirtualRows {
  /** For the element that scrolls. */
  scroller: RefObject<HTMLDivElement | null>
  virtualizer: Virtualizer<HTMLDivElement, Element>
}

/**
 * The rows in view, of a list of any length.
 * @param rowHeight in pixels; all rows have it
 * @param onShown takes the index of the last row that is drawn, after each movement
 */
export function useVirtualRows(rows: { id: string }[], rowHeight: number, onShown: (index: number) => void): VirtualRows {
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called in each render, never kept
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]!.id,
    overscan: 8,
    useFlushSync: false,
  })
  const lastIndex = virtualizer.getVirtualItems().at(-1)?.index ?? 0
  useEffect(() => onShown(lastIndex), [lastIndex, rows.length, onShown])
  return { scroller, virtualizer }
}
