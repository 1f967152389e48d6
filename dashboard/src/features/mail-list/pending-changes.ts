import { useSyncExternalStore } from 'react'

/** A change that the list shows before the server has it. */
export interface PendingChange {
  isRead?: boolean
  isStarred?: boolean
  /** Deleted, or about to be. */
  isGone?: boolean
}

type PendingChanges = ReadonlyMap<string, PendingChange>

/** Beside the cached rows, so that a list that was requested before a change cannot undo it on the page. */
let changes: PendingChanges = new Map()
const listeners = new Set<() => void>()

export const usePendingChanges = (): PendingChanges => useSyncExternalStore((listener) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}, () => changes)

/** Shows a change of several mails. @returns a function that stops showing it, unless a later change of the same mail replaced it */
export function showChange(ids: string[], change: PendingChange): (ids: string[]) => void {
  const shown = new Map(ids.map((id) => [id, { ...changes.get(id), ...change }]))
  replace(new Map([...changes, ...shown]))
  return (ended) => replace(new Map([...changes].filter(([id, current]) => !ended.includes(id) || current !== shown.get(id))))
}

function replace(next: PendingChanges) {
  changes = next
  for (const listener of listeners) listener()
}

export function applyChanges<Row extends { id: string }>(rows: Row[], pending: PendingChanges): Row[] {
  if (pending.size === 0) return rows
  return rows.flatMap((row) => {
    const change = pending.get(row.id)
    if (!change) return [row]
    const { isGone, ...marks } = change
    return isGone ? [] : [{ ...row, ...marks }]
  })
}
