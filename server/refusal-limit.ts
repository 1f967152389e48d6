import type { Clock } from './clock.ts'
import { minuteMs } from './durations.ts'

/** Maximum lines a minute about refusals to one network. */
const maxLines = 100
/** Maximum networks with a limit of their own; further ones share one. */
const maxNetworks = 200
const otherNetworks = 'others'

export interface RefusalLimit {
  /** Counts a refusal. @returns whether it gets a line */
  admits(network: string): boolean
  /** Reports the refusals of this minute that got no line, and ends the timer. */
  close(): void
}

/**
 * Limits the lines about refusals, since a client can cause thousands a second.
 * @param report called at the end of a minute for each network whose refusals were left out, with their number
 */
export function openRefusalLimit(clock: Clock, report: (network: string, leftOut: number) => void): RefusalLimit {
  let counts = new Map<string, number>()
  let cancelTimer = () => {}
  const endMinute = () => {
    cancelTimer()
    const ended = counts
    counts = new Map()
    for (const [network, count] of ended) if (count > maxLines) report(network, count - maxLines)
  }
  return {
    admits(network) {
      if (counts.size === 0) cancelTimer = clock.at(clock.now() + minuteMs, endMinute)
      const counted = counts.has(network) || counts.size < maxNetworks ? network : otherNetworks
      const count = (counts.get(counted) ?? 0) + 1
      counts.set(counted, count)
      return count <= maxLines
    },
    close: endMinute,
  }
}
