import { statfs } from 'node:fs/promises'
import type { DatabaseFile } from './engine.ts'

/** Milliseconds for which the free space of the file system is cached, so that it is not read for every mail. */
const cacheMs = 1_000

export interface FreeSpace {
  /** Free bytes of the disk and of the database itself, where removed mail leaves room, less those taken for writes in progress. */
  freeBytes(): Promise<number>
  /** Counts bytes that are about to be written: the file system does not know of them yet. */
  take(bytes: number): void
}

/** Reads the free space of the file system that holds the database; there is always room where no file of this machine does. */
export function freeSpaceOf(file: Pick<DatabaseFile, 'folder' | 'freeBytes'> | null): FreeSpace {
  let askedAt = -Infinity
  let answer: Promise<number> = Promise.resolve(Infinity)
  /** Bytes taken since the last read of the file system, and since the one before it: those may not be written yet. */
  let taken = 0
  let takenBefore = 0
  return {
    async freeBytes() {
      if (file && performance.now() - askedAt > cacheMs) {
        askedAt = performance.now()
        takenBefore = taken
        taken = 0
        answer = statfs(file.folder).then(({ bavail, bsize }) => bavail * bsize + file.freeBytes())
      }
      return Math.max(0, await answer - taken - takenBefore)
    },
    take(bytes) {
      taken += 2 * bytes // once in the log and once in its place
    },
  }
}
