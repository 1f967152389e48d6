import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'

/** Maximum bytes of a chunk, so that its commit does not block others for long. */
export const chunkBytes = 256 * 1024

/** The part number of a source that is stored in chunks; attachments follow from 1. */
export const sourcePart = 0

/** A piece of a part, `chunkBytes` long except the last one. */
export interface MessageChunk {
  messageId: string
  part: number
  seq: number
  bytes: Uint8Array
}

export async function insertChunk(tx: Tx, chunk: MessageChunk): Promise<void> {
  await upsertChunk(tx, chunk)
}

/** The bytes of a part that is stored in chunks. */
export async function* readPart(db: Database, messageId: string, part: number): AsyncGenerator<Uint8Array> {
  for (let seq = 0; ; seq++) {
    const { rows } = await selectChunk(db, { messageId, part, seq })
    if (!rows[0]) return
    yield rows[0].bytes
    if (rows[0].bytes.length < chunkBytes) return
  }
}

/** The source of a message, chunk by chunk. */
export async function* readSource(db: Database, messageId: string): AsyncGenerator<Uint8Array> {
  const { rows } = await selectInlineSource(db, { messageId })
  if (rows[0]?.source) yield rows[0].source
  else yield* readPart(db, messageId, sourcePart)
}

const upsertChunk = prepared<MessageChunk, never>((sql, value) =>
  sql.insertInto('message_chunks')
    .values({ message_id: value('messageId'), part: value('part'), seq: value('seq'), bytes: value('bytes') })
    .onConflict((conflict) => conflict.columns(['message_id', 'part', 'seq']).doUpdateSet({ bytes: value('bytes') })))

const selectChunk = prepared<{ messageId: string, part: number, seq: number }, { bytes: Uint8Array }>((sql, value) =>
  sql.selectFrom('message_chunks').select('bytes')
    .where('message_id', '=', value('messageId')).where('part', '=', value('part')).where('seq', '=', value('seq')))

const selectInlineSource = prepared<{ messageId: string }, { source: Uint8Array | null }>((sql, value) =>
  sql.selectFrom('messages').select('source').where('id', '=', value('messageId')))
