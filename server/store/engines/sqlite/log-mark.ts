import type Sqlite from 'better-sqlite3'
import { isBusy, isFull } from './errors.ts'
import { isMark, newMark, noMark } from './file-header.ts'

/** Writes into the file's header whether the newest data are in the log. A copy of the file without the log is recognized by it. */
export interface LogMark {
  /** The mark of this server. */
  value: number
  /** Marks the file. @returns whether the file has the mark; false while it is only in the log, because another process reads */
  set(): boolean
  /**
   * Unmarks the file, which has all data once this connection is closed as the last one.
   * @param mayUnmark called while this connection has the write lock
   * @returns false when the disk is full or another process writes: the log has to stay then
   */
  clear(mayUnmark: () => boolean): boolean
}

export function openLogMark(writer: Sqlite.Database): LogMark {
  const mark = (to: number) => { writer.pragma(`user_version = ${to}`) }
  const value = newMark()
  const found = () => writer.pragma('user_version', { simple: true }) as number
  /** @returns whether all of the log is in the file */
  const checkpoint = () => {
    const [{ busy, log, checkpointed }] = writer.pragma('wal_checkpoint(PASSIVE)') as [{ busy: number, log: number, checkpointed: number }]
    return busy === 0 && log === checkpointed
  }

  return {
    value,
    set() {
      if (found() !== value) mark(value)
      return checkpoint()
    },
    clear(mayUnmark) {
      try {
        if (!isMark(found()) || !mayUnmark()) return true
        checkpoint() // all other pages reach the file before the one with the mark
        writer.transaction(() => { if (mayUnmark()) mark(noMark) }).immediate()
        return true
      } catch (error) {
        if (isFull(error) || isBusy(error)) return false
        throw error
      }
    },
  }
}
