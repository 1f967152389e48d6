import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { cannotOpen } from './errors.ts'
import { refuseIncomplete } from './file-header.ts'
import { fileOf, removeDatabase, syncFolder } from './file-names.ts'
import { openServerLock } from './server-lock.ts'

/** Maximum wait for another process that makes the same database. */
const claimTimeoutMs = 5_000

/**
 * Makes a missing database under another name, and renames it once it has its tables: a file of the database's name is never empty, also
 * after a kill. Does nothing when the file exists.
 * @param make makes the database with this name, and closes it
 * @throws Error naming the variable
 */
export async function createSqlite(file: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(file)) return
  refuseIncomplete(file)
  try {
    mkdirSync(dirname(file), { recursive: true })
  } catch (error) {
    throw cannotOpen(file, error)
  }
  const lock = openServerLock(file)
  try {
    lock.claim({ timeoutMs: claimTimeoutMs })
  } catch (error) {
    if (existsSync(file)) return // another process has made it
    throw error
  }
  try {
    if (existsSync(file)) return
    const unfinished = fileOf(file, 'new')
    removeDatabase(unfinished) // of an earlier kill
    try {
      await make(unfinished)
      renameSync(unfinished, file)
      syncFolder(dirname(file))
    } catch (error) {
      removeDatabase(unfinished)
      throw cannotOpen(file, error)
    }
  } finally {
    lock.release()
  }
}
