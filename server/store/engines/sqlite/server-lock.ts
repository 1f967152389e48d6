import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import Sqlite from 'better-sqlite3'
import { cannotOpen, isBusy, isDamaged, isFull } from './errors.ts'
import { fileOf } from './file-names.ts'

/** Maximum wait for another process that only looks whether a server runs, or that has just made the database. */
const claimTimeoutMs = 250

export interface ServerLock {
  /** @see Engine.claim @param mark stays in the lock's file after a kill */
  claim(options?: { timeoutMs?: number, mark?: number }): void
  release(): void
}

/** A server holds an exclusive lock on a file beside the database; the operating system releases the lock when the process dies. */
export function openServerLock(database: string): ServerLock {
  const file = fileOf(database, 'lock')
  let lock: Sqlite.Database | undefined
  return {
    claim({ timeoutMs = claimTimeoutMs, mark } = {}) {
      try {
        lock = new Sqlite(file, { timeout: timeoutMs })
        lock.pragma('journal_mode = MEMORY')
        lock.pragma('locking_mode = EXCLUSIVE') // keeps the lock after a commit
        lock.exec('begin exclusive')
        if (mark !== undefined) writeMark(lock, mark)
      } catch (error) {
        lock?.close()
        if (isDamaged(error)) throw new DamagedLock(database, error)
        if (!isBusy(error)) throw cannotOpen(database, error)
        const pid = serverOf(database)
        const other = pid === undefined ? 'another server' : `another server, process ${pid},`
        throw new Error(`MAYFLY_DATABASE: ${other} runs on ${database}. Stop it first, or name another file.`, { cause: error })
      }
    },
    release() {
      if (!lock?.open) return
      if (lock.inTransaction) lock.exec('rollback')
      else writeMark(lock, 0)
      lock.close()
    },
  }
}

/** Writes the mark, which is not there on a full disk. */
function writeMark(lock: Sqlite.Database, mark: number) {
  try {
    lock.exec(`pragma user_version = ${mark}; ${lock.inTransaction ? 'commit' : ''}`)
  } catch (error) {
    if (!isFull(error)) throw error
    if (!lock.inTransaction) lock.exec('begin exclusive')
  }
}

/** Whether a server runs on the database. */
export function isServed(database: string): boolean {
  const file = fileOf(database, 'lock')
  if (!existsSync(file)) return false
  const lock = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 0 })
  try {
    lock.prepare('select 1 from sqlite_master').all()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw isDamaged(error) ? new DamagedLock(database, error) : error
  } finally {
    lock.close()
  }
}

/**
 * The file has its length without its content, as after a power failure. It is not removed here, since a running server may have locked it.
 */
export class DamagedLock extends Error {
  /** Follows the name of the database in a sentence. */
  readonly reason: string
  readonly wayOut: string

  constructor(database: string, cause: unknown) {
    const lock = fileOf(database, 'lock')
    const reason = `has a damaged lock (${basename(lock)}), as after a power failure`
    const wayOut = `Stop the server, if one runs, and remove the file ${lock}: it has no data.`
    super(`MAYFLY_DATABASE: ${database} ${reason}. ${wayOut}`, { cause })
    this.reason = reason
    this.wayOut = wayOut
  }
}

/** Offset of SQLite's lock bytes in a file (PENDING_BYTE). */
const firstLockedByte = 0x4000_0000

/**
 * Finds the process that runs on the database. Works on Linux only, by /proc/locks.
 * @returns undefined on other systems, and for a process of another PID namespace
 */
export function serverOf(database: string): number | undefined {
  try {
    const { ino } = statSync(fileOf(database, 'lock'))
    for (const line of readFileSync('/proc/locks', 'latin1').split('\n')) {
      // 3: POSIX  ADVISORY  WRITE 3228 fe:00:4243603 1073741824 1073742335
      const [, pid, inode, start] = /^\d+: POSIX\s+ADVISORY\s+WRITE\s+(\d+) \w+:\w+:(\d+) (\d+) /.exec(line) ?? []
      if (Number(inode) === ino && Number(start) === firstLockedByte) return Number(pid) || undefined
    }
  } catch { /* no /proc, or none that this user may read */ }
  return undefined
}
