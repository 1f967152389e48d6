import type { ClaimedAuthentication } from '../domain/publishing.ts'

/** Jobs that were claimed in the transaction that queued them. */
export interface ClaimedJobs {
  run(job: ClaimedAuthentication['job']): void
  /** The thread that claims jobs has ended without an answer: finds its jobs when their leases end. */
  findLost(): void
}
