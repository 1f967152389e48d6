import { statfs } from 'node:fs/promises'
import type { Engine } from './sqlite.ts'

/** Milliseconds an answer of the file system is good for; the disk is not asked once per mail. */
const goodForMs = 1_000

export interface FreeSpace {
  /** Free bytes of the disk and of the database itself, where removed mail leaves room, less those that are promised already. */
  freeBytes(): Promise<number>
  /** Counts bytes that are about to be written: the file system does not know of them yet. */
  take(bytes: number): void
}

/** Tells the free bytes of the file system that holds the database. */
export function freeSpaceOf({ folder, freeBytes }: Pick<Engine, 'folder' | 'freeBytes'>): FreeSpace {
  let askedAt = -Infinity
  let answer: Promise<number> = Promise.resolve(Infinity)
  /** Bytes taken since the file system was asked, and between the two times before: those may still be on their way. */
  let taken = 0
  let takenBefore = 0
  return {
    async freeBytes() {
      if (folder !== null && performance.now() - askedAt > goodForMs) {
        askedAt = performance.now()
        takenBefore = taken
        taken = 0
        answer = statfs(folder).then(({ bavail, bsize }) => bavail * bsize + freeBytes())
      }
      return Math.max(0, await answer - taken - takenBefore)
    },
    take(bytes) {
      taken += 2 * bytes // once in the log and once in its place
    },
  }
}
