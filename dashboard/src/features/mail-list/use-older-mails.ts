import { useEffect, useRef, useState } from 'react'

interface OlderMails {
  rows: unknown[]
  loaded: number
  canLoadOlder: boolean
  isLoadingOlder: boolean
  olderError: unknown
  loadOlder(): void
}

/** Rows below the last one in view, of which the older ones are loaded in advance. */
const rowsAhead = 15

/** Pages in a row without a mail that matches a filter of the page: then the user decides. */
const maxFruitlessLoads = 10

/** Loads older mails when the list is scrolled towards its end. @returns whether it has stopped, and a function that goes on */
export function useOlderMails(list: OlderMails, shownIndex: number) {
  const { rows, loaded, canLoadOlder, isLoadingOlder, olderError } = list
  const [fruitless, setFruitless] = useState(0)
  const before = useRef({ rows: rows.length, loaded })

  useEffect(() => {
    const [isLoaded, isFound] = [loaded > before.current.loaded, rows.length > before.current.rows]
    if (isLoaded) setFruitless((count) => isFound ? 0 : count + 1)
    before.current = { rows: rows.length, loaded }
  }, [rows.length, loaded])

  const isStopped = fruitless >= maxFruitlessLoads
  useEffect(() => {
    if (shownIndex >= rows.length - rowsAhead && canLoadOlder && !isLoadingOlder && !olderError && !isStopped) list.loadOlder()
  })
  return { isStopped: isStopped && canLoadOlder, goOn: () => setFruitless(0) }
}
