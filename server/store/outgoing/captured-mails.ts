import { sql as raw } from 'kysely'
import type { Kysely } from 'kysely'
import { timestamp } from '../../clock.ts'
import type { CapturedEmailSummary } from '../../contract/types.gen.ts'
import { prepared } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Database } from '../database.ts'
import { htmlColumns, toHtml } from '../mail/emails.ts'
import type { HtmlRow, StoredHtml } from '../mail/emails.ts'
import { maxListedBytes, shortened } from '../mail/excerpt.ts'
import { isShown } from '../owner.ts'
import { readFilteredPage } from '../page.ts'
import type { IdRange, Page } from '../page.ts'
import type { Schema } from '../schema/schema.ts'
import type { Mode } from '../schema/values.ts'

/** A captured mail with its bodies, and where the rest of its HTML body is stored, if `bodyHtml` is only the beginning. */
export interface CapturedMail {
  summary: CapturedEmailSummary
  bodyText: string
  bodyHtml: string
  html: StoredHtml | null
}

/** Captured mails that a step of a list examines: about two milliseconds. */
const stepRows = 1_000

/**
 * Captured mail of all accounts, in both modes, newest first. Mail of the server itself is left out: a sign-in link gives access to an
 * account. Mail of a deleted account or address is left out too, while a job removes it.
 */
export async function listCapturedMails(db: Database, page: Omit<Page, 'offset'>): Promise<{ mails: CapturedEmailSummary[], hasMore: boolean }> {
  const { rows, hasMore } = await readFilteredPage(page, {
    findStart: async (before) => (await selectStart(db, { before, skipped: stepRows - 1 })).rows[0]?.id,
    select: async (range) => (await selectPage(db, range)).rows,
  })
  return { mails: rows.map((row) => toSummary({ ...row, subject: shortened(row.subject, maxListedBytes.subject) })), hasMore }
}

export async function findCapturedMail(db: Database, id: string): Promise<CapturedMail | undefined> {
  const row = (await selectDetail(db, { id })).rows[0]
  return row && { summary: toSummary(row), bodyText: row.body_text, bodyHtml: row.body_html, html: toHtml(row) }
}

/** Literals, not bound values: SQLite uses a partial index only for a literal. */
const selectCaptured = (sql: Kysely<Schema>) => sql.selectFrom('deliveries')
  .where('deliveries.status', '=', raw.lit('captured')).where('deliveries.account_id', '<>', raw.lit(''))

const selectStart = prepared<{ before: string, skipped: number }, { id: string }>((sql, value) => selectCaptured(sql).select('id')
  .where('id', '<', value('before')).orderBy('id', 'desc').limit(1).offset(value('skipped')))

const selectPage = prepared<IdRange & { limit: number }, SummaryRow>((sql, value) => selectSummaries(sql)
  .where('deliveries.id', '>=', value('from')).where('deliveries.id', '<', value('before'))
  .orderBy('deliveries.id', 'desc').limit(value('limit')))

const selectDetail = prepared<{ id: string }, DetailRow>((sql, value: Value<{ id: string }>) => selectSummaries(sql)
  .select(['message_id', 'body_text', 'body_html']).select(htmlColumns)
  .where('deliveries.id', '=', value('id')))

const selectSummaries = (sql: Kysely<Schema>) => selectCaptured(sql)
  .innerJoin('accounts', 'accounts.id', 'deliveries.account_id').innerJoin('messages', 'messages.id', 'deliveries.message_id')
  .select([
    'deliveries.id', 'accounts.email as account', 'deliveries.mode', 'from_address', 'deliveries.recipient', 'subject', 'deliveries.created_at',
  ])
  .where('accounts.deleted_at', 'is', null)
  .where((row) => row.or([
    row('deliveries.email_id', 'is', null),
    row.exists(row.selectFrom('emails').select('emails.id').whereRef('emails.id', '=', 'deliveries.email_id').where(isShown)),
  ]))

interface SummaryRow {
  id: string
  account: string
  mode: Mode
  from_address: string
  recipient: string
  subject: string
  created_at: number
}

type DetailRow = SummaryRow & HtmlRow & { body_text: string, body_html: string }

const toSummary = (row: SummaryRow): CapturedEmailSummary => ({
  id: row.id,
  account: row.account,
  mode: row.mode,
  from: row.from_address,
  to: row.recipient,
  subject: row.subject,
  sentAt: timestamp(row.created_at),
})
