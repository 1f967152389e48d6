import Sqlite from 'better-sqlite3'
import { storageFull } from '../../../errors.ts'

export const isFull = (error: unknown) => error instanceof Sqlite.SqliteError && /^SQLITE_(FULL|IOERR|CANTOPEN)/.test(error.code)

export const isBusy = (error: unknown) => error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** The file has other content than a database. */
export const isDamaged = (error: unknown) => error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)

export function toAppError(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error
  const cannotStore = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|BUSY)/.test(error.code)
  return cannotStore
    ? Object.assign(storageFull('This server cannot store anything at the moment. Try again later.'), { cause: error })
    : error
}

/** The error of a file that cannot be opened. Names the variable. */
export const cannotOpen = (file: string, error: unknown, reason = rootCause(error)): Error =>
  new Error(`MAYFLY_DATABASE: ${file} cannot be opened, ${reason}`, { cause: error })

/** The message of the driver or the operating system, without the names of files that `cannotOpen` has put before it. */
const rootCause = (error: unknown): string =>
  error instanceof Error && error.message.startsWith('MAYFLY_DATABASE: ') && error.cause ? rootCause(error.cause) : (error as Error).message
