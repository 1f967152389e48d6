import type { Locks } from '../../engine.ts'
import type { CommitWait, SharedDatabase } from '../../shared-database.ts'
import type { Step } from './connection.ts'

interface GroupEnds {
  steps: Record<'begin' | 'commit', Step>
  locks: Locks
}

/** Measures the ends of groups of a writer, which has one transaction at a time. */
export function measureEnds({ steps, locks }: GroupEnds): GroupEnds & Pick<SharedDatabase, 'recordCommits'> {
  /** Of the transaction that runs, in milliseconds of `performance.now()`. */
  let end: { askedAt: number, lockedAt: Promise<number> } | undefined
  let record: (wait: CommitWait) => void = () => {}
  return {
    recordCommits(listener) { record = listener },
    steps: {
      begin(client) {
        end = undefined // of a transaction that was rolled back
        return steps.begin(client)
      },
      async commit(client) {
        await steps.commit(client)
        if (!end) return
        const committedAt = performance.now()
        const lockedAt = Math.min(await end.lockedAt, committedAt) // both answers may come in one packet
        record({ lockMs: lockedAt - end.askedAt, commitMs: committedAt - lockedAt })
      },
    },
    locks: {
      ...locks,
      lockEnd(at) {
        const askedAt = performance.now()
        const lockedAt = Promise.resolve(locks.lockEnd(at)).then(() => performance.now())
        end = { askedAt, lockedAt }
        return lockedAt.then(() => {})
      },
    },
  }
}
