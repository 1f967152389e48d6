import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import { usageRate } from '../../../turns/usage-rate.ts'
import { accountOfQuery } from '../../engine.ts'
import type { Pool } from './pool.ts'

/** Milliseconds of connections per second beyond which an account is busy. */
const lightMsPerSecond = 200

/** A pool whose connections accounts take in rotation. */
export interface SharedPool extends Pick<Pool, 'options'> {
  query(query: QueryConfig): Promise<QueryResult>
  connect(): Promise<PoolClient>
}

/** Starts a query, which calls `end` when it has its result. */
type Start = (end: () => void) => void

/**
 * Gives connections to accounts in rotation. All busy accounts together leave one of several connections to the others: so a short query
 * does not wait for long ones, whatever the number of accounts that send these. Queries of the server itself, such as the lookup of an API
 * key, are short, and go first.
 * @param max connections of the pool, which nothing else uses for long
 */
export function sharePool(pool: Pool, max: number): SharedPool {
  const maxOfBusy = Math.max(1, max - 1)
  const used = usageRate(lightMsPerSecond)
  const isBusy = (account: string) => used.waitMs(account) > 0
  const ofServer: Start[] = []
  /** By account, in the order of the next turns. */
  const ofAccounts = new Map<string, Start[]>()
  let running = 0
  let runningOfBusy = 0

  function startNext() {
    while (running < max && ofServer.length > 0) begin('', ofServer.shift()!, false)
    for (const [account, starts] of ofAccounts) {
      if (running === max) return
      const ofBusy = isBusy(account)
      if (ofBusy && runningOfBusy === maxOfBusy) continue
      const start = starts.shift()!
      ofAccounts.delete(account)
      if (starts.length > 0) ofAccounts.set(account, starts) // to the end of the rotation
      begin(account, start, ofBusy)
    }
  }

  function begin(account: string, start: Start, ofBusy: boolean) {
    const begunAt = performance.now()
    running++
    if (ofBusy) runningOfBusy++
    start(() => {
      running--
      if (ofBusy) runningOfBusy--
      if (account !== '') used.record(account, performance.now() - begunAt)
      startNext()
    })
  }

  /** Waits for a turn. @returns a function that ends it */
  const take = () => new Promise<() => void>((start) => {
    const account = accountOfQuery()
    const starts = account === '' ? ofServer : ofAccounts.get(account) ?? []
    starts.push(start)
    if (account !== '') ofAccounts.set(account, starts)
    startNext()
  })

  return {
    options: pool.options,
    async query(query) {
      const end = await take()
      try {
        return await pool.query(query)
      } finally {
        end()
      }
    },
    async connect() {
      const end = await take()
      try {
        const client = await pool.connect()
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
    },
  }
}
