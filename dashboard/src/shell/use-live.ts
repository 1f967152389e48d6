import type { MayflyEvent } from '@mayfly-mail/sdk'
import { useEffect, useState } from 'react'
import { LiveEvents } from '../api/live.ts'
import type { LiveState } from '../api/live.ts'
import type { Mode } from '../api/mode.ts'
import { dropRows } from '../api/live-rows.ts'
import { queryClient } from '../api/query-client.ts'
import { announceMail } from './arrivals.tsx'
import { notifyOf } from './notify.ts'

/** Events change these nouns of `keys.ts`. */
const changedNouns: Record<MayflyEvent['type'], string[]> = {
  'email.received': ['emails', 'addresses', 'analytics'],
  'email.deleted': ['emails', 'addresses'],
  'address.created': ['addresses', 'addressNames', 'analytics'],
  'address.expired': ['addresses', 'addressNames'],
  'address.deleted': ['addresses', 'addressNames', 'emails'],
}

/**
 * Minimum time between two rounds of loading: it doubles with each round of a flood of mail, which so costs some 40 of the 100 requests a
 * minute that a session has.
 */
const refreshMs = { min: 500, max: 4_000 }

/** Keeps the cached data of the mode up to date with the events of the account. */
export function useLive(mode: Mode): LiveState {
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    const refresh = openRefresh()
    const live = new LiveEvents({
      onState: setState,
      onEvent(event) {
        dropDeleted(event)
        if (event.type === 'email.received') {
          announceMail(event.data)
          void notifyOf(event.data)
        }
        refresh.add(changedNouns[event.type])
      },
      onGap: () => void queryClient.invalidateQueries(),
    })
    return () => {
      live.close()
      refresh.stop()
    }
  }, [mode])
  return state
}

/** Removes rows of deleted objects from lists: a refresh loads only the newest part of a list. */
function dropDeleted(event: MayflyEvent) {
  if (event.type === 'email.deleted') dropRows('emails', ({ id }) => id === event.data.emailId)
  if (event.type !== 'address.deleted') return
  const { addressId } = event.data
  dropRows('addresses', ({ id }) => id === addressId)
  dropRows<{ id: string, addressId: string }>('emails', (email) => email.addressId === addressId)
}

/** Loads the first change at once, and those that follow soon or during the loading together. */
function openRefresh() {
  const waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  let pauseMs = refreshMs.min
  let endedAt = -Infinity
  const run = async () => {
    isBusy = true
    if (performance.now() - endedAt > 2 * pauseMs) pauseMs = refreshMs.min
    while (waiting.size > 0) {
      const nouns = [...waiting]
      waiting.clear()
      const paused = new Promise<void>((resolve) => { timer = setTimeout(resolve, pauseMs) })
      // a request that is under way is repeated: the server may have answered it before the change
      await Promise.all(nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
      await paused
      pauseMs = Math.min(2 * pauseMs, refreshMs.max)
    }
    endedAt = performance.now()
    isBusy = false
  }
  return {
    add(nouns: string[]) {
      for (const noun of nouns) waiting.add(noun)
      if (!isBusy) void run()
    },
    stop() {
      isBusy = true
      clearTimeout(timer)
    },
  }
}
