import Sqlite from 'better-sqlite3'
import { storageFull, UnavailableError } from '../../../errors.ts'

export const isFull = (error: unknown) => error instanceof Sqlite.SqliteError && /^SQLITE_(FULL|IOERR|CANTOPEN)/.test(error.code)

export const isBusy = (error: unknown) => error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** The file has other content than a database. */
export const isDamaged = (error: unknown) => error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)

export function toAppError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  if (isBusy(error)) return new UnavailableError('database', error)
  const cannotStore = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(error.code)
  return cannotStore
    ? Object.assign(storageFull('This server cannot store anything at the moment. Try again later.'), { cause: error })
    : error
}

/** The error of a file that cannot be opened. Names the variable. */
export const cannotOpen = (file: string, error: unknown, reason = reasonOf(error)): Error =>
  new Error(`MAYFLY_DATABASE: ${file} cannot be opened, ${reason}`, { cause: error })

/**
 * @returns the reason in words, or the message of the driver or the operating system, without the names of files that `cannotOpen` has put
 * before it
 */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.message.startsWith('MAYFLY_DATABASE: ') && error.cause) return reasonOf(error.cause)
  const code = String((error as { code?: unknown }).code).replace(/^(SQLITE_[A-Z]+)_.*/, '$1')
  return reasons[code] ?? (error as Error).message
}

const noRight = 'this user may not read and write it, or the folder. Change their owner or mode, or name another file'

/** By the code of the driver or the operating system; other errors have the message that they came with. */
const reasons: Record<string, string | undefined> = {
  SQLITE_NOTADB: 'it is not a database. Name the file of a Mayfly server, or one that is not there yet',
  SQLITE_CANTOPEN: noRight,
  SQLITE_READONLY: noRight,
  EACCES: noRight,
  EPERM: noRight,
  EROFS: 'the disk is read-only. Name a file on another one',
  SQLITE_IOERR: 'the disk reports an error, or is full. Make room, look at the disk, or name a file on another one',
  EEXIST: 'its folder is a file. Name another file',
  ENOTDIR: 'a folder of its path is a file. Name another file',
}
