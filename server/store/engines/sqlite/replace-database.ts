import { copyFileSync, constants, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { cannotOpen, isBusy } from './errors.ts'
import { noMark } from './file-header.ts'
import { fileOf, logs, syncFile, syncFolder } from './file-names.ts'
import { readContent } from './inspect.ts'

interface Options {
  /** Distinguishes the name under which the old database is kept. */
  stamp: string
  /** The old database is only a part of one. It is not opened: SQLite would make it look complete. */
  isIncomplete: boolean
}

/**
 * Puts a copy in the place of a database, by one rename. The old database has got a second name before: a kill leaves the old database or
 * the new one. The lock and the reserve have no data: they stay.
 * @returns the name under which the old database is kept; null when there was none
 * @throws Error when another process has the database open; then it is as it was
 */
export function replaceDatabase(database: string, copy: string, { stamp, isIncomplete }: Options): string | null {
  const aside = fileOf(database, 'replaced') + stamp
  undoReplacement(database)
  const held = existsSync(database) && !isIncomplete && isReadable(database) ? hold(database) : undefined
  try {
    if (existsSync(database)) addName(database, aside)
    for (const kind of logs) { // of a database that cannot be opened, or is gone: the new one must not find it
      if (existsSync(fileOf(database, kind))) renameSync(fileOf(database, kind), fileOf(aside, kind))
    }
    rmSync(fileOf(database, 'logIndex'), { force: true })
    syncFolder(dirname(database))
    if (process.platform === 'win32') held?.close() // Windows renames no file over an open one
    renameSync(copy, database)
    syncFolder(dirname(database))
  } catch (error) {
    undoReplacement(database)
    throw error
  } finally {
    held?.close()
  }
  return [aside, ...logs.map((kind) => fileOf(aside, kind))].some(existsSync) ? aside : null
}

/** Takes back the second name of a database that is still in its place: its restore was killed, or has failed. */
function undoReplacement(database: string) {
  const prefix = fileOf(database, 'replaced')
  for (const name of readdirSync(dirname(database)).filter((name) => name.startsWith(basename(prefix)))) {
    const other = join(dirname(database), name)
    if (name.endsWith(unfinishedCopy)) rmSync(other)
    if (!isSameFile(other, database)) continue
    for (const kind of logs) {
      if (existsSync(fileOf(other, kind)) && !existsSync(fileOf(database, kind))) renameSync(fileOf(other, kind), fileOf(database, kind))
    }
    rmSync(other)
  }
}

function isSameFile(one: string, other: string) {
  const [a, b] = [one, other].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev
}

const unfinishedCopy = '-unfinished'

function addName(file: string, other: string) {
  try {
    linkSync(file, other)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error
    // The file system has no hard links. The copy ends with a close of the file, which releases the lock of `hold`.
    copyFileSync(file, `${other}${unfinishedCopy}`, constants.COPYFILE_EXCL)
    syncFile(`${other}${unfinishedCopy}`)
    renameSync(`${other}${unfinishedCopy}`, other)
  }
}

/**
 * Moves the log of a database into its file, and locks the file until the connection is closed, after the rename. Another process that
 * wrote into it between would leave a log beside the new database. Without a log, SQLite removes no file when it closes the connection.
 * @throws Error when another process has the database open
 */
function hold(database: string): Sqlite.Database {
  const connection = new Sqlite(database, { timeout: 0 })
  try {
    connection.pragma(`user_version = ${noMark}`) // in the log: a kill leaves a log, or a file that expects none
    connection.pragma('journal_mode = DELETE')
    connection.exec('begin exclusive')
    if (connection.pragma('journal_mode', { simple: true }) === 'delete') return connection
  } catch (error) {
    connection.close()
    throw isBusy(error) ? inUse(database, error) : cannotOpen(database, error)
  }
  connection.close() // another process has opened it before the lock
  throw inUse(database)
}

const inUse = (database: string, cause?: unknown) =>
  new Error(`MAYFLY_DATABASE: ${database} is in use. Stop the commands that work on it.`, { cause })

/** Whether it can be read. SQLite removes the log of a file that it cannot read, so such a database is not opened for writing. */
function isReadable(database: string) {
  try {
    readContent(database)
    return true
  } catch (error) {
    if (isBusy(error)) throw inUse(database, error)
    return false
  }
}
