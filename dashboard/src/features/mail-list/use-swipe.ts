import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

interface SwipeHandlers {
  /** To the left. */
  onDelete(id: string): void
  /** To the right. */
  onToggleRead(id: string): void
}

/** Pixels of a swipe that changes a mail. */
const minSwipe = 80

/** Follows a finger that moves a row sideways. The rows leave this movement to the page by `touch-action`. */
export function useSwipe(scroller: RefObject<HTMLElement | null>, handlers: SwipeHandlers) {
  const latest = useRef(handlers)
  useEffect(() => { latest.current = handlers })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const stop = new AbortController()
    const options = { signal: stop.signal, passive: true }
    let swipe: { link: HTMLElement, x: number, moved: number } | undefined

    element.addEventListener('touchstart', ({ target, touches: [touch, second] }) => {
      const link = (target as Element).closest('li')?.querySelector<HTMLElement>('[data-mail]')
      swipe = link && touch && !second ? { link, x: touch.clientX, moved: 0 } : undefined
    }, options)
    element.addEventListener('touchmove', ({ touches: [touch] }) => {
      if (!swipe || !touch) return
      swipe.moved = touch.clientX - swipe.x
      swipe.link.style.transform = `translateX(${swipe.moved}px)`
    }, options)
    for (const end of ['touchend', 'touchcancel'] as const) {
      element.addEventListener(end, () => {
        if (!swipe) return
        const { link, moved } = swipe
        swipe = undefined
        link.style.transform = ''
        const id = link.dataset['mail']
        if (end === 'touchcancel' || !id || Math.abs(moved) < minSwipe) return
        if (moved < 0) latest.current.onDelete(id)
        else latest.current.onToggleRead(id)
      }, options)
    }
    return () => stop.abort()
  }, [scroller])
}
