import { setTimeout as pass } from 'node:timers/promises'

const windowSeconds = 60

/** The window of the rate limit at a time in milliseconds since 1970. */
export const windowAt = (timeMs: number): number => Math.floor(timeMs / 1000 / windowSeconds)

/** Requests by the window of the rate limit that counted them. */
export interface LimitedRequests {
  passed: Map<number, number>
  /** Windows in which a request was refused. */
  refused: Set<number>
  /** Requests without an answer, or with a fault: they may be counted. */
  unknown: Map<number, number>
  /** Windows in which the server of the database crashed. */
  crashes: number[]
}

export const newLimitedRequests = (): LimitedRequests => ({ passed: new Map(), refused: new Set(), unknown: new Map(), crashes: [] })

/** Enough that they are more than the limit of a minute. */
const senders = 4
const pauseMs = 10

/** Sends requests without a key, which nodes count together as those of one network. @param stop ends it */
export async function sendBeyondLimit(
  { url, timeoutMs }: { url: string, timeoutMs: number }, stop: AbortSignal, requests: LimitedRequests,
): Promise<void> {
  await Promise.all(Array.from({ length: senders }, async () => {
    while (!stop.aborted) {
      const begun = Date.now()
      const answer = await fetch(`${url}/api/v1/addresses`, { signal: AbortSignal.timeout(timeoutMs) })
        .then(async (response) => { await response.arrayBuffer(); return response })
        .catch(() => undefined) // its node or connection has failed
      const isKnown = answer !== undefined && answer.status < 500
      if (!isKnown) for (const window of new Set([windowAt(begun), windowAt(Date.now())])) add(requests.unknown, window)
      else if (answer.status === 429) requests.refused.add(windowOf(answer))
      else add(requests.passed, windowOf(answer))
      await pass(pauseMs)
    }
  }))
}

const windowOf = ({ headers }: Response) => Number(headers.get('x-ratelimit-reset')) / windowSeconds - 1

function add(counts: Map<number, number>, window: number) {
  counts.set(window, (counts.get(window) ?? 0) + 1)
}

/** Requests that may pass beyond the limit after a crash of the database's server, which can lose the last counts. */
const maxLostCounts = 10

/** @returns windows whose limit was reached; requests that passed beyond it; windows that refused requests before it was reached */
export function compareWithLimit({ passed, refused, unknown, crashes }: LimitedRequests, limit: number) {
  const lostIn = (window: number) => maxLostCounts * crashes.filter((crash) => crash === window).length
  const countOf = (window: number) => passed.get(window) ?? 0
  return {
    limitedWindows: refused.size,
    requestsBeyondLimit: [...passed].reduce((sum, [window, count]) => sum + Math.max(0, count - limit - lostIn(window)), 0),
    windowsBelowLimit: [...refused].filter((window) => countOf(window) + (unknown.get(window) ?? 0) < limit).length,
  }
}
