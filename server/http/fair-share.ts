import { AppError } from '../errors.ts'

/** Milliseconds of requests' work after which the others wait for the next turn of the event loop. */
const maxTurnMs = 5

/** Requests that are carried out at once, and that wait for it: of an account and of a connection. */
const partyLimits = {
  account: { maxRunning: 8, maxWaiting: 200 }, // bounds what stands before others in the queue of commits
  connection: { maxRunning: 1, maxWaiting: Infinity }, // pipelined requests; the socket is paused while any waits
}

/** A connection before its caller is known, the id of the account afterwards. */
type Party = string | object

export interface FairShare {
  /**
   * Waits until an account may have another request carried out.
   * @returns ends the request's share; calling it again does nothing
   * @throws AppError `RATE_LIMITED` when too many requests of the account wait already
   */
  begin(accountId: string): Promise<() => void>
  /** Waits until a request that has waited for something else, and ended its share, may go on. */
  resume(accountId: string): Promise<void>
  /**
   * Calls `start` when a connection has no other request under way and its turn has come.
   * @param start is given what ends the request's share
   */
  beginOn(connection: object, start: (end: () => void) => void): void
  /** Drops the requests of a connection that have not begun. */
  leave(connection: object): void
  /** Resolves when no request waits or is carried out, also none whose caller has gone away. */
  idle(): Promise<void>
}

interface Entry {
  start(): void
  /** Number by the order of arrival. */
  order: number
}

interface Queue {
  party: Party
  maxRunning: number
  running: number
  waiting: Entry[]
  resuming: Entry[]
}

/**
 * Shares the thread between connections and between accounts. A request works until it waits for I/O; then the next party's
 * begins, and after some milliseconds the event loop goes on to what has arrived. So a request waits for about one request of each
 * other connection, and then for one of each other account, however many these have sent.
 */
export function fairShare(): FairShare {
  const queues = new Map<Party, Queue>()
  const ready = new Set<Queue>() // those whose first entry may start, in the order of their turns
  let entries = 0
  let usedMs = 0
  let isWorking = false
  let onIdle: (() => void)[] = []

  function serve() {
    if (isWorking || usedMs >= maxTurnMs) return
    const [queue] = ready
    if (queue) {
      ready.delete(queue)
      const entry = next(queue)!
      if (entry === queue.resuming[0]) queue.resuming.shift()
      else {
        queue.waiting.shift()
        queue.running++
      }
      settle(queue)
      return work(entry)
    }
    if (queues.size > 0) return
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

  /** Puts a queue into the rotation, or takes it out, by what is in it. */
  function settle(queue: Queue) {
    if (next(queue)) ready.add(queue)
    else ready.delete(queue)
    if (queue.running === 0 && queue.waiting.length === 0 && queue.resuming.length === 0) queues.delete(queue.party)
  }

  function enqueue(party: Party, list: 'waiting' | 'resuming', start: () => void) {
    const { maxRunning } = partyLimits[typeof party === 'string' ? 'account' : 'connection']
    const queue = queues.get(party) ?? { party, maxRunning, running: 0, waiting: [], resuming: [] }
    queues.set(party, queue)
    queue[list].push({ start, order: entries++ })
    settle(queue)
    serve()
  }

  function endOf(party: Party): () => void {
    const queue = queues.get(party)!
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      queue.running--
      settle(queue)
      serve()
    }
  }

  return {
    resume: (accountId) => new Promise((resolve) => { enqueue(accountId, 'resuming', resolve) }),
    idle: () => new Promise((resolve) => {
      onIdle.push(resolve)
      serve()
    }),
    async begin(accountId) {
      const { maxWaiting } = partyLimits.account
      if ((queues.get(accountId)?.waiting.length ?? 0) >= maxWaiting) throw tooManyWaiting(maxWaiting)
      await new Promise<void>((resolve) => { enqueue(accountId, 'waiting', resolve) })
      return endOf(accountId)
    },
    beginOn(connection, start) {
      enqueue(connection, 'waiting', () => start(endOf(connection)))
    },
    leave(connection) {
      const queue = queues.get(connection)
      if (!queue) return
      queue.waiting = []
      settle(queue)
      serve()
    },
  }
}

/** The entry of a queue that is to start next; undefined when there is none, or its party has as many under way as it may. */
function next({ running, maxRunning, waiting, resuming }: Queue): Entry | undefined {
  const first = running < maxRunning ? waiting[0] : undefined
  const resumed = resuming[0]
  return first && resumed ? (first.order < resumed.order ? first : resumed) : first ?? resumed
}

const tooManyWaiting = (maxWaiting: number) => Object.assign(
  new AppError('RATE_LIMITED', `${maxWaiting} requests of this account wait already. Send fewer at once.`), { retryAfter: 1 },
)
