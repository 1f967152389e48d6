import type { JobLane, SharedDatabase } from '../../shared-database.ts'
import type { Pool } from './pool.ts'

/** Maximum lanes of a query. */
const maxLanes = 1_000

/** @see SharedDatabase */
export const openDueLanes = (pool: Pool): SharedDatabase['dueLanes'] => async (now, after = { task: '', lane: '' }) => {
  const { rows } = await pool.query<JobLane & { is_due: number }>({ name: 'due-lanes', text: sql, values: [after.task, after.lane, now, maxLanes] })
  return {
    due: rows.filter((row) => row.is_due).map(({ task, lane }) => ({ task, lane })),
    last: rows.length === maxLanes ? rows.at(-1) : undefined,
  }
}

const sql = `
  with recursive lanes as (
    (select task, lane from jobs where claimed_by is null and (task, lane) > ($1, $2) order by task, lane limit 1)
    union all
    select next.task, next.lane from lanes cross join lateral (
      select task, lane from jobs where claimed_by is null and (task, lane) > (lanes.task, lanes.lane) order by task, lane limit 1
    ) as next
  )
  select task, lane, exists (
    select 1 from jobs where claimed_by is null and jobs.task = lanes.task and jobs.lane = lanes.lane and run_at <= $3
  ) as is_due from lanes limit $4`
