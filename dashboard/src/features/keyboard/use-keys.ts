import { useEffect, useRef } from 'react'
import { findAction } from './keymap.ts'
import type { KeyAction } from './keymap.ts'

type KeyHandlers = Partial<Record<KeyAction, () => void>>

const mounted = new Set<{ current: KeyHandlers }>()

/** Calls the handler of the action whose key is pressed, while the component is shown. */
export function useKeys(handlers: KeyHandlers) {
  const latest = useRef(handlers)
  useEffect(() => { latest.current = handlers })
  useEffect(() => {
    if (mounted.size === 0) document.addEventListener('keydown', handle)
    mounted.add(latest)
    return () => {
      mounted.delete(latest)
      if (mounted.size === 0) document.removeEventListener('keydown', handle)
    }
  }, [])
}

function handle(event: KeyboardEvent) {
  const action = findAction(event)
  if (action && runAction(action)) event.preventDefault()
}

/** Does what the key of an action does. @returns false where nothing on the page has this action */
export function runAction(action: KeyAction): boolean {
  const found = [...mounted].findLast(({ current }) => current[action])?.current[action]
  found?.()
  return found !== undefined
}
