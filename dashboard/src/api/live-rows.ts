import { useMutation, useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { queryClient } from './query-client.ts'

/** The loaded part of a list, newest first. */
export interface Rows<Row> {
  rows: Row[]
  /** Whether the server has older ones. */
  hasMore: boolean
  total: number
}

interface RowSource<Row> {
  queryKey: unknown[]
  /** Loads a page; with `before` of rows that are older than this one. */
  fetchPage(before: string | undefined, signal?: AbortSignal): Promise<Rows<Row>>
  /** Rows that are older than the newest page are not loaded again, but dropped. */
  isReplaced?: boolean
  /** Shows the rows of the previous key while those of a new one load. */
  keepsPrevious?: boolean
}

/** Rows that stay loaded while the list is at its top. */
const minKeptRows = 300

/** Rows that are loaded at most; older ones are found by the search. */
const maxRows = 20_000

/**
 * A list that stays up to date: each refresh loads the newest page alone, and adds it to the rows that are loaded. It keeps a bounded
 * number of rows, however many arrive. Ids sort by arrival.
 */
export function useLiveRows<Row extends { id: string }>(source: RowSource<Row>) {
  const { queryKey, fetchPage, isReplaced = false, keepsPrevious = false } = source
  const lastShown = useRef(0)
  const query = useQuery<Rows<Row>>({
    queryKey,
    async queryFn({ signal }) {
      const newest = await fetchPage(undefined, signal)
      const loaded = isReplaced ? undefined : queryClient.getQueryData<Rows<Row>>(queryKey)
      return truncateRows(loaded ? addNewest(loaded, newest) : newest, Math.min(maxRows, Math.max(minKeptRows, lastShown.current + 100)))
    },
    placeholderData: (previous) => keepsPrevious ? previous : undefined,
  })
  const older = useMutation({
    meta: { showsOwnError: true },
    mutationFn: ({ before }: { key: unknown[], before: string }) => fetchPage(before),
    onSuccess(page, { key, before }) {
      queryClient.setQueryData<Rows<Row>>(key, (loaded) => loaded && addOlder(loaded, page, before))
    },
  })
  const { rows = [], hasMore = false, total = 0 } = query.data ?? {}
  const canLoadOlder = hasMore && rows.length < maxRows && !query.isPlaceholderData
  const before = rows.at(-1)?.id
  const isBusy = useRef(false)
  return {
    rows,
    total,
    error: query.error,
    isLoading: query.isPending,
    isPlaceholder: query.isPlaceholderData,
    retry: () => void query.refetch(),
    canLoadOlder,
    olderError: older.error,
    isLoadingOlder: older.isPending,
    loadOlder() {
      if (!canLoadOlder || before === undefined || isBusy.current) return
      isBusy.current = true
      older.mutate({ key: queryKey, before }, { onSettled: () => { isBusy.current = false } })
    },
    /** Records to which row the list has been scrolled: rows up to there are kept. */
    recordShown: useCallback((index: number) => { lastShown.current = index }, []),
  }
}

/** Changes rows of all lists that are cached under a noun of `keys.ts`. */
export function changeRows<Row extends { id: string }>(noun: string, change: (rows: Row[]) => Row[]) {
  queryClient.setQueriesData<Rows<Row>>({ queryKey: [noun], predicate: ({ queryKey }) => queryKey[2] === 'list' }, (loaded) => {
    if (!loaded) return loaded
    const rows = change(loaded.rows)
    return rows === loaded.rows ? loaded : { ...loaded, rows, total: loaded.total - (loaded.rows.length - rows.length) }
  })
}

/** Removes rows from all lists of a noun. */
export const dropRows = <Row extends { id: string }>(noun: string, isDropped: (row: Row) => boolean) =>
  changeRows<Row>(noun, (rows) => rows.some(isDropped) ? rows.filter((row) => !isDropped(row)) : rows)

function addNewest<Row extends { id: string }>(loaded: Rows<Row>, newest: Rows<Row>): Rows<Row> {
  const last = newest.rows.at(-1)
  if (!newest.hasMore || !last) return newest
  const ids = new Set(newest.rows.map(({ id }) => id))
  const hasGap = !loaded.rows.some(({ id }) => ids.has(id)) // more arrived than a page has: the rest is loaded when it is scrolled to
  if (hasGap) return newest
  const older = loaded.rows.filter(({ id }) => id < last.id)
  return { rows: [...newest.rows, ...older], hasMore: older.length > 0 ? loaded.hasMore : newest.hasMore, total: newest.total }
}

function addOlder<Row extends { id: string }>(loaded: Rows<Row>, page: Rows<Row>, before: string): Rows<Row> {
  const last = loaded.rows.at(-1)
  if (last && last.id > before) return loaded // the rows between were dropped meanwhile
  return { ...loaded, rows: [...loaded.rows, ...page.rows.filter(({ id }) => !last || id < last.id)], hasMore: page.hasMore }
}

const truncateRows = <Row>(rows: Rows<Row>, max: number): Rows<Row> =>
  rows.rows.length <= max ? rows : { ...rows, rows: rows.rows.slice(0, max), hasMore: true }
