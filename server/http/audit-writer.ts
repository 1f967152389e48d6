import type { App } from '../context.ts'
import { insertAuditLogs } from '../store/accounts/audit-logs.ts'
import type { AuditEntry } from '../store/accounts/audit-logs.ts'
import { inTransaction } from '../store/database.ts'

/** Time from the first row to the write, in which further rows are collected. */
const flushDelayMs = 100

/** Maximum rows per transaction: a longer one would block other requests of the thread. */
const maxRowsPerTransaction = 100

export interface AuditWriter {
  /** Adds a row to the next write. */
  add(entry: AuditEntry): void
  /** Writes all waiting rows. */
  flush(): Promise<void>
}

/** Collects audit rows and writes many in one transaction: a commit for each would cost more than the requests. */
export function auditWriter(app: Pick<App, 'db' | 'log'>): AuditWriter {
  let waiting: AuditEntry[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    for (let start = 0; start < entries.length; start += maxRowsPerTransaction) {
      const some = entries.slice(start, start + maxRowsPerTransaction)
      writing = writing
        .then(async () => { await inTransaction(app.db, (tx) => insertAuditLogs(tx, some)) })
        .catch((error: unknown) => app.log.error({ err: error, rows: some.length }, 'audit rows could not be written and are lost'))
    }
    return writing
  }

  return {
    flush,
    add(entry) {
      waiting.push(entry)
      timer ??= setTimeout(() => void flush(), flushDelayMs)
    },
  }
}
