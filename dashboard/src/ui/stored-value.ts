import { useSyncExternalStore } from 'react'

export interface StoredValue<Value> {
  read: () => Value
  write: (value: Value) => void
  /** The value, for a component. */
  use: () => Value
}

/**
 * A choice of the user that this browser keeps, and that its tabs share.
 * @param isValid refuses what another version of the pages has stored
 */
export function storedValue<Value>(key: string, initial: Value, isValid: (value: unknown) => boolean): StoredValue<Value> {
  const listeners = new Set<() => void>()
  let cached: { text: string | null, value: Value } = { text: null, value: initial }
  const read = () => {
    const text = localStorage.getItem(key)
    if (text !== cached.text) cached = { text, value: parse(text, initial, isValid) }
    return cached.value
  }
  const notify = () => { for (const listener of listeners) listener() }
  const hear = (event: StorageEvent) => { if (event.key === key) notify() }
  return {
    read,
    write(value) {
      localStorage.setItem(key, JSON.stringify(value))
      notify()
    },
    use: () => useSyncExternalStore((listener) => {
      if (listeners.size === 0) window.addEventListener('storage', hear)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) window.removeEventListener('storage', hear)
      }
    }, read),
  }
}

function parse<Value>(text: string | null, initial: Value, isValid: (value: unknown) => boolean): Value {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isValid(value) ? value as Value : initial
  } catch {
    return initial
  }
}
