import { useCallback, useLayoutEffect, useRef } from 'react'
import type { FocusEvent, KeyboardEvent } from 'react'

/** Keys that move by so many items. */
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }

/**
 * Roving tabindex: one control of a group is a tab stop, the last focused one, else that of the current page, else the first.
 * The arrow keys move the focus within the group.
 * @param selector of the controls
 */
export function useRovingFocus(selector: string) {
  const group = useRef<HTMLDivElement>(null)
  const last = useRef<Element>(undefined)

  const itemsOf = useCallback(() => [...group.current?.querySelectorAll<HTMLElement>(selector) ?? []]
    .sort((first, second) => first.getBoundingClientRect().top - second.getBoundingClientRect().top), [selector])

  const setStop = useCallback((stop: Element | undefined) => {
    for (const item of itemsOf()) item.tabIndex = item === stop ? 0 : -1
  }, [itemsOf])

  // after each rendering: rows come and go
  useLayoutEffect(() => {
    const items = itemsOf()
    setStop(items.find((item) => item === last.current) ?? items.find((item) => item.ariaCurrent !== null && item.ariaCurrent !== 'false') ?? items[0])
  })

  return {
    ref: group,
    onFocus({ target }: FocusEvent<HTMLElement>) {
      const item = target.closest(selector)
      if (!item) return
      last.current = item
      setStop(item)
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const step = steps[event.key]
      const items = itemsOf()
      const index = items.findIndex((item) => item === document.activeElement)
      if (step === undefined || index < 0 || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      items[Math.max(0, Math.min(items.length - 1, index + step))]?.focus()
    },
  }
}
