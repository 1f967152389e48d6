import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

/** The mails that several actions at once are for. Mails that left the list are not selected any more. */
export function useSelection(rows: { id: string }[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  /** With this id: it and all older mails are selected, also those that load later, but none that arrives. */
  const [allUpTo, setAllUpTo] = useState<string>()
  const last = useRef<string>(undefined)

  const selected = useMemo(() => chosen.size === 0 && allUpTo === undefined
    ? chosen
    : new Set(rows.flatMap(({ id }) => chosen.has(id) || (allUpTo !== undefined && id <= allUpTo) ? [id] : [])), [chosen, allUpTo, rows])
  const latest = useRef({ rows, selected })
  useLayoutEffect(() => { latest.current = { rows, selected } }, [rows, selected])

  const choose = useCallback((ids: Iterable<string>) => {
    setChosen(new Set(ids))
    setAllUpTo(undefined)
  }, [])
  const toggle = useCallback((id: string, isRange = false) => {
    const { rows, selected } = latest.current
    const range = isRange ? rangeOf(rows, last.current, id) : [id]
    last.current = id
    const next = new Set(selected)
    for (const each of range) next[selected.has(id) ? 'delete' : 'add'](each)
    choose(next)
  }, [choose])
  return {
    selected,
    toggle,
    /** Whether mails that are not loaded are to be selected too. */
    isAll: allUpTo !== undefined,
    selectLoaded: () => choose(rows.map(({ id }) => id)),
    selectAll: () => setAllUpTo(rows[0]?.id),
    clear: useCallback(() => choose([]), [choose]),
  }
}

/** The ids from one row to another, in either direction. */
function rangeOf(rows: { id: string }[], from: string | undefined, to: string): string[] {
  const [first, second] = [rows.findIndex(({ id }) => id === from), rows.findIndex(({ id }) => id === to)]
  if (first < 0) return [to]
  return rows.slice(Math.min(first, second), Math.max(first, second) + 1).map(({ id }) => id)
}
