import { sql as raw } from 'kysely'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import type { SourceRange } from '../sources/object-store.ts'
import { readPlaced } from './source-places.ts'

export type { SourceRange }

/** Maximum bytes of a chunk, so that its commit does not block others for long. */
export const chunkBytes = 256 * 1024

/** A piece of a source, `chunkBytes` long except the last one. */
export interface MessageChunk {
  messageId: string
  seq: number
  bytes: Uint8Array
}

export async function insertChunk(tx: Tx, chunk: MessageChunk): Promise<void> {
  await upsertChunk(tx, chunk)
}

/** The source of a message, chunk by chunk. Chunks that have left the database are read from the store of sources. */
export async function* readSource(db: Database, messageId: string): AsyncGenerator<Uint8Array> {
  const { rows } = await selectInlineSource(db, { messageId })
  if (rows[0]?.source) return yield rows[0].source
  for (let seq = 0; ; seq++) {
    const bytes = await readChunk(db, messageId, seq)
    if (!bytes) return yield* readPlaced(db, messageId, { offset: seq * chunkBytes, length: Infinity })
    yield bytes
    if (bytes.length < chunkBytes) return
  }
}

/** A range of the source of a message, in pieces of at most `chunkBytes`. It ends early when the message is removed. */
export async function* readRange(db: Database, messageId: string, { offset, length }: SourceRange): AsyncGenerator<Uint8Array> {
  const { rows } = await selectInlineRange(db, { messageId, offset, length })
  if (rows[0]?.bytes) return yield rows[0].bytes
  const end = offset + length
  for (let seq = Math.floor(offset / chunkBytes); seq * chunkBytes < end; seq++) {
    const start = seq * chunkBytes
    const bytes = await readChunk(db, messageId, seq)
    if (!bytes) {
      const from = Math.max(offset, start)
      return yield* readPlaced(db, messageId, { offset: from, length: end - from })
    }
    yield bytes.subarray(Math.max(0, offset - start), end - start)
  }
}

/** @returns undefined when there is none */
export async function readChunk(db: Database, messageId: string, seq: number): Promise<Uint8Array | undefined> {
  return (await selectChunk(db, { messageId, seq })).rows[0]?.bytes
}

const upsertChunk = prepared<MessageChunk, never>((sql, value) =>
  sql.insertInto('message_chunks')
    .values({ message_id: value('messageId'), seq: value('seq'), bytes: value('bytes') })
    .onConflict((conflict) => conflict.columns(['message_id', 'seq']).doUpdateSet({ bytes: value('bytes') })))

const selectChunk = prepared<{ messageId: string, seq: number }, { bytes: Uint8Array }>((sql, value) =>
  sql.selectFrom('message_chunks').select('bytes').where('message_id', '=', value('messageId')).where('seq', '=', value('seq')))

const selectInlineSource = prepared<{ messageId: string }, { source: Uint8Array | null }>((sql, value) =>
  sql.selectFrom('messages').select('source').where('id', '=', value('messageId')))

const selectInlineRange = prepared<{ messageId: string } & SourceRange, { bytes: Uint8Array | null }>((sql, value) =>
  sql.selectFrom('messages').select(raw<Uint8Array | null>`substr(source, cast(${value('offset')} as integer) + 1, cast(${value('length')} as integer))`.as('bytes'))
    .where('id', '=', value('messageId')))
