import type { Clock } from '../clock.ts'
import { followLinks } from '../config/symbolic-links.ts'
import type { Backup, BackupOptions, RestoreOptions } from './backup-options.ts'
import { openDatabase } from './database.ts'
import { backUpSqlite, nameOfProcess, removeAbandoned } from './engines/sqlite/backup.ts'
import { fileOf, removeDatabase } from './engines/sqlite/file-names.ts'
import { restoreSqlite } from './engines/sqlite/restore.ts'
import { newerVersion } from './migrate.ts'

/** Tables whose rows a back-up counts: those that accounts own. The smaller ones belong to rows of these. */
const countedTables = ['accounts', 'api_keys', 'addresses', 'domains', 'messages', 'emails', 'webhooks', 'outbox', 'jobs']

/** Copies the database to a file, also while a server runs. @throws Error, without a file of that name */
export const backUp = (database: string, file: string, options: Omit<BackupOptions, 'tables'>): Promise<Backup> =>
  backUpSqlite(database, file, { ...options, tables: countedTables })

/**
 * Puts a copy of a file in the place of the database.
 * @returns the name under which the old database is kept; null when there was none
 * @throws Error when the file is no complete database of this version or an older one, or the database is in use or exists
 */
export function restore(file: string, database: string, options: Omit<RestoreOptions, 'checkSchema'>): string | null {
  return restoreSqlite(followLinks(file), database, {
    ...options,
    checkSchema(applied) {
      const newer = newerVersion(applied)
      if (newer) throw new Error(`it ${newer}. Restore it with that version.`)
    },
  })
}

/**
 * Migrates a copy of the database, also while a server runs, and removes the copy, also after an interrupt. The copies of killed processes
 * are removed by the next call.
 * @throws Error when a migration fails, or the reason of the signal
 */
export async function tryMigrations(database: string, clock: Clock, options: Pick<BackupOptions, 'signal' | 'minFreeBytes' | 'onProgress'>): Promise<void> {
  const prefix = fileOf(database, 'dryRun')
  removeAbandoned(prefix)
  const copy = nameOfProcess(prefix)
  try {
    await backUp(database, copy, { ...options, overwrite: false })
    await (await openDatabase(copy, clock, options)).close()
  } finally {
    removeDatabase(copy)
  }
}
