import {
  chmodSync, chownSync, closeSync, constants, copyFileSync, existsSync, mkdirSync, openSync, readSync, rmSync, statSync, writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { OnProgress, RestoreOptions } from '../../backup-options.ts'
import { checkRoom, sealCopy } from './backup.ts'
import { findIncomplete } from './file-header.ts'
import type { Incomplete } from './file-header.ts'
import { fileOf, logOf, logs, removeDatabase } from './file-names.ts'
import { readContent } from './inspect.ts'
import { replaceDatabase } from './replace-database.ts'
import { isServed, openServerLock } from './server-lock.ts'

/**
 * Puts a copy of a file in the place of a database that no process has open. The file gets its name by one rename, when it is checked and
 * on disk, so a kill leaves either the old database or the new one.
 * @returns the name under which the old database is kept; null when there was none
 * @throws Error when the file is no complete database, or the database is in use or exists
 */
export function restoreSqlite(file: string, database: string, options: RestoreOptions): string | null {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  if (isServed(file)) throw new Error(`A server runs on ${file}. "mayfly backup" copies its database.`)
  // before the lock: it may read the file of the lock, and closing that would release the lock
  const [incomplete, incompleteOld] = [file, database].map(findIncomplete)
  mkdirSync(dirname(database), { recursive: true })
  const lock = openServerLock(database)
  lock.claim()
  try {
    if ([database, ...logs.map((kind) => fileOf(database, kind))].some(existsSync) && !options.force) {
      throw new Error(`MAYFLY_DATABASE: ${database} exists. --force moves it aside, or name another file.`)
    }
    const copy = fileOf(database, 'restoring')
    removeDatabase(copy) // of an earlier kill
    try {
      makeCopy(file, copy, incomplete, options)
      giveToOwner(copy, database)
      const isIncomplete = incompleteOld !== undefined && !existsSync(logOf(database))
      return replaceDatabase(database, copy, { stamp: options.stamp, isIncomplete })
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

/** Bytes that are copied between two reports. */
const stepBytes = 4 * 1024 * 1024

/** The back-up may be read-only, or readable by all: its copy is not. */
function copyFile(from: string, to: string, onProgress?: OnProgress) {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE) // at once, where the file system shares blocks
    chmodSync(to, 0o600)
    return
  } catch {
    rmSync(to, { force: true })
  }
  const [source, target] = [openSync(from, 'r'), openSync(to, 'wx', 0o600)]
  try {
    const { size } = statSync(from)
    const buffer = Buffer.allocUnsafe(stepBytes)
    for (let done = 0, read = 0; (read = readSync(source, buffer)) > 0; onProgress?.(done, size)) {
      for (let written = 0; written < read;) written += writeSync(target, buffer, written, read - written)
      done += read
    }
  } finally {
    closeSync(source)
    closeSync(target)
  }
}

/** Copies the file, with its log or its journal where it has one, and checks the copy. */
function makeCopy(file: string, copy: string, incomplete: Incomplete | undefined, { withoutLog, checkSchema, onProgress }: RestoreOptions) {
  if (incomplete && !(incomplete.part === 'log' && withoutLog)) {
    const hint = incomplete.part === 'log' ? ' Bring the log as well, or accept with --without-log that its data are lost.' : ''
    throw new Error(`${file} ${incomplete.reason}.${hint}`)
  }
  const beside = logs.map((kind): [string, string] => [fileOf(file, kind), fileOf(copy, kind)]).filter(([from]) => existsSync(from))
  const parts: [string, string][] = [[file, copy], ...beside]
  checkRoom(parts.reduce((sum, [from]) => sum + statSync(from).size, 0), dirname(copy), 0)
  for (const [from, to] of parts) copyFile(from, to, onProgress)
  try {
    checkSchema(readContent(copy).applied)
    sealCopy(copy, () => {})
  } catch (error) {
    throw new Error(`${file} cannot be restored: ${(error as Error).message}`, { cause: error })
  }
}
