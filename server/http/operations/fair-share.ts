import { rateLimited } from '../../errors.ts'
import { FairQueue } from '../../turns/fair-queue.ts'

/** Milliseconds of request work per turn of the event loop; further requests wait for the next turn. */
const maxTurnMs = 5
/** Maximum milliseconds of work that the requests of unknown callers may be ahead of their share, or behind. */
const maxAheadMs = 20
/** Requests of unknown callers get this many times the time of the others: their work is short, and identifies the account. */
const unknownShare = 3
/** Maximum requests of an account that run at once, and that wait: above the 500 waits for mail that it may have open. */
const maxRunning = 16
const maxWaiting = 600

/** The requests of an account that have begun. */
interface Running {
  count: number
  /** Called when one of them has ended, in place of which another begins. */
  waiting: (() => void)[]
}

/**
 * Divides the time of the main thread between accounts (docs/decisions/0003). A request takes a turn of the account of its connection, or
 * of the network of the client before that is known. Then its caller is identified, and it takes a turn of its account, unless it has that.
 * It runs until it waits for I/O, then the next one starts; after `maxTurnMs` the event loop handles other events first. So a request
 * waits for about one request of each other account and of each network with new connections, regardless of how many they have sent.
 */
export class FairShare {
  readonly #ofAccounts = new FairQueue<() => void>()
  /** By network: the account of the connection is not known yet. */
  readonly #ofUnknown = new FairQueue<() => void>()
  /** The account of a connection's last request. */
  readonly #accountOf = new WeakMap<object, string>()
  readonly #running = new Map<string, Running>()
  /** Time that requests of unknown callers have used beyond their share. */
  #aheadMs = 0
  /** Time that was used in this turn of the event loop. */
  #usedMs = 0
  /** The account, or the network, whose request works at the moment; undefined for none. */
  #working: string | undefined = undefined

  /** Calls `start` in a turn of the connection's account, or of the network of its client. */
  begin(connection: object, network: string, start: () => unknown): void {
    const account = this.#accountOf.get(connection)
    this.#startInTurn(account ?? network, start, account === undefined)
  }

  /** Records the account of a connection's last request. */
  identify(connection: object, account: string): void {
    this.#accountOf.set(connection, account)
  }

  accountOf(connection: object): string | undefined {
    return this.#accountOf.get(connection)
  }

  /**
   * Waits until a request of the account may begin, and for its turn.
   * @param party the account of the caller, or the network of a request without one
   * @throws AppError `RATE_LIMITED` when too many requests of the account wait already
   */
  async startRequest(party: string): Promise<void> {
    let running = this.#running.get(party)
    if (!running) this.#running.set(party, running = { count: 0, waiting: [] })
    if (running.count < maxRunning) {
      running.count++
      if (this.#working !== party) await this.turn(party)
    } else {
      if (running.waiting.length >= maxWaiting) throw tooManyWaiting()
      await new Promise<void>((resolve) => { running.waiting.push(resolve) })
      await this.turn(party)
    }
  }

  endRequest(party: string): void {
    const running = this.#running.get(party)!
    const next = running.waiting.shift()
    if (next) next() // in its place
    else if (--running.count === 0) this.#running.delete(party)
  }

  /** Waits for a turn of the account, in which a request continues. */
  turn(party: string): Promise<void> {
    return new Promise((resolve) => { this.#startInTurn(party, resolve, false) })
  }

  #startInTurn(name: string, start: () => unknown, isUnknown: boolean) {
    // while no request works, none waits
    if (this.#working === undefined && this.#usedMs < maxTurnMs) return this.#run(name, start, isUnknown)
    const queue = isUnknown ? this.#ofUnknown : this.#ofAccounts
    queue.push(name, () => this.#run(name, start, isUnknown))
  }

  /** Starts the next request: of an unknown caller, unless these have used their share. */
  #startNext() {
    const isUnknown = this.#ofUnknown.size > 0 && (this.#aheadMs <= 0 || this.#ofAccounts.size === 0)
    const queue = isUnknown ? this.#ofUnknown : this.#ofAccounts
    if (queue.size > 0) queue.shift()!()
  }

  #run(name: string, start: () => unknown, isUnknown: boolean) {
    const begunAt = performance.now()
    this.#working = name
    start()
    // this tick runs when no promise job is left: the request now waits for I/O, or has ended
    queueMicrotask(() => process.nextTick(() => {
      const workMs = performance.now() - begunAt
      this.#usedMs += workMs
      this.#aheadMs = Math.min(maxAheadMs, Math.max(-maxAheadMs, this.#aheadMs + (isUnknown ? workMs : -unknownShare * workMs)))
      this.#working = undefined
      if (this.#usedMs >= maxTurnMs) {
        setImmediate(() => {
          this.#usedMs = 0
          this.#startNext()
        })
      } else if (this.#ofUnknown.size + this.#ofAccounts.size > 0) this.#startNext()
    }))
  }
}

const tooManyWaiting = () => rateLimited(`${maxWaiting} requests of this account wait already. Send fewer at once.`)
