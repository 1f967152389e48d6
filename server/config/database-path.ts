import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkDatabaseUrl, isDatabaseUrl } from './database-url.ts'
import { followLinks } from './symbolic-links.ts'

/**
 * Checks the value of MAYFLY_DATABASE. The content of the file is checked when it is opened.
 * @returns the file, which may be missing; of a symbolic link, its target; or the URL
 * @throws Error when it can be no file of a database, nor a URL of one
 */
export function databasePath(value: string): string {
  if (isDatabaseUrl(value)) return checkDatabaseUrl(value)
  // a URL may hold a password: it is not repeated
  if (/^[a-z][a-z+]+:\/\//i.test(value)) throw new Error('takes a file, or a URL that begins with postgres://')
  if (value.startsWith(':')) throw new Error(`${value} is not a file. Name one: the data are on disk, also those of a trial`)
  const target = followLinks(value)
  const found = statOf(target)
  if (found?.isDirectory()) throw new Error(`${value} is a folder. Name a file in it, such as ${join(value, 'mayfly.db')}`)
  if (found && !found.isFile()) throw new Error(`${value} is not a regular file. Name another one`)
  if (target !== value && !existsSync(dirname(target))) {
    throw new Error(`${value} is a symbolic link to ${resolve(target)}, whose folder is missing. Make the folder, or correct the link`)
  }
  return target
}

/** @returns undefined also for a file that this user may not see: opening it reports that */
function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
