import type { MayflyEvent } from '@mayfly-mail/sdk'
import { useEffect, useState } from 'react'
import { followEvents } from '../api/live.ts'
import type { LiveState } from '../api/live.ts'
import type { Mode } from '../api/mode.ts'
import { queryClient } from '../api/query-client.ts'

/** Events change these nouns of `keys.ts`. */
const changedNouns: Record<MayflyEvent['type'], string[]> = {
  'email.received': ['emails', 'addresses', 'analytics'],
  'email.deleted': ['emails', 'addresses'],
  'address.created': ['addresses', 'addressNames', 'analytics'],
  'address.expired': ['addresses', 'addressNames'],
  'address.deleted': ['addresses', 'addressNames', 'emails'],
}

/** Minimum time between two rounds of loading, so that a flood of mail costs a bounded number of requests. */
const minRefreshMs = 500

/** Keeps the cached data of the mode up to date with the events of the account. */
export function useLive(mode: Mode): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    const refresh = openRefresh()
    const stop = followEvents({
      onState: setState,
      onEvent: ({ type }) => refresh.add(changedNouns[type]),
      onGap: () => void queryClient.invalidateQueries(),
    })
    return () => {
      stop()
      refresh.stop()
    }
  }, [mode])
  return state
}

/** Loads the first change at once, and those that follow within `minRefreshMs` together. */
function openRefresh() {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    if (waiting.size === 0) return
    const nouns = [...waiting]
    waiting.clear()
    timer = setTimeout(run, minRefreshMs)
    for (const noun of nouns) void queryClient.invalidateQueries({ queryKey: [noun] }, { cancelRefetch: false })
  }
  return {
    add(nouns: string[]) {
      for (const noun of nouns) waiting.add(noun)
      if (!timer) run()
    },
    stop: () => clearTimeout(timer),
  }
}
