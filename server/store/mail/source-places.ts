import { enqueueOnce } from '../jobs/jobs.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import type { SourcePlaceRow } from '../schema/mail.ts'
import { cipherAt } from '../sources/cipher.ts'
import type { SourceRange } from '../sources/object-store.ts'

/** Bytes that are read from the store at once, and those of a piece. */
const [readBytes, pieceBytes] = [1024 * 1024, 256 * 1024]

interface SourcePlace extends Pick<SourcePlaceRow, 'start' | 'key'> {
  /** Of the object. */
  name: string
  /** Bytes of the source; null when the message is removed. */
  size: number | null
}

/**
 * A range of a source that is not in the database any more. It ends early when the message is removed.
 * @throws UnavailableError, and Error when the object is missing or too short, or this node has no store
 */
export async function* readPlaced(db: Database, messageId: string, { offset, length }: SourceRange): AsyncGenerator<Uint8Array> {
  const { sources: store, shared } = db.engine
  const place = shared ? await findPlace(db, messageId) : undefined
  if (!place) return
  if (!store) throw new Error('MAYFLY_SOURCES: is needed to read this mail, and is not set at this node')
  const end = Math.min(offset + length, place.size ?? 0)
  for (let at = offset; at < end; at += readBytes) {
    const range = { offset: place.start + at, length: Math.min(readBytes, end - at) }
    const bytes = await store.read(place.name, range)
    if (bytes?.length !== range.length) {
      if (!await findPlace(db, messageId)) return
      throw new Error(`MAYFLY_SOURCES: the object ${place.name} is ${bytes ? 'shorter than its mails' : 'missing'}`)
    }
    const decrypted = cipherAt(place.key, at).update(bytes)
    for (let start = 0; start < decrypted.length; start += pieceBytes) yield decrypted.subarray(start, start + pieceBytes)
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
