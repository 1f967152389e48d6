/** The queue of jobs, and the nodes that run them. */
export interface JobTables {
  jobs: JobRow
  nodes: NodeRow
}

export interface JobRow {
  id: string
  task: string
  lane: string
  payload: string
  run_at: number
  attempts: number
  /** The id of the node that runs the job; null while it waits. */
  claimed_by: string | null
}

/** Has no rows while one process alone uses the database. */
interface NodeRow {
  id: string
  label: string
  version: string
  started_at: number
  beat_at: number
  arriving_since: number | null
  arriving_recorded_at: number | null
}
