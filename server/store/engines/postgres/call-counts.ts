import type { SharedDatabase } from '../../shared-database.ts'
import type { Pool } from './pool.ts'

/** Counters in an unlogged table, whose changes are not flushed to the disk. @param pool of one connection, which no other query delays */
export const openCallCounts = (pool: Pool): Pick<SharedDatabase, 'addCalls' | 'removeCalls'> => ({
  async addCalls(calls) {
    const values = [calls.map(({ endsAt }) => endsAt), calls.map(({ name }) => name), calls.map((call) => call.calls)]
    const { rows } = await pool.query<{ ends_at: number, name: string, calls: number }>({ name: 'add-calls', text: upsert, values })
    const counts = new Map(rows.map((row) => [`${row.ends_at} ${row.name}`, row.calls]))
    return calls.map(({ endsAt, name }) => counts.get(`${endsAt} ${name}`)!)
  },
  async removeCalls(endedBefore) {
    await pool.query('delete from call_counts where ends_at < $1', [endedBefore])
  },
})

// in the order of the key, in which all nodes lock the rows
const upsert = `
  insert into call_counts as counted (ends_at, name, calls)
  select ends_at, name, calls from unnest($1::bigint[], $2::text[], $3::bigint[]) as added (ends_at, name, calls) order by ends_at, name
  on conflict (ends_at, name) do update set calls = counted.calls + excluded.calls
  returning ends_at, name, calls`
