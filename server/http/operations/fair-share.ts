import { rateLimited } from '../../errors.ts'
import { FairQueue } from '../../turns/fair-queue.ts'
import { usageRate } from '../../turns/usage-rate.ts'

/** Milliseconds of request work per turn of the event loop; further requests wait for the next turn. */
const maxTurnMs = 5
/** Maximum milliseconds of work that one stage may be ahead of its share. */
const maxAheadMs = 20
/** Milliseconds of work per second and account that requests may do without waiting for a turn of the account. */
const directMsPerSecond = 100
/** The connection stage gets this many times the time of the account stage: its work is short, and identifies the account. */
const connectionShare = 3
/** Maximum requests of an account that run at once, and that wait: above the 500 waits for mail that it may have open. */
const maxRunning = 16
const maxWaiting = 600

/**
 * Divides the time of the main thread between accounts, in two stages (docs/decisions/0003). Until its caller is identified, a request
 * takes a turn of its connection; then it takes one of its account. A request runs until it waits for I/O, then the next one starts; after
 * `maxTurnMs` the event loop handles other events first. So a request waits for about one request of each other account and of each network
 * with new connections, regardless of how many they have sent.
 */
export class FairShare {
  /** The first stage: pipelined requests of a connection run one after the other; connections.ts limits their number. */
  readonly #connections = new FairQueue<object>(1)
  /** The second stage: by party, which is the account of the caller, or the network of a request without one. */
  readonly #accounts = new FairQueue<string>(maxRunning)
  /** The account of a connection's last request: its connections share their turns, as those of a network do before it is known. */
  readonly #accountOf = new WeakMap<object, string>()
  readonly #directRate = usageRate(directMsPerSecond)
  /** The account whose request continued in the turn of its connection, while that runs. */
  #directAccount: string | undefined = undefined
  /** Time that the connection stage has used beyond its share. */
  #aheadMs = 0
  /** Time that was used in this turn of the event loop. */
  #usedMs = 0
  #isWorking = false
  #onIdle: (() => void)[] = []

  /**
   * Calls `start` in a turn of the connection, after its request before has ended (`endOnConnection`).
   * @param network of the client: connections without a known account share the turns of theirs
   */
  startOnConnection(connection: object, network: string, start: () => void): void {
    const group = this.#accountOf.get(connection) ?? network
    const isBusy = this.#isWorking || this.#usedMs >= maxTurnMs || this.#connections.isReady || this.#accounts.isReady
    if (isBusy || this.#connections.has(connection)) {
      this.#connections.push(connection, group, start)
      this.#startNext()
    } else {
      this.#connections.begin(connection, group)
      this.#run(start, true)
    }
  }

  endOnConnection(connection: object): void {
    this.#connections.end(connection)
    this.#startNext()
  }

  /** Removes the waiting requests of a closed connection. */
  removeConnection(connection: object): void {
    this.#connections.clear(connection)
    this.#startNext()
  }

  /** Records the account of a connection's last request. */
  identify(connection: object, party: string): void {
    this.#accountOf.set(connection, party)
  }

  /**
   * Waits for a turn of the account in which a new request may start. `endRequest` ends it, or lets it wait for mail.
   * @throws AppError `RATE_LIMITED` when too many requests of the account wait already
   */
  async startRequest(party: string): Promise<void> {
    if (this.#accounts.waitingOf(party) >= maxWaiting) throw tooManyWaiting()
    const isAlone = this.#isWorking && !this.#directAccount && !this.#accounts.has(party)
    if (!isAlone || this.#directRate.waitMs(party) > 0) return this.#turnOf(party, false)
    // the only request of its account, which has worked little in the last second, continues in the turn of its connection
    this.#accounts.begin(party, party)
    this.#directAccount = party
  }

  endRequest(party: string): void {
    this.#accounts.end(party)
    this.#startNext()
  }

  /** Waits for a turn of the account in which a request continues after its share has ended. */
  resumeRequest(party: string): Promise<void> {
    return this.#turnOf(party, true)
  }

  /** Resolves when no request waits or runs, including those whose caller has disconnected. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle.push(resolve)
      this.#startNext()
    })
  }

  #turnOf(party: string, isResuming: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#accounts.push(party, party, resolve, isResuming)
      this.#startNext()
    })
  }

  /** Starts the next request, of the stage that has used less of its share. */
  #startNext(): void {
    if (this.#isWorking || this.#usedMs >= maxTurnMs) return
    const isConnection = this.#connections.isReady && (this.#aheadMs <= 0 || !this.#accounts.isReady)
    const start = (isConnection ? this.#connections : this.#accounts).shift()
    if (start) return this.#run(start, isConnection)
    if (this.#onIdle.length === 0 || !this.#connections.isEmpty || !this.#accounts.isEmpty) return
    for (const resolve of this.#onIdle) resolve()
    this.#onIdle = []
  }

  #run(start: () => void, isConnection: boolean): void {
    const begunAt = performance.now()
    this.#isWorking = true
    start()
    // this tick runs when no promise job is left: the request now waits for I/O, or has ended
    queueMicrotask(() => process.nextTick(() => {
      const workMs = performance.now() - begunAt
      this.#usedMs += workMs
      this.#aheadMs = Math.min(maxAheadMs, Math.max(-maxAheadMs, this.#aheadMs + (isConnection ? workMs : -connectionShare * workMs)))
      this.#isWorking = false
      if (this.#directAccount) this.#directRate.record(this.#directAccount, workMs)
      this.#directAccount = undefined
      if (this.#usedMs < maxTurnMs) return this.#startNext()
      setImmediate(() => {
        this.#usedMs = 0
        this.#startNext()
      })
    }))
  }
}

const tooManyWaiting = () => rateLimited(`${maxWaiting} requests of this account wait already. Send fewer at once.`)
