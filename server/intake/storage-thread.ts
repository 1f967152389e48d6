import { workerData } from 'node:worker_threads'
import { composeSigned, storeComposed } from '../domain/composed-mail.ts'
import { composeMail } from '../mime/write/compose.ts'
import type { NewMail } from '../mime/write/compose.ts'
import { inTransaction } from '../store/database.ts'
import { insertChunk } from '../store/mail/message-chunks.ts'
import { runThread } from './thread-main.ts'
import type { ThreadSettings } from './thread.ts'

/** A chunk of the source of a long mail. */
export interface SourceChunk {
  messageId: string
  seq: number
  bytes: Uint8Array<ArrayBuffer>
}

export type StorageWork =
  | { kind: 'chunk' } & SourceChunk
  | { kind: 'compose', mail: NewMail }
  | { kind: 'store-composed', mail: NewMail, now: number }
  | { kind: 'checkpoint' }

const { signingKey } = workerData as ThreadSettings

await runThread<StorageWork & { id: string }>((work, { db, settle }) => {
  void settle(work.id, 'now' in work ? work.now : 0, async () => {
    switch (work.kind) {
      case 'chunk': {
        const { messageId, seq, bytes } = work
        return inTransaction(db, (tx) => insertChunk(tx, { messageId, seq, bytes }))
      }
      case 'compose':
        return composeMail(work.mail)
      case 'store-composed': {
        const source = await composeSigned(work.mail, signingKey, work.now)
        return inTransaction(db, (tx) => storeComposed(tx, work.mail, source))
      }
      case 'checkpoint':
        await new Promise(setImmediate) // posts the receipts of stored chunks before the checkpoint blocks the thread
        db.engine.checkpoint()
    }
  })
})
