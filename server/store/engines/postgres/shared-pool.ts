import { AsyncLocalStorage } from 'node:async_hooks'
import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { FairDispatcher } from '../../../turns/fair-queue.ts'
import { usageRate } from '../../../turns/usage-rate.ts'
import type { Engine } from '../../engine.ts'
import type { Pool } from './pool.ts'

/** Milliseconds of connections per second beyond which an account is busy. */
const lightMsPerSecond = 200

/** The account whose queries run; none for those of the server, such as the lookup of an API key. */
const accounts = new AsyncLocalStorage<string>()

export const runForAccount: Engine['runForAccount'] = (accountId, work, ...args) => accounts.run(accountId, work, ...args)

interface Turn {
  /** '' for the server itself. */
  account: string
  /** Starts a query, which calls `end` when it has its result. */
  start(end: () => void): void
}

/**
 * A pool whose connections accounts take in rotation. All busy accounts together leave one of several connections to the others: so a
 * short query does not wait for long ones, whatever the number of accounts that send these. Queries of the server itself, such as the
 * lookup of an API key, are short, and go first.
 */
export class SharedPool {
  readonly #pool: Pool
  readonly #used = usageRate(lightMsPerSecond)
  readonly #ofServer: FairDispatcher<Turn>
  readonly #ofAccounts: FairDispatcher<Turn>
  /** Queries in progress, and those of them of busy accounts. */
  #running = 0
  #runningOfBusy = 0

  /** @param max connections of the pool, which nothing else uses for long */
  constructor(pool: Pool, max: number) {
    this.#pool = pool
    const start = (turn: Turn) => this.#start(turn)
    const isFull = () => this.#running === max
    this.#ofServer = new FairDispatcher({ start, isFull })
    this.#ofAccounts = new FairDispatcher({
      start, isFull, mayStart: (account) => this.#runningOfBusy < Math.max(1, max - 1) || !this.#isBusy(account),
    })
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
      const account = accounts.getStore() ?? ''
      const queue = account === '' ? this.#ofServer : this.#ofAccounts
      queue.push(account, { account, start })
    })
  }

  #start({ account, start }: Turn) {
    const begunAt = performance.now()
    const isBusy = this.#isBusy(account)
    this.#running++
    if (isBusy) this.#runningOfBusy++
    start(() => {
      this.#running--
      if (isBusy) this.#runningOfBusy--
      if (account !== '') this.#used.record(account, performance.now() - begunAt)
      this.#ofServer.startNext()
      this.#ofAccounts.startNext()
    })
  }

  #isBusy(account: string) {
    return account !== '' && this.#used.waitMs(account) > 0
  }
}
