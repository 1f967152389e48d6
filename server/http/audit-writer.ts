import type { App } from '../context.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'

export interface WriteTogether<Row> {
  /** Adds a row to the next write. */
  add(row: Row): void
  /** Writes all waiting rows. */
  flush(): Promise<void>
}

interface Options<Row> {
  /** Time from the first row to the write, in which further rows are collected. */
  flushDelayMs: number
  write(tx: Tx, rows: Row[]): Promise<void>
  /** Log message for rows that could not be written. */
  lost: string
}

/** Maximum rows per transaction: a longer one would block other requests of the thread. */
const maxRowsPerTransaction = 100

/** Collects rows and writes many in one transaction: a commit for each would cost more than the requests. */
export function writeTogether<Row>(app: App, { flushDelayMs, write, lost }: Options<Row>): WriteTogether<Row> {
  let waiting: Row[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const rows = waiting
    waiting = []
    for (let start = 0; start < rows.length; start += maxRowsPerTransaction) {
      const some = rows.slice(start, start + maxRowsPerTransaction)
      writing = writing
        .then(() => inTransaction(app.db, (tx) => write(tx, some)))
        .catch((error: unknown) => app.log.error({ err: error, rows: some.length }, lost))
    }
    return writing
  }

  return {
    flush,
    add(row) {
      waiting.push(row)
      timer ??= setTimeout(() => void flush(), flushDelayMs)
    },
  }
}
