import type { App } from '../context.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'

export interface WriteTogether<Row> {
  /** Writes it soon, with others that come meanwhile. */
  add(row: Row): void
  /** Writes what waits. */
  flush(): Promise<void>
}

interface Manner<Row> {
  /** Time from the first row to the write, in which further rows are collected. */
  flushDelayMs: number
  write(tx: Tx, rows: Row[]): Promise<void>
  /** What the log says of rows that could not be written. */
  lost: string
}

/** Maximum rows per transaction: a longer one would block other requests of the thread. */
const maxRowsPerTransaction = 100

/** Collects rows that may be written a little later: a commit for each would cost more than the requests. */
export function writeTogether<Row>(app: App, { flushDelayMs, write, lost }: Manner<Row>): WriteTogether<Row> {
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
