import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { usageRate } from '../../../turns/usage-rate.ts'
import { accountOfQuery } from '../../engine.ts'
import type { Pool } from './pool.ts'

/** Milliseconds of connections per second beyond which an account is busy. */
const lightMsPerSecond = 200

/** Starts a query, which calls `end` when it has its result. */
type Start = (end: () => void) => void

/**
 * A pool whose connections accounts take in rotation. All busy accounts together leave one of several connections to the others: so a
 * short query does not wait for long ones, whatever the number of accounts that send these. Queries of the server itself, such as the
 * lookup of an API key, are short, and go first.
 */
export class SharedPool {
  readonly #pool: Pool
  /** Connections of the pool. */
  readonly #max: number
  readonly #used = usageRate(lightMsPerSecond)
  readonly #ofServer: Start[] = []
  /** By account, in the order of the next turns. */
  readonly #ofAccounts = new Map<string, Start[]>()
  /** Queries in progress, and those of them of busy accounts. */
  #running = 0
  #runningOfBusy = 0

  /** @param max connections of the pool, which nothing else uses for long */
  constructor(pool: Pool, max: number) {
    this.#pool = pool
    this.#max = max
  }

  get options(): Pool['options'] {
    return this.#pool.options
  }

  async query(query: QueryConfig): Promise<QueryResult> {
    const end = await this.#take()
    try {
      return await this.#pool.query(query)
    } finally {
      end()
    }
  }

  async connect(): Promise<PoolClient> {
    const end = await this.#take()
    try {
      const client = await this.#pool.connect()
      const release = client.release.bind(client)
      client.release = (error) => {
        client.release = release
        release(error)
        end()
      }
      return client
    } catch (error) {
      end()
      throw error
    }
  }

  /** Waits for a turn. @returns a function that ends it */
  #take() {
    return new Promise<() => void>((start) => {
      const account = accountOfQuery()
      const starts = account === '' ? this.#ofServer : this.#ofAccounts.get(account) ?? []
      starts.push(start)
      if (account !== '') this.#ofAccounts.set(account, starts)
      this.#startNext()
    })
  }

  #startNext() {
    while (this.#running < this.#max && this.#ofServer.length > 0) this.#begin('', this.#ofServer.shift()!, false)
    for (const [account, starts] of this.#ofAccounts) {
      if (this.#running === this.#max) return
      const isBusy = this.#used.waitMs(account) > 0
      if (isBusy && this.#runningOfBusy === Math.max(1, this.#max - 1)) continue
      const start = starts.shift()!
      this.#ofAccounts.delete(account)
      if (starts.length > 0) this.#ofAccounts.set(account, starts) // to the end of the rotation
      this.#begin(account, start, isBusy)
    }
  }

  #begin(account: string, start: Start, isBusy: boolean) {
    const begunAt = performance.now()
    this.#running++
    if (isBusy) this.#runningOfBusy++
    start(() => {
      this.#running--
      if (isBusy) this.#runningOfBusy--
      if (account !== '') this.#used.record(account, performance.now() - begunAt)
      this.#startNext()
    })
  }
}
