import { copyPieces } from '../line-endings.ts'

/** Where a source stands in the shared memory. */
export interface SharedRange {
  start: number
  bytes: number
}

/**
 * Memory for the sources of mail under way, shared by the threads that parse, write and authenticate it. Buffers that each thread gets
 * would be garbage there, up to 64 MB before V8 collects it. A mail for which there is no room is passed on as a buffer.
 */
export interface SharedSources {
  memory: SharedArrayBuffer
  /** Copies a source into the memory. @returns undefined when there is no room */
  add(messageId: string, source: readonly Uint8Array[], bytes: number): SharedRange | undefined
  /** Frees the memory of a source that no thread reads any more. */
  remove(messageId: string): void
}

const defaultBytes = 16 * 1024 * 1024
const blockBytes = 8 * 1024

export function openSharedSources(maxBytes = defaultBytes): SharedSources {
  const memory = new SharedArrayBuffer(maxBytes)
  const isUsed = Array.from({ length: Math.floor(maxBytes / blockBytes) }, () => false)
  const taken = new Map<string, { first: number, count: number }>()

  /** Finds free blocks in a row: the first ones, so that memory which was never needed stays untouched, and takes no space. */
  function findFree(count: number): number | undefined {
    let free = 0
    for (let block = 0; block < isUsed.length; block++) {
      free = isUsed[block] ? 0 : free + 1
      if (free === count) return block - count + 1
    }
    return undefined
  }

  return {
    memory,
    add(messageId, source, bytes) {
      const count = Math.max(1, Math.ceil(bytes / blockBytes))
      const first = findFree(count)
      if (first === undefined) return undefined
      isUsed.fill(true, first, first + count)
      taken.set(messageId, { first, count })
      const start = first * blockBytes
      copyPieces(source, new Uint8Array(memory, start, bytes))
      return { start, bytes }
    },
    remove(messageId) {
      const found = taken.get(messageId)
      if (!found) return
      isUsed.fill(false, found.first, found.first + found.count)
      taken.delete(messageId)
    },
  }
}

/** A mail whose source is in the shared memory, or is passed on as a buffer. */
export interface SharedMail {
  /** Bytes of its source. */
  size: number
  /** Undefined when it is passed on. */
  range?: SharedRange | undefined
}

/** The bytes of a source, without a copy. */
export const readShared = (memory: SharedArrayBuffer, { start, bytes }: SharedRange): Buffer => Buffer.from(memory, start, bytes)

/** The sources of mails, without copies. @param passed those that are not in the shared memory, one after the other */
export function sourcesOf(mails: readonly SharedMail[], memory: SharedArrayBuffer, passed: Uint8Array<ArrayBuffer>): Buffer[] {
  let start = 0
  return mails.map(({ size, range }) => {
    if (range) return readShared(memory, range)
    start += size
    return Buffer.from(passed.buffer, passed.byteOffset + start - size, size)
  })
}
