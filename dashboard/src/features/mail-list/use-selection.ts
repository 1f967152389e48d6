import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

/** The mails that several actions at once are for. Mails that left the list are not selected any more. */
export function useSelection(rows: { id: string }[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const latestRows = useRef(rows)
  useLayoutEffect(() => { latestRows.current = rows }, [rows])
  const last = useRef<string>(undefined)

  const selected = useMemo(() => chosen.size === 0 ? chosen : new Set(rows.flatMap(({ id }) => chosen.has(id) ? [id] : [])), [chosen, rows])
  const toggle = useCallback((id: string, isRange = false) => {
    const range = isRange ? rangeOf(latestRows.current, last.current, id) : [id]
    last.current = id
    setChosen((current) => {
      const next = new Set(current)
      const adds = !current.has(id)
      for (const each of range) next[adds ? 'add' : 'delete'](each)
      return next
    })
  }, [])
  return {
    selected,
    toggle,
    selectAll: () => setChosen(new Set(rows.map(({ id }) => id))),
    clear: useCallback(() => setChosen(new Set()), []),
  }
}

/** The ids from one row to another, in either direction. */
function rangeOf(rows: { id: string }[], from: string | undefined, to: string): string[] {
  const [first, second] = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to)]
  if (first < 0) return [to]
  return rows.slice(Math.min(first, second), Math.max(first, second) + 1).map(({ id }) => id)
}
