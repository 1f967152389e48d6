import { inTransaction } from '../../../server/store/database.ts'
import { isDiscarded } from '../../../server/store/mail/message-removal.ts'
import type { TestApp } from '../app.ts'
import { rawSql } from './raw-sql.ts'
import { withDatabase } from './with-database.ts'

/** Where the sources of mail are: rows of the database, and the states of segments with their mails. */
export interface StoredSources {
  chunks: number
  /** Sources in the rows of their messages. */
  inRows: number
  places: number
  segments: string[]
}

export function readStoredSources(database: string): Promise<StoredSources> {
  return withDatabase(database, async (db) => {
    const [counts] = await rawSql<Omit<StoredSources, 'segments'>>(db, `select (select count(*) from message_chunks) as chunks,
      (select count(*) from messages where source is not null) as "inRows", (select count(*) from source_places) as places`)
    const segments = await rawSql<{ segment: string }>(db, "select state || ' ' || mails as segment from source_segments order by number")
    return { ...counts!, segments: segments.map(({ segment }) => segment) }
  })
}

/** Leaves a segment as a node does that dies while it writes the object. @param createdAt in milliseconds since 1970 */
export const leaveSegment = (database: string, name: string, createdAt: number): Promise<unknown> => withDatabase(database, (db) =>
  rawSql(db, `insert into source_segments (name, state, due_at) values ('${name}', 'writing', ${createdAt})`))

/** The messages of a database that a repeated acceptance would take for discarded ones. */
export const findDiscarded = ({ app: { db } }: TestApp): Promise<string[]> => inTransaction(db, async (tx) => {
  const ids = (await tx.sql.selectFrom('messages').select('id').execute()).map(({ id }) => id)
  const discarded = await Promise.all(ids.map((id) => isDiscarded(tx, id)))
  return ids.filter((_, i) => discarded[i])
})

/** Stores the first chunk of each message again, as a server does whose thread has ended before it answered. */
export const storeChunksAgain = (database: string, source: string): Promise<unknown> => withDatabase(database, (db) =>
  rawSql(db, `insert into message_chunks (message_id, seq, bytes) select id, 0, convert_to('${source}', 'UTF8') from messages`))
