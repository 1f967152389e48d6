import type { Database } from '../../store/database.ts'
import { chunkBytes, readChunk } from '../../store/mail/message-chunks.ts'
import type { MessageChunk } from '../../store/mail/message-chunks.ts'
import { readChunksOf } from '../../store/mail/source-segments.ts'
import type { MovableMail, PlacedSource } from '../../store/mail/source-segments.ts'
import { blockBytes, encryptBlocks, encryptedBytes } from '../../store/sources/cipher.ts'

type Source = MovableMail & Pick<PlacedSource, 'key'>

/**
 * Reads the sources of mails from their chunks, and encrypts them, in pieces of about `chunkBytes`.
 * @param incomplete gets the ids of mails whose chunks are removed meanwhile; zeros take the place of their bytes
 */
export async function* encryptSources(db: Database, sources: Source[], incomplete: Set<string>): AsyncGenerator<Uint8Array> {
  for (const group of groupsOf(sources)) {
    if (group.length === 1) {
      yield* encrypt(group[0]!, readLong(db, group[0]!), incomplete)
      continue
    }
    const chunks = Map.groupBy(await readChunksOf(db, group.map(({ id }) => id)), ({ messageId }) => messageId)
    const pieces: Uint8Array[] = []
    for (const source of group) {
      for await (const piece of encrypt(source, chunks.get(source.id) ?? [], incomplete)) pieces.push(piece)
    }
    yield Buffer.concat(pieces)
  }
}

/** Mails in a row whose sources have at most `chunkBytes` together; a longer one is alone. */
function* groupsOf(sources: Source[]): Generator<Source[]> {
  let group: Source[] = []
  let bytes = 0
  for (const source of sources) {
    if (group.length > 0 && bytes + source.size > chunkBytes) {
      yield group
      group = []
      bytes = 0
    }
    group.push(source)
    bytes += source.size
  }
  if (group.length > 0) yield group
}

async function* readLong(db: Database, { id, size }: Source): AsyncGenerator<Pick<MessageChunk, 'bytes'>> {
  for (let seq = 0; seq * chunkBytes < size; seq++) {
    const bytes = await readChunk(db, id, seq)
    if (!bytes) return
    yield { bytes }
  }
}

async function* encrypt(
  { id, size, key }: Source, chunks: Iterable<Pick<MessageChunk, 'bytes'>> | AsyncIterable<Pick<MessageChunk, 'bytes'>>, incomplete: Set<string>,
): AsyncGenerator<Uint8Array> {
  let left = encryptedBytes(size)
  let block = 0
  for await (const { bytes } of chunks) {
    const encrypted = encryptBlocks(key, block, bytes)
    left -= encrypted.length
    block += bytes.length / blockBytes
    yield encrypted
  }
  if (left !== 0) incomplete.add(id)
  for (; left > 0; left -= Math.min(left, chunkBytes)) yield Buffer.alloc(Math.min(left, chunkBytes))
}
