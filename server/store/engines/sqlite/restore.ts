import { chmodSync, chownSync, constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { RestoreOptions } from '../../engine.ts'
import { checkRoom } from './backup.ts'
import { removeDatabase } from './create.ts'
import { cannotOpen, isBusy } from './errors.ts'
import { findIncomplete, noMark, logOf } from './file-header.ts'
import type { Incomplete } from './file-header.ts'
import { readContent } from './inspect.ts'
import { sealCopy } from './seal.ts'
import { isServed, openServerLock } from './server-lock.ts'
import { syncFile, syncFolder } from './sync.ts'

/**
 * Puts a copy of a file in the place of a database that no process has open. The file gets its name by one rename, when it is checked and
 * on disk, so a kill leaves either the old database or the new one.
 * @returns the name under which the old database is kept; null when there was none
 * @throws Error when the file is no complete database, or the database is in use or exists
 */
export function restoreSqlite(file: string, database: string, options: RestoreOptions): string | null {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  if (isServed(file)) throw new Error(`A server runs on ${file}. "mayfly backup" copies its database.`)
  const incomplete = findIncomplete(file) // before the lock: it may read the file of the lock, and closing that would release the lock
  mkdirSync(dirname(database), { recursive: true })
  const lock = openServerLock(database)
  lock.claim()
  try {
    if ([database, logOf(database)].some(existsSync) && !options.force) {
      throw new Error(`MAYFLY_DATABASE: ${database} exists. --force moves it aside, or name another file.`)
    }
    const copy = `${database}-restoring`
    removeDatabase(copy) // of an earlier kill
    try {
      makeCopy(file, copy, incomplete, options)
      giveToOwner(copy, database)
      const aside = moveAside(database, `${database}-replaced-${options.stamp}`)
      renameSync(copy, database)
      syncFolder(dirname(database))
      return aside
    } catch (error) {
      removeDatabase(copy)
      throw error
    }
  } finally {
    lock.release()
  }
}

/** Gives the copy the owner and the permissions of the database that it replaces; without one, the owner of the folder. */
function giveToOwner(copy: string, database: string) {
  const old = statSync(database, { throwIfNoEntry: false })
  const { uid, gid } = old ?? statSync(dirname(database))
  if (process.getuid?.() === 0) chownSync(copy, uid, gid)
  chmodSync(copy, old ? old.mode & 0o777 : 0o600)
}

/** Copies the file, with its log where it has one, and checks the copy. */
function makeCopy(file: string, copy: string, incomplete: Incomplete | undefined, { withoutLog, checkSchema }: RestoreOptions) {
  if (incomplete && !(incomplete.part === 'log' && withoutLog)) {
    const hint = incomplete.part === 'log' ? ' Bring the log as well, or accept with --without-log that its data are lost.' : ''
    throw new Error(`${file} ${incomplete.reason}.${hint}`)
  }
  const parts = [[file, copy], [logOf(file), logOf(copy)]].filter(([from]) => existsSync(from!)) as [string, string][]
  checkRoom(parts.reduce((sum, [from]) => sum + statSync(from).size, 0), dirname(copy), 0)
  for (const [from, to] of parts) {
    copyFileSync(from, to, constants.COPYFILE_FICLONE)
    chmodSync(to, 0o600) // the back-up may be read-only, or readable by all
  }
  try {
    checkSchema(readContent(copy).applied)
    sealCopy(copy, () => {})
  } catch (error) {
    throw new Error(`${file} cannot be restored: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Gives the old database another name and leaves it in its place, where the new one then replaces it by a rename. No file is deleted
 * before it has its other name. The lock and the reserve have no data: they stay.
 */
function moveAside(database: string, aside: string): string | null {
  if (existsSync(database) && isReadable(database)) closeLog(database)
  const hasLog = existsSync(logOf(database))
  if (existsSync(database)) addName(database, aside)
  if (hasLog) { // of a database that cannot be opened, or is gone: the new one must not find it
    addName(logOf(database), logOf(aside))
    rmSync(logOf(database))
  }
  rmSync(`${database}-shm`, { force: true })
  syncFolder(dirname(database))
  return hasLog || existsSync(aside) ? aside : null
}

function addName(file: string, other: string) {
  try {
    linkSync(file, other)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    copyFileSync(file, other, constants.COPYFILE_EXCL) // the file system has no hard links
    syncFile(other)
  }
}

/** Moves the log of a database into its file. @throws Error when another process has the database open */
function closeLog(database: string) {
  const connection = new Sqlite(database, { timeout: 0 })
  try {
    connection.pragma('locking_mode = EXCLUSIVE')
    connection.exec('begin immediate; commit')
    connection.pragma('wal_checkpoint(TRUNCATE)')
    connection.pragma(`user_version = ${noMark}`)
  } catch (error) {
    if (isBusy(error)) throw new Error(`MAYFLY_DATABASE: ${database} is in use. Stop the commands that work on it.`, { cause: error })
    throw cannotOpen(database, error)
  } finally {
    connection.close()
  }
}

/** Whether it can be read. SQLite removes the log of a file that it cannot read, so such a database is not opened for writing. */
function isReadable(database: string) {
  try {
    readContent(database)
    return true
  } catch (error) {
    if (isBusy(error)) throw error
    return false
  }
}
