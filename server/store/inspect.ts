import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrations } from './migrations/index.ts'

/** The state of a database file, read without a change to it. */
export type Inspection =
  /** No file yet; `folder` is what exists of its path. */
  | { kind: 'none', folder: string }
  | { kind: 'unusable', folder: string, reason: string }
  | {
    kind: 'usable'
    folder: string
    /** Migrations that this version does not know, and those that the next start will apply. */
    unknown: string[]
    missing: string[]
    isServed: boolean
    freeBytes: number
    /** The verified domains of all accounts, each with the token of its TXT record. */
    domains: { domain: string, token: string }[]
  }

/** Looks at a database file, also while a server has it open. */
export function inspectDatabase(file: string): Inspection {
  const folder = existingFolder(dirname(file))
  try {
    accessSync(folder, constants.W_OK)
    if (!existsSync(file)) return { kind: 'none', folder }
    accessSync(file, constants.W_OK)
    using sqlite = openReadOnly(file)
    return { kind: 'usable', folder, isServed: isServed(file), ...read(sqlite.database) }
  } catch (error) {
    return { kind: 'unusable', folder, reason: (error as Error).message }
  }
}

function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder))
}

function openReadOnly(file: string) {
  const database = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 0 })
  return { database, [Symbol.dispose]: () => { database.close() } }
}

function read(database: Sqlite.Database) {
  const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
  if (tables.length > 0 && !tables.includes('migrations')) throw new Error('it is the database of another program')
  const applied = tables.length > 0 ? database.prepare('select name from migrations').pluck().all() as string[] : []
  const known = migrations.map(({ name }) => name)
  const domains = tables.includes('domains')
    ? database.prepare("select domain, token from domains where status = 'verified' order by domain").all()
    : []
  return {
    unknown: applied.filter((name) => !known.includes(name)),
    missing: known.filter((name) => !applied.includes(name)),
    freeBytes: (database.pragma('freelist_count', { simple: true }) as number) * (database.pragma('page_size', { simple: true }) as number),
    domains: domains as { domain: string, token: string }[],
  }
}

/** Whether a server runs on the file: it holds an exclusive lock on a file beside it (`claim` in sqlite.ts). */
function isServed(file: string): boolean {
  if (!existsSync(`${file}-server`)) return false
  try {
    using lock = openReadOnly(`${file}-server`)
    lock.database.prepare('select 1 from sqlite_master').all()
    return false
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true
    throw error
  }
}
