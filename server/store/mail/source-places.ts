import { enqueueOnce } from '../jobs/jobs.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import type { SourcePlaceRow } from '../schema/mail.ts'
import { blockBytes, decryptBlocks, encryptedBytes } from '../sources/cipher.ts'
import type { SourceRange } from '../sources/object-store.ts'

/** Bytes of a source that are read from the store at once. */
const readBytes = 16 * blockBytes

interface SourcePlace extends Pick<SourcePlaceRow, 'start' | 'key'> {
  /** Of the object. */
  name: string
  /** Bytes of the source; null when the message is removed. */
  size: number | null
}

/**
 * A range of a source that is not in the database any more. It ends early when the message is removed.
 * @throws UnavailableError, and Error when the object is missing or damaged, or this node has no store
 */
export async function* readPlaced(db: Database, messageId: string, { offset, length }: SourceRange): AsyncGenerator<Uint8Array> {
  const { sources: store, shared } = db.engine
  const place = shared ? await findPlace(db, messageId) : undefined
  if (!place) return
  if (!store) throw new Error('MAYFLY_SOURCES: is needed to read this mail, and is not set at this node')
  const end = Math.min(offset + length, place.size ?? 0)
  const [begin, last] = [Math.floor(offset / blockBytes) * blockBytes, Math.ceil(end / blockBytes) * blockBytes]
  for (let at = begin; at < end; at += readBytes) {
    const start = encryptedBytes(at)
    const length = encryptedBytes(Math.min(at + readBytes, last, place.size!)) - start
    const bytes = await store.read(place.name, { offset: place.start + start, length })
    if (bytes?.length !== length) {
      if (!await findPlace(db, messageId)) return
      throw new Error(`MAYFLY_SOURCES: the object ${place.name} is ${bytes ? 'shorter than its mails' : 'missing'}`)
    }
    let blockStart = at
    for (const block of decrypt(place, at, bytes)) {
      yield block.subarray(Math.max(0, offset - blockStart), end - blockStart)
      blockStart += blockBytes
    }
  }
}

function* decrypt({ key, name }: SourcePlace, at: number, bytes: Uint8Array) {
  try {
    yield* decryptBlocks(key, at / blockBytes, bytes)
  } catch (error) {
    throw new Error(`MAYFLY_SOURCES: the object ${name} is damaged: it has other bytes than were written`, { cause: error })
  }
}

async function findPlace(db: Database, messageId: string): Promise<SourcePlace | undefined> {
  return (await selectPlace(db, { messageId })).rows[0]
}

/** Whether sources have left the database. */
export async function hasPlaces(db: Database): Promise<boolean> {
  return await db.sql.selectFrom('source_places').select('message_id').limit(1).executeTakeFirst() !== undefined
}

/** Removes the places of messages, with their keys: nothing can read their bytes in the store from then on. */
export async function removePlaces(tx: Tx, messageIds: string[]): Promise<void> {
  if (!tx.engine.shared) return
  const removed = await tx.sql.deleteFrom('source_places').where('message_id', 'in', messageIds).returning('segment').execute()
  const ofSegment = Map.groupBy(removed, ({ segment }) => segment)
  let isAnyEmpty = false
  for (const segment of [...ofSegment.keys()].sort((a, b) => a - b)) { // in one order, against deadlocks
    const { rows: [row] } = await subtractMails(tx, { segment, removed: ofSegment.get(segment)!.length })
    isAnyEmpty ||= row?.mails === 0
  }
  if (isAnyEmpty) await enqueueOnce(tx, 'remove-segments')
}

const selectPlace = prepared<{ messageId: string }, SourcePlace>((sql, value) => sql.selectFrom('source_places')
  .innerJoin('source_segments', 'source_segments.number', 'source_places.segment')
  .select(['name', 'start', 'key'])
  .select(({ selectFrom }) => selectFrom('messages').select('size').where('id', '=', value('messageId')).as('size'))
  .where('message_id', '=', value('messageId')))

const subtractMails = prepared<{ segment: number, removed: number }, { mails: number }>((sql, value) =>
  sql.updateTable('source_segments').set((row) => ({ mails: row('mails', '-', value('removed')) }))
    .where('number', '=', value('segment')).returning('mails'))
