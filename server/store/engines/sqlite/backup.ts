import { chmodSync, closeSync, existsSync, openSync, readdirSync, realpathSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { followLinks } from '../../../config/symbolic-links.ts'
import type { Backup, BackupOptions } from '../../backup-options.ts'
import { noMark, refuseIncomplete } from './file-header.ts'
import { fileOf, filesOf, logs, removeDatabase, syncFile, syncFolder } from './file-names.ts'
import { openReader } from './inspect.ts'

/** Pages that are copied before signals are handled: 4 MB. */
const stepPages = 1024

const openTimeoutMs = 5_000

/** Permissions of a database that its back-up gets as well: a back-up has all mail. */
const ownerAndGroup = 0o770

/**
 * Copies a database to a file, also while a server has it open. One read transaction sees all of it, so the copy is the state of one
 * moment, and no other transaction waits. The copy gets its name when it is checked and on disk.
 * @throws Error when there is no room, the file exists, or the copy is damaged; then nothing is left of it
 */
export async function backUpSqlite(database: string, file: string, options: BackupOptions): Promise<Backup> {
  refuseIncomplete(database)
  const target = checkTarget(database, file, options.overwrite)
  removeAbandoned(fileOf(target, 'unfinished'))
  const unfinished = nameOfProcess(fileOf(target, 'unfinished'))
  const source = openReader(database, openTimeoutMs)
  try {
    source.exec('begin') // all reads of this connection, and the steps of the copy, see one snapshot
    const count = (connection: Sqlite.Database) => countRows(connection, options.tables)
    const rows = count(source)
    const page = (name: string) => source.pragma(name, { simple: true }) as number
    const isSameDisk = statSync(dirname(target)).dev === statSync(database).dev
    checkRoom(page('page_count') * page('page_size'), dirname(target), isSameDisk ? options.minFreeBytes : 0)
    const mode = statSync(database).mode & ownerAndGroup
    closeSync(openSync(unfinished, 'wx', mode)) // no other user can read the copy, or plant a link of its name
    await source.backup(unfinished, {
      progress: ({ totalPages, remainingPages }) => {
        options.signal.throwIfAborted()
        options.onProgress?.(totalPages - remainingPages, totalPages)
        return stepPages
      },
    })
    options.onProgress?.(1, 1)
    source.exec('commit') // the server can empty its log again
    compareRows(rows, sealCopy(unfinished, count))
    await turn() // receives the signals that came during the check
    options.signal.throwIfAborted()
    chmodSync(unfinished, mode)
    checkTarget(database, file, options.overwrite)
    renameSync(unfinished, target)
    syncFolder(dirname(target))
    return { file: target, bytes: statSync(target).size, rows }
  } catch (error) {
    removeDatabase(unfinished)
    throw error
  } finally {
    source.close()
  }
}

/** @returns the file's absolute name; of a symbolic link, that of its target: the rename would replace the link itself */
function checkTarget(database: string, file: string, overwrite: boolean): string {
  if (file === '') throw new Error('<file> is empty. Name the file to write, such as mayfly-backup.db.')
  const target = followLinks(resolve(file))
  if (!existsSync(dirname(target))) throw new Error(`${file}: there is no folder ${dirname(target)}. Make it first.`)
  const real = join(realpathSync(dirname(target)), basename(target))
  if (filesOf(realpathSync(database)).includes(real)) {
    throw new Error(`${file} belongs to the database itself. Name another file.`)
  }
  const found = statSync(target, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw new Error(`${file} is not a file. Name one.`)
  const log = logs.map((kind) => fileOf(target, kind)).find(existsSync)
  if (log) throw new Error(`${file} has a log beside it (${basename(log)}): a program has it open as a database, or was killed. Name another file.`)
  if (found && !overwrite) throw new Error(`${file} exists. Name another file, or replace it with --force.`)
  return target
}

/** @throws Error when the folder has less room than a copy needs, and `minFreeBytes` beyond that */
export function checkRoom(bytes: number, folder: string, minFreeBytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= bytes + minFreeBytes) return
  const kept = minFreeBytes > 0 ? `, and ${minFreeBytes} more, which MAYFLY_MIN_FREE_BYTES keeps free for mail` : ''
  throw new Error(`${folder}: the copy needs ${bytes} bytes${kept}; ${bavail * bsize} are free. Make room, or use another disk.`)
}

/** Rows of each table, as far as this version of the schema has it. */
function countRows(database: Sqlite.Database, tables: readonly string[]): Record<string, number> {
  const known = database.prepare("select name from sqlite_master where type = 'table'").pluck().all()
  return Object.fromEntries(tables.filter((name) => known.includes(name)).map((name) =>
    [name, database.prepare<[], number>(`select count(*) from ${name}`).pluck().get()!]))
}

function compareRows(wanted: Record<string, number>, found: Record<string, number>) {
  for (const [table, rows] of Object.entries(wanted)) {
    if (found[table] !== rows) throw new Error(`The copy is damaged: ${table} has ${found[table]} rows, not ${rows}.`)
  }
}

/** The name of a file that belongs to this process alone. @param prefix the name before the process id */
export const nameOfProcess = (prefix: string): string => `${prefix}${process.pid}`

/** Removes the files of a prefix that killed processes have left, and the files beside them. */
export function removeAbandoned(prefix: string): void {
  const folder = dirname(prefix)
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(basename(prefix)) && /^(\d+)(?:-|$)/.exec(name.slice(basename(prefix).length)) || []
    if (pid && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

function isAlive(pid: number) {
  if (pid === process.pid) return false // of an earlier process with this number
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/**
 * Checks a copy of a database that no other process has open, and makes it a single file: without a log, and expecting none.
 * The file is on disk when this returns.
 * @param count counts rows
 * @throws Error when the copy is damaged
 */
export function sealCopy<T>(file: string, count: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(file, { fileMustExist: true })
  let counted: T
  try {
    database.pragma('journal_mode = DELETE')
    database.pragma(`user_version = ${noMark}`)
    const [found] = database.pragma('integrity_check(1)') as [{ integrity_check: string }]
    if (found.integrity_check !== 'ok') throw new Error(`it is damaged: ${found.integrity_check}`)
    const orphans = database.pragma('foreign_key_check') as { table: string, parent: string }[]
    if (orphans.length > 0) throw new Error(`it is damaged: ${orphans.length} rows refer to rows that are missing`)
    counted = count(database)
  } finally {
    database.close()
  }
  syncFile(file)
  return counted
}
