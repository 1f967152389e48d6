import { statfs } from 'node:fs/promises'

/** Milliseconds an answer of the file system is good for; the disk is not asked once per mail. */
const goodFor = 1_000

/** Tells the free bytes of the file system that holds a folder. */
export function freeSpaceOf(folder: string | null): () => Promise<number> {
  let askedAt = -Infinity
  let answer: Promise<number> = Promise.resolve(Infinity)
  return () => {
    if (folder !== null && performance.now() - askedAt > goodFor) {
      askedAt = performance.now()
      answer = statfs(folder).then(({ bavail, bsize }) => bavail * bsize)
    }
    return answer
  }
}
