import { inTransaction } from '../store/database.ts'
import { insertChunk, sourcePart } from '../store/messages.ts'
import { answer } from './answering.ts'

/** A piece of the source of a long mail. */
export interface SourceChunk {
  messageId: string
  seq: number
  bytes: Uint8Array<ArrayBuffer>
}

/** Asks for a checkpoint of the database. */
export interface CheckpointRequest {
  id: string
}

await answer<SourceChunk & CheckpointRequest | CheckpointRequest>((request, { db, settle }) => {
  void settle(request.id, 0, async () => {
    if ('bytes' in request) {
      const { messageId, seq, bytes } = request
      await inTransaction(db, (tx) => insertChunk(tx, { message_id: messageId, part: sourcePart, seq, bytes }))
    } else {
      await new Promise(setImmediate) // posts the receipts of stored chunks before the checkpoint blocks the thread
      db.engine.checkpoint()
    }
  })
})
