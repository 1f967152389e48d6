import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'

/** The files of a database: each has the database's name and one of these suffixes. Those of a process have its id behind it. */
const suffixes = {
  /** SQLite's: the write-ahead log, its index, and the rollback journal of a database that has no log. */
  log: '-wal',
  logIndex: '-shm',
  journal: '-journal',
  /** The file that a server locks, and the one that it removes when the disk is full. Both have no data. */
  lock: '-server',
  reserve: '-reserve',
  unfinishedReserve: '-reserve-new',
  /** Copies that get another name when they are complete. */
  new: '-new',
  restoring: '-restoring',
  unfinished: '-unfinished-',
  dryRun: '-dry-run-',
  /** The old database, after a restore. */
  replaced: '-replaced-',
} as const

export type FileOfDatabase = keyof typeof suffixes

export const fileOf = (database: string, kind: FileOfDatabase): string => `${database}${suffixes[kind]}`

export const logOf = (database: string): string => fileOf(database, 'log')

/** The files with data that SQLite keeps beside a database: without them it is not complete. */
export const logs = ['log', 'journal'] as const satisfies FileOfDatabase[]

/** All names that Mayfly may write or remove while it works on a database. */
export const filesOf = (database: string): string[] => [database, ...Object.values(suffixes).map((suffix) => `${database}${suffix}`)]

/** Removes a database that no process has open. */
export function removeDatabase(database: string): void {
  for (const kind of [...logs, 'logIndex'] as const) rmSync(fileOf(database, kind), { force: true })
  rmSync(database, { force: true })
}

/** Writes the content of a file to the disk. */
export const syncFile = (file: string): void => { sync(file, 'r+') } // Windows refuses it for a file that is open for reading

/** Writes the names in a folder to the disk, after a file was renamed. Windows does not need it, and refuses it. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, 'r')
}

function sync(path: string, mode: 'r' | 'r+') {
  const descriptor = openSync(path, mode)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
