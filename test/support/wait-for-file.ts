import { readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

/**
 * Waits until a process has written a file.
 * @param isWanted gets the name and the size of each file in the folder, whenever one of them has changed
 * @param ended resolves when the process ends
 * @throws Error when the process ends before
 */
export async function waitForFile(
  folder: string, isWanted: (name: string, bytes: number) => boolean, ended: Promise<unknown>,
): Promise<void> {
  const { promise: found, resolve } = Promise.withResolvers<true>()
  const bytesOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size
  const look = () => {
    for (const name of readdirSync(folder)) {
      const bytes = bytesOf(name)
      if (bytes !== undefined && isWanted(name, bytes)) resolve(true)
    }
  }
  const watcher = watch(folder, look)
  try {
    look()
    if (await Promise.race([found, ended]) !== true) throw new Error(`${folder}: the process ended without the file`)
  } finally {
    watcher.close()
  }
}
