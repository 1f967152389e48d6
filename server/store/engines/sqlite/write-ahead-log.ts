import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import type { DatabaseFile, DiskReserve } from '../../engine.ts'
import { isBusy, isFull } from './errors.ts'
import { isMark, newMark, noMark } from './file-header.ts'
import { logOf } from './file-names.ts'
import { pageBytes } from './free-pages.ts'

/** Bytes of the log: from `worthCheckpointBytes` on a checkpoint is due, from `maxLogBytes` on a commit makes one. */
const worthCheckpointBytes = 4 * 1024 * 1024
const maxLogBytes = 256 * 1024 * 1024
/** Bytes of the file of an empty log under load: it is not truncated further, since growing it again costs time. */
const keptLogBytes = 64 * 1024 * 1024
/** Calls of `takeCheckpointTurn` without a commit after which a large log is truncated. */
const idleChecks = 10

export function useWriteAheadLog(writer: Sqlite.Database) {
  writer.pragma('journal_mode = WAL')
  writer.pragma(`wal_autocheckpoint = ${maxLogBytes / pageBytes}`)
  writer.pragma(`journal_size_limit = ${keptLogBytes}`)
}

export function openWriteAheadLog(
  file: string, { writer, reader, reserve }: { writer: Sqlite.Database, reader: Sqlite.Database, reserve: DiskReserve },
): Pick<DatabaseFile, 'bytes' | 'takeCheckpointTurn' | 'checkpoint'> {
  // changes with each commit of another connection
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()
  let checkedVersion: number | undefined
  let checksWithoutCommit = 0
  let checkpointedVersion: number | undefined
  const logFile = logOf(file)
  const logBytes = () => statSync(logFile).size
  const runCheckpoint = (mode: 'PASSIVE' | 'TRUNCATE') =>
    (writer.pragma(`wal_checkpoint(${mode})`) as [{ log: number, checkpointed: number }])[0]

  return {
    bytes: () => ({ data: statSync(file).size, log: logBytes() }),
    takeCheckpointTurn() {
      const bytes = logBytes()
      if (bytes <= worthCheckpointBytes && !(bytes > 0 && reserve.isLow())) return false
      const version = dataVersion.get()!
      const isDue = version !== checkedVersion || ++checksWithoutCommit === idleChecks
      if (isDue) checksWithoutCommit = 0
      checkedVersion = version
      return isDue
    },
    checkpoint() {
      if (!writer.open) return
      const version = dataVersion.get()!
      const isIdle = version === checkpointedVersion
      // the log restarts only when all of it is copied: pages written meanwhile need another, shorter round
      for (let round = 0; round < 5; round++) {
        const { log, checkpointed } = runCheckpoint('PASSIVE')
        if (log !== checkpointed) continue
        if (isIdle) runCheckpoint('TRUNCATE') // does nothing while another connection reads
        checkpointedVersion = version
        return
      }
    },
  }
}

/** Writes into the file's header whether the newest data are in the log. A copy of the file without the log is recognized by it. */
interface LogMark {
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
