import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** As many as Linux follows. */
const maxLinks = 40

/**
 * Follows symbolic links from the name of a file, which may be missing, to the name of the file itself. Links in the names of its folders
 * stay: all files of a folder are reached by any of its names.
 * @throws Error when the links do not end
 */
export function followLinks(file: string): string {
  let name = file
  for (let links = 0; isLink(name); links++) {
    if (links === maxLinks) throw new Error(`${file} is a symbolic link that leads back to itself. Let it point to a file`)
    name = resolve(realpathSync(dirname(name)), readlinkSync(name))
  }
  return name
}

/** False also for a file in a folder that this user may not read: opening the file reports that. */
function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink()
  } catch {
    return false
  }
}
