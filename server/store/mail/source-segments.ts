import { sql as raw } from 'kysely'
import type { QueryResult } from 'kysely'
import { prepared, preparedForList, preparedRows } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import type { WaitingSources } from '../jobs/job-payloads.ts'
import { enqueueOnce } from '../jobs/jobs.ts'
import type { SourcePlaceRow } from '../schema/mail.ts'
import type { MessageChunk } from './message-chunks.ts'

/** A published mail whose source is in the database. */
export interface MovableMail {
  id: string
  /** Bytes. */
  size: number
}

/** The mails of a segment at most: a mail longer than that has one of its own. */
const max = { bytes: 8 * 1024 * 1024, mails: 2_048 }

/** Ids that one query reads. */
const pageRows = 512

/**
 * Finds published mails whose sources are in chunks, oldest first.
 * @param after an id, or the beginning of one
 * @returns whether there are more than a segment takes
 */
export async function findMovable(db: Database, after: string): Promise<{ mails: MovableMail[], isFull: boolean }> {
  const mails: MovableMail[] = []
  let bytes = 0
  for (let last = after; ;) {
    const { rows } = await selectChunked(db, { after: last, limit: pageRows })
    const sizes = new Map((await selectSizes(db, rows.map(({ id }) => id))).map(({ id, size }) => [id, size]))
    for (const { id } of rows) {
      const size = sizes.get(id)
      if (size === undefined) continue // not published yet
      if (mails.length > 0 && bytes + size > max.bytes || mails.length === max.mails) return { mails, isFull: true }
      mails.push({ id, size })
      bytes += size
    }
    if (rows.length < pageRows) return { mails, isFull: false }
    last = rows.at(-1)!.id
  }
}

/** The chunks of some short mails, in their order. */
export const readChunksOf: (db: Database, ids: string[]) => Promise<MessageChunk[]> = preparedForList<string, MessageChunk>((sql, ids) =>
  sql.selectFrom('message_chunks').select(['message_id as messageId', 'seq', 'bytes'])
    .where('message_id', 'in', ids).orderBy('message_id').orderBy('seq'))

/** Counts sources in chunks by the ids of their mails: after one, before another. */
export async function countChunked(db: Database, range: { after: string, before: string }): Promise<WaitingSources> {
  return (await selectSum(db, range)).rows[0]!
}

/** @returns the number of a new segment, whose object is about to be written */
export async function insertSegment(tx: Tx, name: string): Promise<number> {
  const { number } = await tx.sql.insertInto('source_segments').values({ name, state: 'writing', due_at: tx.now })
    .returning('number').executeTakeFirstOrThrow()
  return number
}

/** A source in a segment. */
export type PlacedSource = Pick<SourcePlaceRow, 'start' | 'key'> & { id: string }

/**
 * Has the sources of some mails in a segment, in place of their chunks. Mails that were removed meanwhile are left out, and so are those
 * that have a place: a mail is stored once more when its thread ends before it answers.
 * @throws SegmentLost
 */
export async function placeSources(tx: Tx, segment: number, sources: PlacedSource[]): Promise<void> {
  // of a message that is removed at the same time, the place would stay
  const shown = new Set((await lockMessages(tx, sources.map(({ id }) => id))).map(({ id }) => id))
  const rows = sources.filter(({ id }) => shown.has(id)).map(({ id, start, key }) => ({ message_id: id, segment, start, key }))
  const inserted = await insertPlaces(tx, rows) as QueryResult<never>[]
  const added = inserted.reduce((sum, { numAffectedRows = 0n }) => sum + Number(numAffectedRows), 0)
  const { numAffectedRows } = await addMails(tx, { segment, added })
  if (numAffectedRows !== 1n) throw new SegmentLost()
  await deleteChunks(tx, rows.map(({ message_id: id }) => id))
}

/** All mails of a segment have their places. @throws SegmentLost */
export async function endSegment(tx: Tx, segment: number): Promise<void> {
  const ended = await tx.sql.updateTable('source_segments').set({ state: 'written' })
    .where('number', '=', segment).where('state', '=', 'writing').returning('mails').executeTakeFirst()
  if (!ended) throw new SegmentLost()
  if (ended.mails === 0) await enqueueOnce(tx, 'remove-segments')
}

/** A segment was written for so long that it counts as abandoned, and its object is removed. */
class SegmentLost extends Error {
  override readonly name = 'SegmentLost'
}

export interface EmptySegment {
  number: number
  name: string
}

/** Marks some segments without mails for removal: those that are written, or were begun before a time in milliseconds since 1970. */
export async function takeEmptySegments(tx: Tx, { begunBefore, limit }: { begunBefore: number, limit: number }): Promise<EmptySegment[]> {
  const { rows } = await updateEmpty(tx, { begunBefore, limit })
  return rows
}

/** Has segments taken again after those that are empty now. */
export async function postponeSegments(tx: Tx, segments: EmptySegment[]): Promise<void> {
  if (segments.length === 0) return
  await tx.sql.updateTable('source_segments').set({ due_at: tx.now }).where('number', 'in', segments.map(({ number }) => number)).execute()
}

/** Removes the rows of segments whose objects are removed. */
export async function forgetSegments(tx: Tx, segments: EmptySegment[]): Promise<void> {
  if (segments.length === 0) return
  await tx.sql.deleteFrom('source_segments').where('number', 'in', segments.map(({ number }) => number)).execute()
}

const selectChunked = prepared<{ after: string, limit: number }, { id: string }>((sql, value) =>
  sql.selectFrom('message_chunks').select('message_id as id').where('message_id', '>', value('after')).where('seq', '=', 0)
    .orderBy('message_id').limit(value('limit')))

// a join could be planned as a scan of all messages
const selectSizes = preparedForList<string, MovableMail>((sql, ids) => sql.selectFrom('messages').select(['id', 'size']).where('id', 'in', ids))

const selectSum = prepared<{ after: string, before: string }, WaitingSources>((sql, value) =>
  sql.selectFrom('message_chunks')
    .select(({ fn }) => fn.countAll<number>().filterWhere('seq', '=', 0).as('mails'))
    .select(raw<number>`coalesce(sum(octet_length(bytes)), 0)::float8`.as('bytes'))
    .where('message_id', '>', value('after')).where('message_id', '<', value('before')))

const lockMessages = preparedForList<string, { id: string }>((sql, ids) =>
  sql.selectFrom('messages').select('id').where('id', 'in', ids).orderBy('id').forKeyShare())

const insertPlaces = preparedRows<SourcePlaceRow>(['message_id', 'segment', 'start', 'key'], (sql, rows) =>
  sql.insertInto('source_places').values(rows).onConflict((conflict) => conflict.column('message_id').doNothing()))

const deleteChunks = preparedForList<string, never>((sql, ids) => sql.deleteFrom('message_chunks').where('message_id', 'in', ids))

const addMails = prepared<{ segment: number, added: number }, never>((sql, value) =>
  sql.updateTable('source_segments').set((row) => ({ mails: row('mails', '+', value('added')) }))
    .where('number', '=', value('segment')).where('state', '=', 'writing'))

const updateEmpty = prepared<{ begunBefore: number, limit: number }, EmptySegment>((sql, value) =>
  sql.updateTable('source_segments').set({ state: 'removing' })
    .where('number', 'in', (empty) => empty.selectFrom('source_segments').select('number')
      .where('mails', '=', raw.lit(0))
      .where(({ or, eb }) => or([eb('state', '!=', 'writing'), eb('due_at', '<', value('begunBefore'))]))
      .orderBy('due_at').limit(value('limit')))
    .where('mails', '=', raw.lit(0)) // as it is now: a transaction may have added some since they were found
    .returning(['number', 'name']))
