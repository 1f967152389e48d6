import { useSyncExternalStore } from 'react'

/** `test` shows the data of test keys. */
export type Mode = 'live' | 'test'

const storageKey = 'mayfly-mode'
const listeners = new Set<() => void>()
let mode: Mode = sessionStorage.getItem(storageKey) === 'test' ? 'test' : 'live'

/** The mode of this tab. */
export const currentMode = (): Mode => mode

export function setMode(chosen: Mode) {
  mode = chosen
  sessionStorage.setItem(storageKey, chosen)
  for (const listener of listeners) listener()
}

export const useMode = (): Mode => useSyncExternalStore((listener) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}, currentMode)
