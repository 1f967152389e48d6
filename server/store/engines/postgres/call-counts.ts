import type { SharedDatabase, WindowCalls } from '../../shared-database.ts'
import type { Pool } from './pool.ts'

/** @param pool of one connection, which no other query delays, and whose commits do not wait for the disk */
export const openCallCounts = (pool: Pool): Pick<SharedDatabase, 'addCalls' | 'removeCalls'> => ({
  async addCalls(calls) {
    const column = <K extends keyof WindowCalls>(name: K) => calls.map((call) => call[name])
    const values = [column('endsAt'), column('name'), column('calls'), column('known')]
    const { rows } = await pool.query<{ ends_at: number, name: string, calls: number }>({ name: 'add-calls', text: upsert, values })
    const counts = new Map(rows.map((row) => [`${row.ends_at} ${row.name}`, row.calls]))
    return calls.map(({ endsAt, name }) => counts.get(`${endsAt} ${name}`)!)
  },
  async removeCalls(endedBefore) {
    await pool.query('delete from call_counts where ends_at < $1', [endedBefore])
  },
})

// In the order of the key, in which all nodes lock the rows. `excluded.calls` is the known count and the calls: the count after a crash
// that has lost some. The column `added` passes the number of calls to `do update`.
const upsert = `
  insert into call_counts as counted (ends_at, name, calls, added)
  select ends_at, name, known + calls, calls
  from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as new (ends_at, name, calls, known) order by ends_at, name
  on conflict (ends_at, name) do update set calls = greatest(counted.calls + excluded.added, excluded.calls)
  returning ends_at, name, calls`
