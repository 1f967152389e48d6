import { existsSync, statfsSync, unlinkSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Bytes of the disk that are kept for transactions that remove something, and for the start of a server. */
export const reserveBytes = 4 * 1024 * 1024

/** Milliseconds for which an answer of the file system is good while there is plenty of space. */
const roomyLookMs = 50
const roomyBytes = 256 * 1024 * 1024

/** Bytes without which SQLite cannot make the files that it has beside the database. */
const spentBytes = 64 * 1024

/** A file beside the database that is removed when the disk is full, so that mail can be deleted then. */
export interface DiskReserve {
  /** Only what is kept for removals is left. */
  isLow(): boolean
  /** Nothing is left, nor is the file. */
  isSpent(): boolean
  /** Gives the bytes of the file back to the disk. @returns whether there were any */
  release(): boolean
  /** Writes the file anew if it is gone and there is room for it. */
  refill(): Promise<void>
}

export function openDiskReserve(database: string): DiskReserve {
  const file = `${database}-reserve`
  const folder = dirname(database)
  let lookedAt = -Infinity
  let isRoomy = false
  let isLow = false

  function look() {
    lookedAt = performance.now()
    const free = freeBytesOf(statfsSync(folder))
    isRoomy = free > roomyBytes
    isLow = !isRoomy && free < wantedBytes()
  }
  /** With the file gone, its bytes have to be found among those that are free. */
  const wantedBytes = () => existsSync(file) ? reserveBytes : 2 * reserveBytes

  return {
    isLow() {
      if (!isRoomy || performance.now() - lookedAt > roomyLookMs) look()
      return isLow
    },
    isSpent: () => existsSync(folder) && !existsSync(file) && freeBytesOf(statfsSync(folder)) < spentBytes,
    release() {
      isRoomy = false
      if (!existsSync(file)) return false
      unlinkSync(file)
      return true
    },
    async refill() {
      if (existsSync(file) || freeBytesOf(await statfs(folder)) < 2 * reserveBytes) return
      const unfinished = `${file}-new`
      try {
        await writeZeros(unfinished)
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
  }
}

const freeBytesOf = ({ bavail, bsize }: { bavail: number, bsize: number }) => bavail * bsize

async function writeZeros(path: string) {
  const file = await open(path, 'w')
  try {
    await file.writeFile(Buffer.alloc(reserveBytes))
  } finally {
    await file.close()
  }
}
