import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import type { DatabaseFile, DiskReserve } from '../../engine.ts'
import { logOf } from './file-names.ts'
import { pageBytes } from './free-pages.ts'

/** Bytes of the log: from `worthCheckpointBytes` on a checkpoint is due, from `maxLogBytes` on a commit makes one. */
const worthCheckpointBytes = 4 * 1024 * 1024
const maxLogBytes = 256 * 1024 * 1024
/** Bytes of the file of an empty log under load: it is not truncated further, since growing it again costs time. */
const keptLogBytes = 64 * 1024 * 1024
/** Calls of `isCheckpointDue` without a commit after which a large log is truncated. */
const idleChecks = 10

export function useWriteAheadLog(writer: Sqlite.Database) {
  writer.pragma('journal_mode = WAL')
  writer.pragma(`wal_autocheckpoint = ${maxLogBytes / pageBytes}`)
  writer.pragma(`journal_size_limit = ${keptLogBytes}`)
}

export function openWriteAheadLog(
  file: string, { writer, reader, reserve }: { writer: Sqlite.Database, reader: Sqlite.Database, reserve: DiskReserve },
): Pick<DatabaseFile, 'bytes' | 'isCheckpointDue' | 'checkpoint'> {
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
    isCheckpointDue() {
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
