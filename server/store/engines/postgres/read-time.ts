import type { Pool } from './pool.ts'

/** The time of the server, in milliseconds since 1970: not that of the begin of a transaction. */
export async function readTime(pool: Pool): Promise<number> {
  const { rows: [row] } = await pool.query<{ time: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as time')
  return row!.time
}
