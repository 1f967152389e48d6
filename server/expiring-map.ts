export interface ExpiringMap<Value> {
  /** @returns undefined also when its time is over */
  get(key: string): Value | undefined
  set(key: string, value: Value, lifetimeMs: number): void
  delete(key: string): void
}

/** Opens a map whose values are kept for a time. @param maxEntries beyond which the oldest is removed */
export function openExpiringMap<Value>(maxEntries: number): ExpiringMap<Value> {
  const kept = new Map<string, { value: Value, until: number }>()
  return {
    get(key) {
      const found = kept.get(key)
      if (!found || found.until > performance.now()) return found?.value
      kept.delete(key)
      return undefined
    },
    set(key, value, lifetimeMs) {
      kept.delete(key) // so that it becomes the newest
      kept.set(key, { value, until: performance.now() + lifetimeMs })
      if (kept.size > maxEntries) kept.delete(kept.keys().next().value!)
    },
    delete: (key) => void kept.delete(key),
  }
}
