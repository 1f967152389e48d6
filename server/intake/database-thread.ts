import { openDatabase } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { writeTurnAt } from '../store/changes/write-turns.ts'
import { runThread } from './thread-main.ts'
import type { ThreadContext, ThreadWork } from './thread-main.ts'

/** The functions that the work of a thread with a database is given. */
export interface DatabaseThreadContext extends Omit<ThreadContext, 'settle'> {
  db: Database
  /**
   * Runs the work on a message and reports its result; results of one commit are reported together.
   * @param receivedAt the time of the message in milliseconds since 1970, 0 for none
   */
  settle(id: string, receivedAt: number, work: () => Promise<unknown>): Promise<void>
}

/** Runs in a thread that has connections to the database. @param open opens the work for a server */
export function runDatabaseThread<Message>(
  open: (context: DatabaseThreadContext) => Omit<ThreadWork<Message>, 'closed'>,
): void {
  runThread<Message>(async (context) => {
    // the time is that of the messages, so that a test's clock applies here too
    let now = 0
    const { database, writePlace } = context.data
    const clock = { now: () => now, at: () => () => {} }
    const db = await openDatabase(database, clock, { migrate: false, turn: writeTurnAt(writePlace!) })
    db.commits.on('committed', context.announce)
    const work = open({
      ...context, db,
      settle(id, receivedAt, run) {
        now = Math.max(now, receivedAt)
        return context.settle(id, run)
      },
    })
    return { ...work, closed: () => db.close() }
  })
}
