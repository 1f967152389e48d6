import { existsSync, readFileSync, statSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { cannotOpen, isBusy } from './errors.ts'

/** A server holds an exclusive lock on this file; the operating system releases the lock when the process dies. */
const lockFileOf = (database: string) => `${database}-server`

/** Maximum wait for another process that only looks whether a server runs, or that has just made the database. */
const claimTimeoutMs = 250

/** @see Engine.claim */
export function openServerLock(database: string): { claim(timeoutMs?: number): void, release(): void } {
  const file = lockFileOf(database)
  let lock: Sqlite.Database | undefined
  return {
    claim(timeoutMs = claimTimeoutMs) {
      try {
        lock = new Sqlite(file, { timeout: timeoutMs })
        lock.exec('begin exclusive')
      } catch (error) {
        lock?.close()
        if (!isBusy(error)) throw cannotOpen(database, error)
        const pid = lockHolder(file)
        const other = pid === undefined ? 'another server' : `another server, process ${pid},`
        throw new Error(`MAYFLY_DATABASE: ${other} runs on ${database}. Stop it first, or name another file.`, { cause: error })
      }
    },
    release: () => { lock?.close() },
  }
}

/** Whether a server runs on the database. */
export function isServed(database: string): boolean {
  const file = lockFileOf(database)
  if (!existsSync(file)) return false
  const lock = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 0 })
  try {
    lock.prepare('select 1 from sqlite_master').all()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    lock.close()
  }
}

/** Offset of SQLite's lock bytes in a file (PENDING_BYTE). */
const firstLockedByte = 0x4000_0000

/**
 * Finds the process that has an exclusive lock on a SQLite file. Works on Linux only, by /proc/locks.
 * @returns undefined on other systems, and for a process of another PID namespace
 */
function lockHolder(file: string): number | undefined {
  try {
    const { ino } = statSync(file)
    for (const line of readFileSync('/proc/locks', 'latin1').split('\n')) {
      // 3: POSIX  ADVISORY  WRITE 3228 fe:00:4243603 1073741824 1073742335
      const [, pid, inode, start] = /^\d+: POSIX\s+ADVISORY\s+WRITE\s+(\d+) \w+:\w+:(\d+) (\d+) /.exec(line) ?? []
      if (Number(inode) === ino && Number(start) === firstLockedByte) return Number(pid) || undefined
    }
  } catch { /* no /proc, or none that this user may read */ }
  return undefined
}
