import type { Bit } from './values.ts'

/** The queue of jobs. */
export interface JobTables {
  jobs: JobRow
}

export interface JobRow {
  id: string
  task: string
  lane: string
  payload: string
  run_at: number
  attempts: number
  is_leased: Bit
}
