import type { Database } from '../database.ts'
import { enqueueOnce } from '../jobs/jobs.ts'
import { chunkBytes, insertChunk, readSource } from '../mail/message-chunks.ts'
import { discardMessages, withdrawMessages } from '../mail/message-removal.ts'
import { ofAccount } from '../owner.ts'
import { addRows, compare, inParts, putRows, readDigests, readRows } from './account-rows.ts'
import type { Sides } from './account-rows.ts'
import { hiddenMessagesSql, messageTables } from './account-tables.ts'
import type { MovedTable } from './sides.ts'

export interface MailCopyOptions {
  accountId: string
  table(name: string): MovedTable
  /** The messages whose rows the target has, without their authentication, which comes later. The function adds to them. */
  copied: Set<string>
  signal: AbortSignal
  onMessages(copied: number, total: number): void
}

/** Messages whose rows are compared at once. */
const maxMessages = 500

/**
 * Copies the mail of an account: its messages, then the emails that show them. Emails that the source does not have any more are removed.
 * @returns how many emails differed
 */
export async function copyMail(sides: Sides, options: MailCopyOptions): Promise<number> {
  const { accountId, table, copied } = options
  const emails = { table: table('emails'), by: 'account_id', ids: [accountId] }
  const [before, after] = await Promise.all([sides.source, sides.target].map((db) => readDigests(db, emails.table, emails)))
  const shown = await readIds(sides.source, `select distinct message_id as id from emails where ${emails.by} = $1`, accountId)
  const isShown = new Set(shown)
  const hidden = (await readIds(sides.source, `select id from (${hiddenMessagesSql}) as hidden (id)`, accountId)).filter((id) => !isShown.has(id))
  await copyMessages(sides, [...hidden, ...shown], options)
  for (const id of shown) copied.add(id)
  await discardHidden(sides.target, accountId, new Set([...hidden, ...shown]))

  const { added, changed, removed } = compare(before!, after!)
  const idOf = (key: string) => (JSON.parse(key) as [string])[0]
  for (const keys of inParts(removed, maxMessages)) await removeEmails(sides.target, keys.map(idOf))
  for (const keys of inParts(changed, maxMessages)) {
    const rows = await readRows(sides.source, emails.table, keys)
    if (rows.length > 0) await sides.target.commit((tx) => putRows(tx, emails.table, rows))
  }
  for (const keys of inParts(added, maxMessages)) await addEmails(sides, emails.table, keys)
  return added.length + changed.length + removed.length
}

/** Removes messages of outgoing mail that the source does not have any more, and that no mailbox shows. */
async function discardHidden(target: Database, accountId: string, present: Set<string>) {
  const sent = await target.sql.selectFrom('deliveries').select('message_id as id').$call(ofAccount(accountId))
    .where('kind', '=', 'verification').execute()
  const gone = sent.map(({ id }) => id).filter((id) => !present.has(id))
  if (gone.length > 0) await target.commit((tx) => discardMessages(tx, gone))
}

async function copyMessages(sides: Sides, ids: string[], { copied, table, signal, onMessages }: MailCopyOptions) {
  let done = 0
  const news = ids.filter((id) => !copied.has(id))
  for (const part of inParts(news, maxMessages)) {
    for (const name of ['messages', 'attachments', 'message_excerpts'] as const) {
      await addRows(sides, table(name), { by: messageTables[name], ids: part, signal })
    }
    await copySources(sides, table('message_chunks'), part, signal)
    onMessages(done += part.length, news.length)
  }
  const by = messageTables.authentications
  for (const part of inParts(ids, maxMessages * 4)) await addRows(sides, table('authentications'), { by, ids: part, signal })
}

/** Copies sources in chunks. Those that have left the source's database are read from its store; those that left the target's stay. */
async function copySources(sides: Sides, chunks: MovedTable, ids: string[], signal: AbortSignal) {
  const placed = new Set(await readIds(sides.target, placedSql, ids))
  const missing = ids.filter((id) => !placed.has(id))
  await addRows(sides, chunks, { by: messageTables.message_chunks, ids: missing, signal })
  const inStore = await readIds(sides.source, placedSql, missing) // after the chunks: a job may have moved some meanwhile
  if (inStore.length === 0) return
  const complete = new Set(await readIds(sides.target, completeSql, inStore))
  for (const id of inStore.filter((each) => !complete.has(each))) {
    signal.throwIfAborted()
    await copySource(sides, id)
  }
}

const placedSql = 'select message_id::text as id from source_places where message_id = any ($1::uuid[])'

const completeSql = `select id from messages where id = any ($1)
  and size = (select coalesce(sum(octet_length(bytes)), 0) from message_chunks where message_id = messages.id)`

async function copySource({ source, target }: Sides, messageId: string) {
  const bytes = Buffer.concat(await Array.fromAsync(readSource(source, messageId))) // the maximum size of a mail fits in memory
  await target.commit(async (tx) => {
    for (let seq = 0; seq * chunkBytes < bytes.length; seq++) {
      await insertChunk(tx, { messageId, seq, bytes: bytes.subarray(seq * chunkBytes, (seq + 1) * chunkBytes) })
    }
  })
}

/**
 * Adds emails. A message that several mailboxes show at the source may have a mailbox of another account there, which may come later or has
 * come before: each email adds one to its mailboxes here.
 */
async function addEmails({ source, target }: Sides, table: MovedTable, keys: string[]) {
  const rows = await readRows(source, table, keys)
  if (rows.length === 0) return
  const messageColumn = table.columns.findIndex(({ name }) => name === 'message_id')
  const messageIds = rows.map((row) => row[messageColumn] as string)
  const shared = new Set(await readIds(source, 'select message_id as id from shared_messages where message_id = any ($1)', messageIds))
  await target.commit(async (tx) => {
    await putRows(tx, table, rows)
    await tx.execute(shareSql, [messageIds.filter((id) => shared.has(id))])
  })
}

const shareSql = `insert into shared_messages (message_id, mailboxes)
  select id, count(*) from unnest($1::text[]) as shared (id) group by id
  on conflict (message_id) do update set mailboxes = shared_messages.mailboxes + excluded.mailboxes`

async function removeEmails(target: Database, ids: string[]) {
  await target.commit(async (tx) => {
    const removed = await tx.sql.deleteFrom('emails').where('id', 'in', ids).returning('message_id as messageId').execute()
    await withdrawMessages(tx, removed.map(({ messageId }) => messageId))
    await enqueueOnce(tx, 'purge-messages')
  })
}

export async function readIds(db: Pick<Database, 'execute'>, sql: string, ...parameters: unknown[]): Promise<string[]> {
  const { rows } = await db.execute(sql, parameters) as { rows: { id: string }[] }
  return rows.map(({ id }) => id)
}
