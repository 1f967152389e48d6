import { AppError } from '../errors.ts'

/** Milliseconds of requests' work after which the others wait for the next turn of the event loop. */
const maxTurnMs = 5

/** Milliseconds by which one stage may be ahead of the other when both have requests. */
const maxAheadMs = 20

/** Time of the first stage for each of the second: it is short, and lets in requests of other accounts. */
const connectionShare = 3

/** Requests that are carried out at once, and that wait for it: of an account and of a connection. */
const partyLimits = {
  account: { maxRunning: 8, maxWaiting: 600 }, // an account may wait for mail 500 times at once
  connection: { maxRunning: 1, maxWaiting: Infinity }, // pipelined requests; the socket is paused while any waits
}

type Stage = keyof typeof partyLimits

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
   * Calls `start` when a connection has no other request under way and its turn has come. Connections whose last request was of one
   * account take turns as one; so do those of one address whose account is not known yet.
   * @param start is given what ends the request's share
   */
  beginOn(connection: object, address: string, start: (end: () => void) => void): void
  /** Records whose requests a connection has. */
  identify(connection: object, accountId: string): void
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
  stage: Stage
  /** Queues of one group share its turns. */
  group: string
  maxRunning: number
  running: number
  waiting: Entry[]
  resuming: Entry[]
}

/**
 * Shares the thread between accounts, on two stages: on the first, until its caller is known, a request takes a turn
 * of its connection, on the second one of its account. A request works until it waits for I/O; then the next one begins, and after
 * some milliseconds the event loop goes on to what has arrived. So a request waits for about one request of each other account, and
 * of each address with new connections, however many these have sent.
 */
export function fairShare(): FairShare {
  const queues = new Map<Party, Queue>()
  // queues whose first entry may start, by group; both in the order of their turns
  const ready: Record<Stage, Map<string, Set<Queue>>> = { account: new Map(), connection: new Map() }
  const accountOf = new WeakMap<object, string>()
  let aheadMs = 0 // by which the stage of the connections has used more than that of the accounts
  let entries = 0
  let usedMs = 0
  let isWorking = false
  let onIdle: (() => void)[] = []

  function serve() {
    if (isWorking || usedMs >= maxTurnMs) return
    const queue = nextReady()
    if (queue) {
      const entry = next(queue)!
      if (entry === queue.resuming[0]) queue.resuming.shift()
      else {
        queue.waiting.shift()
        queue.running++
      }
      settle(queue)
      return work(entry, queue.stage)
    }
    if (queues.size > 0) return
    for (const resolve of onIdle) resolve()
    onIdle = []
  }

  /** Of the stage that has used less time the next group, and of this the next queue. */
  function nextReady(): Queue | undefined {
    const [less, more]: Stage[] = aheadMs > 0 ? ['account', 'connection'] : ['connection', 'account']
    const stage = ready[less!].size > 0 ? less! : more!
    const [first] = ready[stage]
    if (!first) return undefined
    const [group, members] = first
    const [queue] = members
    members.delete(queue!)
    ready[stage].delete(group)
    if (members.size > 0) ready[stage].set(group, members) // behind the other groups
    return queue
  }

  function unready(queue: Queue) {
    const group = ready[queue.stage].get(queue.group)
    group?.delete(queue)
    if (group?.size === 0) ready[queue.stage].delete(queue.group)
  }

  function work(entry: Entry, stage: Stage) {
    const begunAt = performance.now()
    isWorking = true
    entry.start()
    // this tick comes when no promise job is left: all that the request does before it waits for I/O
    queueMicrotask(() => process.nextTick(() => {
      const workMs = performance.now() - begunAt
      usedMs += workMs
      aheadMs = Math.min(maxAheadMs, Math.max(-maxAheadMs, aheadMs + (stage === 'connection' ? workMs : -connectionShare * workMs)))
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
    if (next(queue)) {
      const groups = ready[queue.stage]
      groups.set(queue.group, (groups.get(queue.group) ?? new Set()).add(queue))
    } else unready(queue)
    if (queue.running === 0 && queue.waiting.length === 0 && queue.resuming.length === 0) queues.delete(queue.party)
  }

  function enqueue(stage: Stage, group: string, party: Party, list: 'waiting' | 'resuming', start: () => void) {
    const { maxRunning } = partyLimits[stage]
    const queue = queues.get(party) ?? { party, stage, group, maxRunning, running: 0, waiting: [], resuming: [] }
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
    resume: (accountId) => new Promise((resolve) => { enqueue('account', accountId, accountId, 'resuming', resolve) }),
    idle: () => new Promise((resolve) => {
      onIdle.push(resolve)
      serve()
    }),
    async begin(accountId) {
      const { maxWaiting } = partyLimits.account
      if ((queues.get(accountId)?.waiting.length ?? 0) >= maxWaiting) throw tooManyWaiting(maxWaiting)
      await new Promise<void>((resolve) => { enqueue('account', accountId, accountId, 'waiting', resolve) })
      return endOf(accountId)
    },
    beginOn(connection, address, start) {
      const group = accountOf.get(connection) ?? address
      enqueue('connection', group, connection, 'waiting', () => start(endOf(connection)))
    },
    identify(connection, accountId) {
      accountOf.set(connection, accountId)
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
