import { AppError } from '../errors.ts'

/** Milliseconds of requests' work after which the others wait for the next turn of the event loop. */
const maxTurnMs = 5
/** Requests of an account that are carried out at once. Bounds what stands before others in the queue of commits. */
const maxRunning = 8
/** Requests of an account that wait to be carried out. */
const maxWaiting = 200

export interface FairShare {
  /**
   * Waits until an account may have another request carried out.
   * @returns ends the request's share; calling it again does nothing
   * @throws AppError `RATE_LIMITED` when too many requests of the account wait already
   */
  begin(accountId: string): Promise<() => void>
  /** Waits until a request that has waited for something else, and ended its share, may go on. */
  resume(accountId: string): Promise<void>
  /** Resolves when no request waits or is carried out, also none whose caller has gone away. */
  idle(): Promise<void>
}

interface Entry {
  start(): void
  isNew: boolean
}

interface Party {
  running: number
  waiting: Entry[]
}

/**
 * Shares the thread between accounts. A request works until it waits for I/O; then the next account's begins, and after some
 * milliseconds the event loop goes on to what has arrived. So a request waits for about one request of each other account,
 * however many these have sent.
 */
export function fairShare(): FairShare {
  const parties = new Map<string, Party>() // those that were served last stand last
  let usedMs = 0
  let isWorking = false
  let onIdle: (() => void)[] = []

  function serve() {
    if (isWorking || usedMs >= maxTurnMs) return
    for (const [accountId, party] of parties) {
      const [entry] = party.waiting
      if (!entry || entry.isNew && party.running >= maxRunning) continue
      party.waiting.shift()
      if (entry.isNew) party.running++
      parties.delete(accountId)
      if (party.running > 0 || party.waiting.length > 0) parties.set(accountId, party)
      return work(entry)
    }
    if (parties.size > 0) return
    for (const resolve of onIdle) resolve()
    onIdle = []
  }

  function work(entry: Entry) {
    const begunAt = performance.now()
    isWorking = true
    entry.start()
    // this tick comes when no promise job is left: all that the request does before it waits for I/O
    queueMicrotask(() => process.nextTick(() => {
      usedMs += performance.now() - begunAt
      isWorking = false
      if (usedMs >= maxTurnMs) setImmediate(beginTurn)
      else serve()
    }))
  }

  function beginTurn() {
    usedMs = 0
    serve()
  }

  function partyOf(accountId: string): Party {
    const party = parties.get(accountId) ?? { running: 0, waiting: [] }
    parties.set(accountId, party)
    return party
  }

  function wait(accountId: string, isNew: boolean): Promise<void> {
    return new Promise((resolve) => {
      partyOf(accountId).waiting.push({ start: resolve, isNew })
      serve()
    })
  }

  return {
    resume: (accountId) => wait(accountId, false),
    idle: () => new Promise((resolve) => {
      onIdle.push(resolve)
      serve()
    }),
    async begin(accountId) {
      if ((parties.get(accountId)?.waiting.length ?? 0) >= maxWaiting) throw tooManyWaiting()
      await wait(accountId, true)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        const party = parties.get(accountId)!
        party.running--
        if (party.running === 0 && party.waiting.length === 0) parties.delete(accountId)
        serve()
      }
    },
  }
}

const tooManyWaiting = () => Object.assign(
  new AppError('RATE_LIMITED', `${maxWaiting} requests of this account wait already. Send fewer at once.`), { retryAfter: 1 },
)
