import { sql as raw } from 'kysely'
import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely'
import type { EmailSummary } from '../../contract/types.gen.ts'
import { prepared, preparedForList } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Database } from '../database.ts'
import { isShown, ownedBy } from '../owner.ts'
import { afterAllIds, cutPage, maxCounted, pageValues } from '../page.ts'
import type { Page, PageValues, Position } from '../page.ts'
import type { EmailRow, MessageRow } from '../schema/mail.ts'
import type { DeliveryRow } from '../schema/outgoing.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit, Owner } from '../schema/values.ts'
import { numberOfEmail } from './arrivals.ts'
import { countKeyOf, totalEmails, totalEmailsWithin } from './email-counts.ts'
import { byState, shownColumns, toShown } from './emails.ts'
import type { ShownRow } from './emails.ts'
import { excerpt, maxListedBytes, shortened } from './excerpt.ts'

export interface EmailFilter extends Page {
  addressId?: string
  type?: EmailRow['type']
  isDeleted: boolean
  after?: Position | undefined
  /** A list after a number leaves out mail of later numbers: it is that of the next one. */
  last?: number
  /** An address of the envelope, whole or `*@domain`: only a search reads these three. */
  to?: string | undefined
  envelopeFrom?: string | undefined
  threadId?: string | undefined
}

export interface EmailPage {
  emails: EmailSummary[]
  /** With `after`, `maxCounted` at most. */
  total: number
  hasMore: boolean
}

/**
 * Newest first: in the order of arrival, which is that of the ids; after the number of a mail, in the order of the numbers. A filter is a
 * range of an index (docs/decisions/0015).
 */
export async function listEmails(db: Database, owner: Owner, filter: EmailFilter): Promise<EmailPage> {
  // the indexes by address have no account, so the owner of the address is checked first
  if (filter.addressId && !(await selectMailbox(db, { ...owner, addressId: filter.addressId })).rows[0]) {
    return { emails: [], total: 0, hasMore: false }
  }
  const { after } = filter
  const isByNumber = after !== undefined && 'seq' in after
  const values: ListValues = {
    accountId: owner.accountId,
    mode: owner.mode,
    bound: owner.bound,
    addressId: filter.addressId ?? '',
    isDeleted: filter.isDeleted ? 1 : 0,
    after: after === undefined ? '' : 'seq' in after ? after.seq : after.id,
    maxCounted,
    beforeNumber: (filter.last ?? afterAllNumbers) + 1,
    ...pageValues(filter),
    ...isByNumber && filter.before !== undefined ? await numberedBefore(db, owner, filter.before) : {},
  }
  const list = listings[filter.addressId ? 'ofAddress' : 'ofAccount'][isByNumber ? 'seq' : 'id'][filter.type ?? 'any']
  const readPage = db.engine.mergesUnions ? list.page : list.pageOfLimited
  const [page, total] = await Promise.all([readPage(db, values), after ? list.total(db, values).then(totalOf) : kept()])
  const { rows, hasMore } = cutPage(page.rows, filter)
  return { emails: await findSummaries(db, rows.map(({ id }) => id)), total, hasMore }

  function kept() {
    const kind = { type: filter.type, is_deleted: values.isDeleted }
    if (owner.bound && !filter.addressId) return totalEmailsWithin(db, owner, kind)
    return totalEmails(db, countKeyOf(owner, filter.addressId), kind)
  }
}

/** The number of a mail; where it is removed, mail that arrived before it. */
async function numberedBefore(db: Database, owner: Owner, id: string): Promise<Partial<ListValues>> {
  const number = await numberOfEmail(db, owner, id)
  return number === undefined ? { before: id } : { before: afterAllIds, beforeNumber: number }
}

const afterAllNumbers = Number.MAX_SAFE_INTEGER - 1

const totalOf = ({ rows }: { rows: { total: number }[] }) => rows[0]!.total

/** Emails in the order of these ids; deleted ones are left out. */
export async function findSummaries(db: Database, ids: string[]): Promise<EmailSummary[]> {
  const rows = await selectSummaries(db, ids)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map(toEmailSummary)
}

/** The emails of an owner, or of an address of it, that a change of all is to change. */
interface EmailsToChange {
  addressId?: string | undefined
  isDeleted: boolean
  /** Only unread ones. */
  isUnread: boolean
}

/** Emails that are read in a step. */
const readAtOnce = 500

/**
 * Lists ids of emails, a type after the other, newest first.
 * @param nextStep waits for the next step
 * @returns up to `limit` + 1 ids
 */
export async function listIdsToChange(
  db: Database, owner: Owner, { addressId = '', isDeleted, isUnread }: EmailsToChange, limit: number, nextStep: () => Promise<void>,
): Promise<string[]> {
  const select = addressId === '' ? selectAnyOf.account : selectAnyOf.address
  const ids: string[] = []
  for (const type of ['received', 'sent'] as const) {
    for (let before = afterAllIds, isLast = false; !isLast && ids.length <= limit;) {
      const { rows } = await select(db, { ...owner, addressId, isDeleted: isDeleted ? 1 : 0, type, before, limit: readAtOnce })
      ids.push(...rows.filter((row) => !isUnread || row.is_read === 0).map(({ id }) => id))
      isLast = rows.length < readAtOnce
      before = rows.at(-1)?.id ?? before
      await nextStep()
    }
  }
  return ids.slice(0, limit + 1)
}

const selectAnyOf = { account: prepareAny(false), address: prepareAny(true) }

function prepareAny(isOfAddress: boolean) {
  type Values = Owner & { addressId: string, isDeleted: Bit, type: EmailRow['type'], before: string, limit: number }
  return prepared<Values, { id: string, is_read: Bit }>((sql, value) => sql.selectFrom('emails').select(['id', 'is_read'])
    .$call((query) => isOfAddress ? query.where('address_id', '=', value('addressId')) : query.$call(ownedBy(value)))
    .where('is_deleted', '=', value('isDeleted')).where('type', '=', value('type')).where(isShown)
    .where('id', '<', value('before')).orderBy('id', 'desc').limit(value('limit')))
}

interface ListValues extends Owner, PageValues {
  addressId: string
  isDeleted: Bit
  after: string | number
  beforeNumber: number
  maxCounted: number
}

type Scope = 'account' | 'address'

/** The compiled queries of a listing, for each order and set of filters. */
const listings = {
  ofAccount: { id: prepareListings('account', 'id'), seq: prepareListings('account', 'seq') },
  ofAddress: { id: prepareListings('address', 'id'), seq: prepareListings('address', 'seq') },
}

function prepareListings(scope: Scope, order: 'id' | 'seq') {
  return {
    any: prepareListing(scope, order), received: prepareListing(scope, order, 'received'), sent: prepareListing(scope, order, 'sent'),
  }
}

/** Queries for the ids of a page and the number of matches. Each type is one range of an index, in the order of the list. */
function prepareListing(scope: Scope, order: 'id' | 'seq', type?: EmailRow['type']) {
  const columns = order === 'id' ? ['id'] as const : ['id', 'seq'] as const
  const ofType = (only: EmailRow['type']) => (sql: Kysely<Schema>, value: Value<ListValues>) => sql.selectFrom('emails').select(columns)
    .$call((query) => scope === 'account'
      ? query.$call(ownedBy(value))
      : query.where('address_id', '=', value('addressId')))
    .where('is_deleted', '=', value('isDeleted')).where('type', '=', raw.lit(only)).where(order, '>', value('after')).where(isShown)
  const [received, sent] = [ofType('received'), ofType('sent')]
  const older = (of: typeof sent) => (sql: Kysely<Schema>, value: Value<ListValues>) => of(sql, value).where('id', '<', value('before'))
    .$if(order === 'seq', (query) => query.where('seq', '<', value('beforeNumber')))
  const newest = (of: typeof sent) => (sql: Kysely<Schema>, value: Value<ListValues>) =>
    sql.selectFrom(older(of)(sql, value).orderBy(order, 'desc').limit(value('end')).as('emails')).select(columns)
  const matching = (sql: Kysely<Schema>, value: Value<ListValues>, part = (of: typeof sent) => of) => type
    ? part(ofType(type))(sql, value)
    : part(received)(sql, value).unionAll(part(sent)(sql, value))
  return {
    page: preparePage(order, (sql, value) => matching(sql, value, older)),
    /** As `page`, where the first rows of a union are not read in the order of its parts. */
    pageOfLimited: preparePage(order, (sql, value) => matching(sql, value, newest)),
    total: prepared<ListValues, { total: number }>((sql, value) =>
      sql.selectFrom(matching(sql, value).limit(value('maxCounted')).as('matching')).select((count) => count.fn.countAll<number>().as('total'))),
  }
}

type ListedRow = Pick<EmailRow, 'id'> & Partial<Pick<EmailRow, 'seq'>>

function preparePage(order: 'id' | 'seq', matching: (sql: Kysely<Schema>, value: Value<ListValues>) => SelectQueryBuilder<Schema, 'emails', ListedRow>) {
  return prepared<ListValues, ListedRow>((sql, value) =>
    matching(sql, value).orderBy(order, 'desc').limit(value('limit')).offset(value('offset')))
}

const selectMailbox = prepared<Owner & { addressId: string }, { id: string }>((sql, value) => sql.selectFrom('addresses').select('id')
  .where('id', '=', value('addressId')).$call(ownedBy(value)))

/** Of a long message, only the excerpt is read: `coalesce` does not evaluate what follows the first value. */
const selectSummaries = preparedForList<string, SummaryRow>((sql, ids) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .leftJoin('message_excerpts', 'message_excerpts.message_id', 'emails.message_id')
  .select(shownColumns).select(['has_attachments', 'preview', firstLink]).select(sentStatus)
  .select((row) => [
    row.fn.coalesce('message_excerpts.body_text', 'messages.body_text').as('body_text'),
    row.fn.coalesce('message_excerpts.body_html', 'messages.body_html').as('body_html'),
  ])
  .where('emails.id', 'in', ids).where(isShown))

const sentStatus = (row: ExpressionBuilder<Schema, 'emails'>) =>
  row.selectFrom('deliveries').select(raw<DeliveryRow['status']>`substr(min(${byState} || status), 2)`.as('state'))
    .whereRef('email_id', '=', 'emails.id').where('kind', '=', 'sent').as('status')

/** The beginning of the links, which has the host of the first one. */
const firstLink = raw<string>`substr(links, 1, ${raw.lit(300)})`.as('first_link')

type SummaryRow = ShownRow & Pick<MessageRow, 'preview'> & { first_link: string, status: DeliveryRow['status'] | null }

function toEmailSummary(row: SummaryRow): EmailSummary {
  const shown = toShown(row)
  const bodyText = excerpt(row.body_text, maxListedBytes.body)
  const bodyHtml = excerpt(row.body_html, maxListedBytes.body)
  return {
    ...shown,
    fromName: shortened(shown.fromName, maxListedBytes.fromName),
    subject: shortened(shown.subject, maxListedBytes.subject),
    status: row.status,
    bodyText,
    bodyHtml,
    isTruncated: bodyText.length < row.body_text.length || bodyHtml.length < row.body_html.length,
    hasAttachments: row.has_attachments === 1,
    linkHost: hostOfFirst(row.first_link),
    preview: excerpt(row.preview, maxListedBytes.preview),
  }
}

/** @param links the beginning of a JSON array of links. The host of a URL that does not end in it is not known. */
const hostOfFirst = (links: string): string | null => {
  const [, start] = /"url":"(https?:\/\/[^/?#"\\]+)[/?#"]/i.exec(links) ?? []
  return start === undefined ? null : URL.parse(start)?.host ?? null
}
