import { openRotation } from '../rotation.ts'
import type { SourceChunk } from './chunk-thread.ts'
import type { Thread } from './thread.ts'

/** Chunks that the thread is given at once: other threads wait for a commit of these at most. */
const maxUnderWay = 8

/** Stores a chunk when it is the sender's turn; it is on disk when the promise resolves. */
export type StoreChunk = (sender: string, chunk: SourceChunk) => Promise<void>

/** Hands chunks of long mail to the thread that writes them, the senders in rotation. */
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
