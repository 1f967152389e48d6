import type { SharedArrivals } from '../../shared-database.ts'
import { isDivisionByZero } from './errors.ts'
import { endLock, lockKeyOf } from './locks.ts'
import type { Pool } from './pool.ts'

/**
 * @param readers connections for reads
 * @param own a pool of one connection, in which no transaction of a change is waited for
 */
export function openArrivals(readers: Pool, own: Pool): SharedArrivals {
  let settling: Promise<unknown> | undefined
  let next: Promise<void> | undefined

  return {
    async refuseLate(at, arrivals, { marginMs, lateError }) {
      try {
        await at.execute(refuseLate, [arrivals.map(({ nodeId }) => nodeId), arrivals.map(({ arrivedAt }) => arrivedAt), marginMs])
      } catch (error) {
        throw isDivisionByZero(error) ? lateError() : error
      }
    },
    settleEnds() {
      // calls that come during a wait share the next one
      return next ??= Promise.resolve(settling?.catch(() => {})).then(async () => {
        next = undefined
        await (settling = readers.query({ name: 'settle-ends', text: 'select pg_advisory_xact_lock_shared($1)', values: [lockKeyOf(endLock)] }))
      })
    },
    async record(nodeId, since, recordedAt) {
      await own.query('update nodes set arriving_since = $2, arriving_recorded_at = $3 where id = $1', [nodeId, since, recordedAt])
    },
    async oldest(nodeId, addressId) {
      const { rows: [row] } = await readers.query<{ since: number | null, email_id: string | null }>(
        { name: 'oldest-arrivals', text: oldest, values: [nodeId, addressId] })
      return { since: row!.since, emailId: row!.email_id }
    },
    async waitingBytes(accountId) {
      const { rows: [row] } = await readers.query<{ bytes: number }>({ name: 'waiting-bytes', text: waitingBytes, values: [accountId] })
      return row!.bytes
    },
  }
}

// a division by zero fails the transaction, whose commit is sent before the answer
const refuseLate = `
  select 1 / (case when exists (
    select 1 from unnest($1::text[], $2::float8[]) as arrival (node_id, arrived_at)
    where extract(epoch from clock_timestamp()) * 1000 - arrived_at > $3 and not exists (
      select 1 from nodes where id = node_id and arriving_since <= arrived_at and arriving_recorded_at <= arrived_at + $3 for share
    )
  ) then 0 else 1 end)`

/** Two conditions, each with an index. */
const waitingMails = (columns: string, condition: string) => ['claimed_by is null', 'claimed_by is not null']
  .map((claim) => `select ${columns} from jobs where ${claim} and task = 'parse-message' and ${condition}`).join(' union all ')

// the ids of the emails of a mail are in the order of its recipients
const oldest = `
  select
    (select min(arriving_since) from nodes where id <> $1) as since,
    (select min(email_id) from (${waitingMails("payload::json #>> '{envelope,recipients,0,emailId}' as email_id", 'strpos(payload, $2) > 0')}) as mails) as email_id`

const waitingBytes = `
  select coalesce(sum(bytes), 0) as bytes from (${waitingMails("(payload::json ->> 'size')::bigint as bytes", 'lane = $1')}) as mails`
