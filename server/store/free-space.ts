import { statfs } from 'node:fs/promises'
import type { Engine } from './sqlite.ts'

/** Milliseconds an answer of the file system is good for; the disk is not asked once per mail. */
const goodFor = 1_000

/** Tells the free bytes of the file system that holds the database, and of the database itself: removed mail leaves room in it. */
export function freeSpaceOf({ folder, freeBytes }: Pick<Engine, 'folder' | 'freeBytes'>): () => Promise<number> {
  let askedAt = -Infinity
  let answer: Promise<number> = Promise.resolve(Infinity)
  return () => {
    if (folder !== null && performance.now() - askedAt > goodFor) {
      askedAt = performance.now()
      answer = statfs(folder).then(({ bavail, bsize }) => bavail * bsize + freeBytes())
    }
    return answer
  }
}
