import { access, mkdir, open, rename, rmdir, unlink, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ObjectStore } from './object-store.ts'

/**
 * Objects as files, in a subfolder for each day. The folder must exist: without its disk, a new folder on the disk of the system would be
 * written to, and all objects would seem to be missing.
 */
export const openFileStore = (folder: string): ObjectStore => ({
  async put(name, { pieces }, signal) {
    const path = join(folder, name)
    const day = dirname(path)
    if (await succeeds(mkdir(day, { mode: 0o700 }), 'EEXIST')) await sync(folder)
    const file = await open(partOf(path), 'w', 0o600)
    try {
      await writeFile(file, pieces, { signal })
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partOf(path), path)
    await sync(day)
  },

  async read(name, { offset, length }) {
    let file: FileHandle
    try {
      file = await open(join(folder, name), 'r')
    } catch (error) {
      if (!isOf(error, 'ENOENT')) throw error
      await access(folder)
      return undefined
    }
    return readFully(file, offset, Buffer.allocUnsafe(length)).finally(() => file.close())
  },

  async remove(name) {
    const path = join(folder, name)
    await access(folder)
    for (const each of [path, partOf(path)]) await succeeds(unlink(each), 'ENOENT')
    await succeeds(sync(dirname(path)), 'ENOENT')
    await succeeds(rmdir(dirname(path)), 'ENOTEMPTY', 'EEXIST', 'ENOENT') // of a day without objects
  },

  close: async () => {},
})

/** A file that is not complete. */
const partOf = (path: string) => `${path}.part`

/** @returns false for an error with one of these codes */
async function succeeds(work: Promise<void>, ...codes: string[]): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (isOf(error, ...codes)) return false
    throw error
  }
}

const isOf = (error: unknown, ...codes: string[]) => codes.includes((error as NodeJS.ErrnoException).code!)

async function sync(folder: string) {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function readFully(file: FileHandle, offset: number, buffer: Buffer): Promise<Uint8Array> {
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, offset + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return buffer.subarray(0, length)
}
