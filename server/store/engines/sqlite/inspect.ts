import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { heldSince, heldSql } from '../../addresses/held-addresses.ts'
import type { HeldAddress } from '../../addresses/held-addresses.ts'
import type { EngineInspection } from '../../engine.ts'
import { reasonOf } from './errors.ts'
import { findIncomplete, wayOut } from './file-header.ts'
import { logOf } from './file-names.ts'
import { DamagedLock, isServed, serverOf } from './server-lock.ts'

type Usable = Extract<EngineInspection, { kind: 'usable' }>

/** Looks at a database file, also while a server has it open. */
export function inspectSqlite(file: string, names: string[]): EngineInspection {
  const folder = existingFolder(dirname(file))
  try {
    accessSync(folder, constants.W_OK)
    const incomplete = findIncomplete(file)
    if (incomplete) return { kind: 'incomplete', folder, reason: incomplete.reason, wayOut: wayOut(file, incomplete) }
    if (!existsSync(file)) return { kind: 'none', folder }
    accessSync(file, constants.W_OK)
    const content = readContent(file, names)
    return { kind: 'usable', folder, ...content, isServed: isServed(file), servedBy: serverOf(file), openMode: findOpenMode(file) }
  } catch (error) {
    if (error instanceof DamagedLock) return { kind: 'incomplete', folder, reason: error.reason, wayOut: error.wayOut }
    return { kind: 'unusable', folder, reason: reasonOf(error) }
  }
}

/** Permissions for users who are neither the owner nor in the group: to read a file, to enter a folder. Windows has none of them. */
const [readByOthers, enterByOthers] = [0o004, 0o001]

/** @returns the mode of a file that every user of this machine can read, in octal digits; null when they cannot */
function findOpenMode(file: string): string | null {
  const { mode } = statSync(file)
  const isOpen = process.platform !== 'win32' && (mode & readByOthers) !== 0 && (statSync(dirname(file)).mode & enterByOthers) !== 0
  return isOpen ? (mode & 0o777).toString(8) : null
}

function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder))
}

/**
 * @param names aliases whose holders are read
 * @throws Error when it is not a database of Mayfly
 */
export function readContent(file: string, names: string[] = []): Pick<Usable, 'applied' | 'freeBytes' | 'domains' | 'held'> {
  const database = openReader(file, 0)
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
    if (tables.length > 0 && !tables.includes('migrations')) throw new Error('it is the database of another program')
    const applied = tables.length > 0 ? database.prepare('select name from migrations').pluck().all() : []
    const domains = tables.includes('domains')
      ? database.prepare("select domain, token from domains where status = 'verified' order by domain").all()
      : []
    return {
      applied: applied as string[],
      freeBytes: (database.pragma('freelist_count', { simple: true }) as number) * (database.pragma('page_size', { simple: true }) as number),
      domains: domains as { domain: string, token: string }[],
      held: names.length > 0 && applied.includes(heldSince) ? database.prepare(heldSql(names)).all() as HeldAddress[] : [],
    }
  } finally {
    database.close()
  }
}

/**
 * Opens a database, which a server may have open, to read it.
 * @param timeoutMs maximum wait for another connection
 */
export function openReader(file: string, timeoutMs: number): Sqlite.Database {
  // A read-only connection cannot remove the log that it creates. Another one would move the log of a killed server into the file.
  const database = new Sqlite(file, { readonly: existsSync(logOf(file)), fileMustExist: true, timeout: timeoutMs })
  database.pragma('query_only = ON')
  return database
}
