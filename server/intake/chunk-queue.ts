import { openRotation } from '../rotation.ts'
import type { SourceChunk } from './chunk-thread.ts'
import type { Thread } from './thread.ts'

/** Maximum chunks in the thread at once: other threads wait for a commit of at most these. */
const maxUnderWay = 8

/** Stores a chunk in a turn of its sender. Resolves when it is on disk. */
export type StoreChunk = (sender: string, chunk: SourceChunk) => Promise<void>

/** Passes chunks of long mail to the thread that writes them, senders in rotation. */
export function openChunkQueue(thread: Thread): StoreChunk {
  const waiting = openRotation<() => Promise<void>>()
  let underWay = 0

  function proceed() {
    while (underWay < maxUnderWay && waiting.size > 0) {
      underWay++
      void waiting.shift()!().finally(() => {
        underWay--
        proceed()
      })
    }
  }

  async function write(chunk: SourceChunk) {
    const id = `${chunk.messageId}/${chunk.seq}`
    const stored = thread.settled(id)
    thread.post({ ...chunk, id }, [chunk.bytes.buffer])
    if (!await stored) throw new Error('the thread that stores long mail ended')
  }

  return (sender, chunk) => new Promise((resolve, reject) => {
    waiting.push(sender, () => write(chunk).then(resolve, reject))
    proceed()
  })
}
