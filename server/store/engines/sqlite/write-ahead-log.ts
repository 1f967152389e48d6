import { statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import type { DiskReserve, Engine } from '../../engine.ts'
import { pageBytes } from './free-pages.ts'

/** Bytes of the log: from `worthCheckpointBytes` on a checkpoint is due, from `maxLogBytes` on a commit makes one. */
const worthCheckpointBytes = 4 * 1024 * 1024
const maxLogBytes = 256 * 1024 * 1024
/** Bytes of the file of an empty log: it is not truncated further, since growing it again costs time. */
const keptLogBytes = 64 * 1024 * 1024

export function useWriteAheadLog(writer: Sqlite.Database) {
  writer.pragma('journal_mode = WAL')
  writer.pragma(`wal_autocheckpoint = ${maxLogBytes / pageBytes}`)
  writer.pragma(`journal_size_limit = ${keptLogBytes}`)
}

export function openWriteAheadLog(
  file: string, { writer, reader, reserve }: { writer: Sqlite.Database, reader: Sqlite.Database, reserve: DiskReserve },
): Pick<Engine, 'fileBytes' | 'isCheckpointDue' | 'checkpoint'> {
  // changes with each commit of another connection
  const dataVersion = reader.prepare<[], number>('pragma data_version').pluck()
  let checkpointedVersion: number | undefined
  return {
    fileBytes: () => ({ data: statSync(file).size, log: statSync(`${file}-wal`).size }),
    isCheckpointDue() {
      if (statSync(`${file}-wal`).size <= worthCheckpointBytes && !reserve.isLow()) return false
      const version = dataVersion.get()!
      const isDue = version !== checkpointedVersion
      checkpointedVersion = version
      return isDue
    },
    checkpoint() {
      if (!writer.open) return
      // the log restarts only when all of it is copied: pages written meanwhile need another, shorter round
      for (let round = 0; round < 5; round++) {
        const [{ log, checkpointed }] = writer.pragma('wal_checkpoint(PASSIVE)') as [{ log: number, checkpointed: number }]
        if (log === checkpointed) return
      }
    },
  }
}
