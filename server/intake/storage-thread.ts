import type { SourceChunk, StoredMail } from '../context.ts'
import { composeSigned, storeComposed } from '../domain/composed-mail.ts'
import { acceptStored, storeFirstChunk } from '../domain/stored-mail.ts'
import { composeMail } from '../mime/write/compose.ts'
import type { NewMail } from '../mime/write/compose.ts'
import { inTransaction } from '../store/database.ts'
import { insertChunk } from '../store/mail/message-chunks.ts'
import { runDatabaseThread } from './database-thread.ts'

export type StorageWork =
  | { kind: 'first-chunk', chunk: SourceChunk, now: number }
  | { kind: 'chunk', chunk: SourceChunk }
  | { kind: 'accept', mail: StoredMail, now: number }
  | { kind: 'compose', mail: NewMail }
  | { kind: 'store-composed', mail: NewMail, now: number }
  | { kind: 'checkpoint' }

runDatabaseThread<StorageWork & { id: string }>(({ data: { signingKey }, db, settle }) => ({
  work(work) {
    void settle(work.id, 'now' in work ? work.now : 0, async () => {
      switch (work.kind) {
        case 'first-chunk':
          return inTransaction(db, (tx) => storeFirstChunk(tx, work.chunk))
        case 'chunk':
          return inTransaction(db, (tx) => insertChunk(tx, work.chunk))
        case 'accept':
          return inTransaction(db, (tx) => acceptStored(tx, work.mail))
        case 'compose':
          return composeMail(work.mail)
        case 'store-composed': {
          const source = await composeSigned(work.mail, signingKey, work.now)
          return inTransaction(db, (tx) => storeComposed(tx, work.mail, source))
        }
        case 'checkpoint':
          await new Promise(setImmediate) // posts the receipts of stored chunks before the checkpoint blocks the thread
          db.engine.file?.checkpoint()
      }
    })
  },
}))
