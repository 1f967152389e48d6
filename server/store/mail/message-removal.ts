import { prepared } from '../changes/prepared.ts'
import type { Tx } from '../database.ts'
import type { MessageChunk } from './message-chunks.ts'
import { removePlaces } from './source-places.ts'

/** Records that several mailboxes show a message. */
export async function shareMessage(tx: Tx, messageId: string, mailboxes: number): Promise<void> {
  await tx.sql.insertInto('shared_messages').values({ message_id: messageId, mailboxes }).execute()
}

/**
 * Records that mailboxes no longer show messages. Those without any mailbox are marked for `purge-messages`.
 * @param messageIds one for each email, so an id may come several times
 */
export async function withdrawMessages(tx: Tx, messageIds: string[]): Promise<void> {
  const shown = new Set<string>()
  const withdrawn: string[] = []
  const ofMessage = Map.groupBy(messageIds, (id) => id)
  // one statement for all messages that lose the same number of emails, mostly 1
  for (const [emailCount, ids] of Map.groupBy(ofMessage.keys(), (id) => ofMessage.get(id)!.length)) {
    const shared = await tx.sql.updateTable('shared_messages').set((row) => ({ mailboxes: row('mailboxes', '-', emailCount) }))
      .where('message_id', 'in', ids).returning(['message_id as id', 'mailboxes']).execute()
    for (const { id, mailboxes } of shared) {
      if (mailboxes > 0) shown.add(id)
      else withdrawn.push(id)
    }
  }
  if (withdrawn.length > 0) await tx.sql.deleteFrom('shared_messages').where('message_id', 'in', withdrawn).execute()
  await discardMessages(tx, [...ofMessage.keys()].filter((id) => !shown.has(id)))
}

/** Marks messages that no mailbox shows, for `purge-messages` to remove. */
export async function discardMessages(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.sql.insertInto('discarded_messages').values(ids.map((id) => ({ message_id: id })))
    .onConflict((conflict) => conflict.column('message_id').doNothing()).execute()
}

/** Whether a message that was stored in chunks is marked for removal, or removed. Chunks other than the first may have been added since. */
export async function isDiscarded(tx: Tx, messageId: string): Promise<boolean> {
  const marked = await tx.sql.selectFrom('discarded_messages').select('message_id').where('message_id', '=', messageId).executeTakeFirst()
  if (marked) return true
  const first = await tx.sql.selectFrom('message_chunks').select('seq').where('message_id', '=', messageId).where('seq', '=', 0).executeTakeFirst()
  if (first) return false
  // the chunks of a published one may have left the database
  return await tx.sql.selectFrom('messages').select('id').where('id', '=', messageId).executeTakeFirst() === undefined
}

/** Maximum that one transaction removes, so that it does not block others for long. */
const maxRemovedMessages = 200
const maxRemovedBytes = 2 * 1024 * 1024
const maxRemovedChunks = 16

/** Removes some discarded messages, or some of a large one. @returns true when there may be more */
export async function removeDiscarded(tx: Tx): Promise<boolean> {
  const found = await tx.sql.selectFrom('discarded_messages').leftJoin('messages', 'messages.id', 'message_id')
    .select(['message_id as id', 'size']).limit(maxRemovedMessages).execute()
  if (found.length === 0) return false
  let bytes = 0
  const ids = found.filter(({ size }, i) => (bytes += size ?? 0) <= maxRemovedBytes || i === 0).map(({ id }) => id)
  const chunks = await tx.sql.selectFrom('message_chunks').select(['message_id as messageId', 'seq'])
    .where('message_id', 'in', ids).limit(maxRemovedChunks).execute()
  for (const chunk of chunks) await removeChunk(tx, chunk)
  if (chunks.length === maxRemovedChunks) return true
  await tx.sql.deleteFrom('discarded_messages').where('message_id', 'in', ids).execute()
  await removeMessages(tx, ids)
  return ids.length === maxRemovedMessages || ids.length < found.length
}

/** Removes messages with their sources, excerpts and authentication results, published or not. */
export async function removeMessages(tx: Tx, ids: string[]): Promise<void> {
  await tx.sql.deleteFrom('messages').where('id', 'in', ids).execute()
  await tx.sql.deleteFrom('message_excerpts').where('message_id', 'in', ids).execute()
  await tx.sql.deleteFrom('message_chunks').where('message_id', 'in', ids).execute()
  await tx.sql.deleteFrom('authentications').where('message_id', 'in', ids).execute()
  await removePlaces(tx, ids) // after the rows of the messages, for which the job that moves sources waits
}

const removeChunk = prepared<Omit<MessageChunk, 'bytes'>, never>((sql, value) => sql.deleteFrom('message_chunks')
  .where('message_id', '=', value('messageId')).where('seq', '=', value('seq')))
