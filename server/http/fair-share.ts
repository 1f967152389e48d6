import { rateLimited } from '../errors.ts'
import { usageRate } from '../usage-rate.ts'

/** Milliseconds of request work per turn of the event loop; further requests wait for the next turn. */
const maxTurnMs = 5

/** Maximum milliseconds of work that one stage may be ahead of its share. */
const maxAheadMs = 20

/** Milliseconds of work per second and account that requests may do without waiting for a turn of the account. */
const directMsPerSecond = 100

/** The connection stage gets this many times the time of the account stage: its work is short, and identifies the account. */
const connectionShare = 3

/** Maximum requests that run at once, and that wait: per account and per connection. */
const partyLimits = {
  account: { maxRunning: 16, maxWaiting: 600 }, // above the 500 waits for mail that an account may have open
  connection: { maxRunning: 1, maxWaiting: Infinity }, // pipelined requests, limited by connections.ts
}

type Stage = keyof typeof partyLimits

/** The connection in the first stage, the account id in the second. */
type Party = string | object

export interface FairShare {
  /**
   * Waits for a turn of the account in which a new request may start.
   * @returns a function to call when the request ends or begins to wait for mail; a second call does nothing
   * @throws AppError `RATE_LIMITED` when too many requests of the account wait already
   */
  startRequest(accountId: string): Promise<() => void>
  /** Waits for a turn of the account in which a request continues after its share has ended. */
  resumeRequest(accountId: string): Promise<void>
  /**
   * Calls `start` in a turn of the connection, after its request before has ended. Connections with the same last known account
   * share their turns, and so do connections of one network without a known account.
   * @param start gets a function to call when the request ends
   */
  startOnConnection(connection: object, network: string, start: (end: () => void) => void): void
  /** Records the account of a connection's last request. */
  identify(connection: object, accountId: string): void
  /** Removes the waiting requests of a closed connection. */
  removeConnection(connection: object): void
  /** Resolves when no request waits or runs, including those whose caller has disconnected. */
  whenIdle(): Promise<void>
}

interface Entry {
  start(): void
  /** Sequence number of its arrival. */
  order: number
}

interface Queue {
  party: Party
  stage: Stage
  /** Account id or network. All queues of a group get one turn per rotation together. */
  group: string
  maxRunning: number
  running: number
  waiting: Entry[]
  resuming: Entry[]
}

/**
 * Divides the time of the main thread between accounts, in two stages (docs/decisions/0003). Until its caller is identified, a request
 * takes a turn of its connection; then it takes one of its account. A request runs until it waits for I/O, then the next one starts; after
 * `maxTurnMs` the event loop handles other events first. So a request waits for about one request of each other account and of each network
 * with new connections, regardless of how many they have sent.
 */
export function fairShare(): FairShare {
  const queues = new Map<Party, Queue>()
  // queues with an entry that may start, by group; groups and queues in the order of their next turns
  const ready: Record<Stage, Map<string, Set<Queue>>> = { account: new Map(), connection: new Map() }
  const accountOf = new WeakMap<object, string>()
  const directRate = usageRate(directMsPerSecond)
  let directAccount: string | undefined // of the entry that works now
  let aheadMs = 0 // time that the connection stage has used beyond its share
  let entries = 0
  let usedMs = 0
  let isWorking = false
  let onIdle: (() => void)[] = []

  function startNext() {
    if (isWorking || usedMs >= maxTurnMs) return
    const queue = nextReady()
    if (queue) {
      const entry = nextEntry(queue)!
      if (entry === queue.resuming[0]) queue.resuming.shift()
      else {
        queue.waiting.shift()
        queue.running++
      }
      updateRotation(queue)
      return runEntry(entry, queue.stage)
    }
    if (queues.size > 0) return
    for (const resolve of onIdle) resolve()
    onIdle = []
  }

  /** The next queue of the next group, of the stage that has used less of its share. */
  function nextReady(): Queue | undefined {
    const [less, more]: Stage[] = aheadMs > 0 ? ['account', 'connection'] : ['connection', 'account']
    const stage = ready[less!].size > 0 ? less! : more!
    const [first] = ready[stage]
    if (!first) return undefined
    const [group, members] = first
    const [queue] = members
    members.delete(queue!)
    ready[stage].delete(group)
    if (members.size > 0) ready[stage].set(group, members) // to the end of the rotation
    return queue
  }

  function leaveRotation(queue: Queue) {
    const group = ready[queue.stage].get(queue.group)
    group?.delete(queue)
    if (group?.size === 0) ready[queue.stage].delete(queue.group)
  }

  function runEntry(entry: Entry, stage: Stage) {
    const begunAt = performance.now()
    isWorking = true
    entry.start()
    // this tick runs when no promise job is left: the request now waits for I/O, or has ended
    queueMicrotask(() => process.nextTick(() => {
      const workMs = performance.now() - begunAt
      usedMs += workMs
      aheadMs = Math.min(maxAheadMs, Math.max(-maxAheadMs, aheadMs + (stage === 'connection' ? workMs : -connectionShare * workMs)))
      isWorking = false
      if (directAccount) directRate.record(directAccount, workMs)
      directAccount = undefined
      if (usedMs >= maxTurnMs) setImmediate(beginTurn)
      else startNext()
    }))
  }

  function beginTurn() {
    usedMs = 0
    startNext()
  }

  /** Adds a queue to the rotation if an entry may start, removes it otherwise, and deletes an empty one. */
  function updateRotation(queue: Queue) {
    if (nextEntry(queue)) {
      const groups = ready[queue.stage]
      groups.set(queue.group, (groups.get(queue.group) ?? new Set()).add(queue))
    } else leaveRotation(queue)
    if (queue.running === 0 && queue.waiting.length === 0 && queue.resuming.length === 0) queues.delete(queue.party)
  }

  function enqueue(stage: Stage, group: string, party: Party, list: 'waiting' | 'resuming', start: () => void) {
    const queue = queues.get(party) ?? addQueue(stage, group, party)
    queue[list].push({ start, order: entries++ })
    updateRotation(queue)
    startNext()
  }

  function addQueue(stage: Stage, group: string, party: Party): Queue {
    const queue: Queue = { party, stage, group, maxRunning: partyLimits[stage].maxRunning, running: 0, waiting: [], resuming: [] }
    queues.set(party, queue)
    return queue
  }

  /** Lets the only request of an account continue in the turn of its connection, if such requests have worked little of late. */
  function continueDirectly(accountId: string): boolean {
    if (!isWorking || directAccount || queues.has(accountId) || directRate.waitMs(accountId) > 0) return false
    addQueue('account', accountId, accountId).running++
    directAccount = accountId
    return true
  }

  function endOf(party: Party): () => void {
    const queue = queues.get(party)!
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      queue.running--
      updateRotation(queue)
      startNext()
    }
  }

  return {
    resumeRequest: (accountId) => new Promise((resolve) => { enqueue('account', accountId, accountId, 'resuming', resolve) }),
    whenIdle: () => new Promise((resolve) => {
      onIdle.push(resolve)
      startNext()
    }),
    async startRequest(accountId) {
      const { maxWaiting } = partyLimits.account
      if ((queues.get(accountId)?.waiting.length ?? 0) >= maxWaiting) throw tooManyWaiting(maxWaiting)
      if (!continueDirectly(accountId)) await new Promise<void>((resolve) => { enqueue('account', accountId, accountId, 'waiting', resolve) })
      return endOf(accountId)
    },
    startOnConnection(connection, network, start) {
      const group = accountOf.get(connection) ?? network
      enqueue('connection', group, connection, 'waiting', () => start(endOf(connection)))
    },
    identify(connection, accountId) {
      accountOf.set(connection, accountId)
    },
    removeConnection(connection) {
      const queue = queues.get(connection)
      if (!queue) return
      queue.waiting = []
      updateRotation(queue)
      startNext()
    },
  }
}

/** The entry to start next, in the order of arrival; undefined when none waits, or `maxRunning` requests run. */
function nextEntry({ running, maxRunning, waiting, resuming }: Queue): Entry | undefined {
  const first = running < maxRunning ? waiting[0] : undefined
  const resumed = resuming[0]
  return first && resumed ? (first.order < resumed.order ? first : resumed) : first ?? resumed
}

const tooManyWaiting = (maxWaiting: number) =>
  rateLimited(`${maxWaiting} requests of this account wait already. Send fewer at once.`)
