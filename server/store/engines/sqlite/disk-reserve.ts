import { existsSync, statfsSync, unlinkSync } from 'node:fs'
import { open, rename, rm, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DiskReserve } from '../../engine.ts'
import { fileOf } from './file-names.ts'

/** Bytes of the disk that are reserved for transactions that remove rows, and for the start of a server (docs/decisions/0018). */
const reserveBytes = 4 * 1024 * 1024

/** Milliseconds for which the free space is cached while there are more than `roomyBytes`. */
const roomyCacheMs = 50
const roomyBytes = 256 * 1024 * 1024

/** Minimum free bytes with which SQLite can create its files beside the database. */
const minUsableBytes = 64 * 1024

export interface ReserveFile extends DiskReserve {
  /** Whether the disk is full and the reserve file is gone. */
  isSpent(): boolean
}

export function openDiskReserve(database: string): ReserveFile {
  const file = fileOf(database, 'reserve')
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
  /** Without the reserve file, its bytes have to be free as well. */
  const wantedBytes = () => existsSync(file) ? reserveBytes : 2 * reserveBytes

  return {
    isLow() {
      if (!isRoomy || performance.now() - lookedAt > roomyCacheMs) look()
      return isLow
    },
    isSpent: () => existsSync(folder) && !existsSync(file) && freeBytesOf(statfsSync(folder)) < minUsableBytes,
    release() {
      isRoomy = false
      if (!existsSync(file)) return false
      unlinkSync(file)
      return true
    },
    async refill() {
      if (existsSync(file) || freeBytesOf(await statfs(folder)) < 2 * reserveBytes) return
      const unfinished = fileOf(database, 'unfinishedReserve')
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
