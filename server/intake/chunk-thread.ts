import { inTransaction } from '../store/database.ts'
import { insertChunk, sourcePart } from '../store/messages.ts'
import { answer } from './answering.ts'

/** A piece of the source of a long mail. */
export interface SourceChunk {
  messageId: string
  seq: number
  bytes: Uint8Array<ArrayBuffer>
}

/** Bytes after which this thread empties the log of the database itself, so that the thread of the short mails need not. */
const checkpointBytes = 8 * 1024 * 1024

let written = 0

const db = await answer<SourceChunk & { id: string }>(({ id, messageId, seq, bytes }, { db, settle }) => {
  const chunk = { message_id: messageId, part: sourcePart, seq, bytes }
  void settle(id, 0, () => inTransaction(db, (tx) => insertChunk(tx, chunk))).then(() => {
    written += bytes.length
    if (written < checkpointBytes) return
    written = 0
    setImmediate(checkpoint) // once the receipt is posted
  })
})

function checkpoint() {
  try {
    db.engine.checkpoint()
  } catch {
    // a full disk: the log keeps everything, and the next checkpoint tries again
  }
}
