import type { SourceChunk } from './chunk-thread.ts'
import type { Thread } from './thread.ts'

/** Chunks that one commit writes at most: the database has one writer, and a short mail waits for one commit. */
const chunksAtOnce = 4
/** Milliseconds that short mails keep chunks waiting at most, so that a stream of them does not stop long mail. */
const maxHoldMs = 50

export interface ChunkQueue {
  /** Stores a chunk when it is the sender's turn; it is on disk when the promise resolves. */
  store(sender: string, chunk: SourceChunk): Promise<void>
  /** Short mails that were being stored are done. */
  proceed(): void
}

/**
 * Hands chunks of long mail to the thread that writes them: the senders in rotation, and short mail first.
 * @param isShortMailWaiting a short mail is being stored
 */
export function openChunkQueue(thread: Thread, isShortMailWaiting: () => boolean): ChunkQueue {
  // in the order of the next turns
  const queues = new Map<string, (() => Promise<void>)[]>()
  let underWay = 0
  let holdUntil: number | undefined
  let timer: NodeJS.Timeout | undefined

  function proceed() {
    if (underWay > 0 || queues.size === 0 || mustHold()) return
    while (underWay < chunksAtOnce && queues.size > 0) {
      underWay++
      void next()().finally(() => {
        underWay--
        proceed()
      })
    }
  }

  function mustHold() {
    holdUntil ??= performance.now() + maxHoldMs
    const leftMs = holdUntil - performance.now()
    if (leftMs > 0 && isShortMailWaiting()) {
      timer ??= setTimeout(() => {
        timer = undefined
        proceed()
      }, leftMs)
      return true
    }
    holdUntil = undefined
    return false
  }

  function next() {
    const [sender, queue] = queues.entries().next().value!
    const first = queue.shift()!
    queues.delete(sender)
    if (queue.length > 0) queues.set(sender, queue)
    return first
  }

  async function write(chunk: SourceChunk) {
    const id = `${chunk.messageId}/${chunk.seq}`
    const stored = thread.settled(id)
    thread.post({ ...chunk, id }, [chunk.bytes.buffer])
    if (!await stored) throw new Error('the thread that stores long mail ended')
  }

  return {
    proceed,
    store: (sender, chunk) => new Promise((resolve, reject) => {
      const queue = queues.get(sender) ?? []
      queue.push(() => write(chunk).then(resolve, reject))
      queues.set(sender, queue)
      proceed()
    }),
  }
}
