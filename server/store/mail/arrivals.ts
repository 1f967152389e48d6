import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Envelope } from '../../envelope.ts'
import { comparedAddress, filtersOf } from '../../mailbox.ts'
import { prepared, preparedForList } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Queries } from '../connection.ts'
import { ownedBy } from '../owner.ts'
import type { Position } from '../page.ts'
import type { EmailRow, MessageRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit, Owner } from '../schema/values.ts'

/** The parts of a received email that a wait compares. */
export interface ArrivedEmail {
  id: string
  /** Its number. */
  seq: number
  from: string
  fromName: string
  subject: string
  /** Parses the envelope: few waits compare it. */
  readEnvelope(): { sender: string, recipients: string[] }
}

interface ArrivalRange {
  addressId?: string | undefined
  after: Position
  /** Only mail with a number up to this. */
  upTo: number
  limit: number
}

/** Received emails that are not deleted: after a number, in the order of their numbers; after an id, in that of their ids. */
export async function listArrivedEmails(db: Queries, owner: Owner, { addressId = '', after, ...range }: ArrivalRange): Promise<ArrivedEmail[]> {
  const ofScope = addressId ? ofAddress : ofAccount
  const values = { ...owner, ...range, addressId }
  const { rows } = await ('seq' in after ? ofScope.byNumber(db, { ...values, after: after.seq }) : ofScope.byId(db, { ...values, after: after.id }))
  return rows.map(toArrived)
}

/** Those of some received emails that are not deleted, in any order. */
export async function findArrivedEmails(db: Queries, ids: string[]): Promise<ArrivedEmail[]> {
  return (await selectByIds(db, ids)).map(toArrived)
}

/** The codes of a received mail of any account; none while it is not published. */
export async function findCodes(db: Queries, id: string): Promise<string[]> {
  return JSON.parse((await selectCodes(db, { id })).rows[0]?.codes ?? '[]') as string[]
}

/** The number of an email of an owner, deleted or not. */
export async function numberOfEmail(db: Queries, owner: Owner, id: string): Promise<number | undefined> {
  return (await selectNumber(db, { ...owner, id })).rows[0]?.seq ?? undefined
}

/** The lowest id of the owner's emails after a number; undefined for none. */
export async function minIdAfter(db: Queries, owner: Owner, after: { seq: number, isDeleted: boolean }): Promise<string | undefined> {
  return (await selectMinId(db, { ...owner, seq: after.seq, isDeleted: after.isDeleted ? 1 : 0 })).rows[0]?.id ?? undefined
}

/** Of some emails, those after the number of a position. */
export async function onlyAfter(db: Queries, ids: string[], after: Position | undefined): Promise<string[]> {
  if (ids.length === 0 || after === undefined || !('seq' in after)) return ids
  const rows = await db.sql.selectFrom('emails').select('id').where('id', 'in', ids).where('seq', '>', after.seq).execute()
  const later = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => later.has(id))
}

type ArrivalValues<After> = Owner & { addressId: string, after: After, upTo: number, limit: number }

const [ofAccount, ofAddress] = [prepareScope(false), prepareScope(true)]

function prepareScope(isOfAddress: boolean) {
  const inScope = <After>(sql: Kysely<Schema>, value: Value<ArrivalValues<After>>) => selectArrivals(sql)
    .$call((query) => isOfAddress ? query.where('address_id', '=', value('addressId')) : query.$call(ownedBy(value, 'emails')))
    .where('seq', '<=', value('upTo')).limit(value('limit'))
  return {
    byNumber: prepared<ArrivalValues<number>, ArrivalRow>((sql, value) =>
      inScope(sql, value).where('seq', '>', value('after')).orderBy('seq')),
    byId: prepared<ArrivalValues<string>, ArrivalRow>((sql, value) =>
      inScope(sql, value).where('emails.id', '>', value('after')).orderBy('emails.id')),
  }
}

const selectByIds = preparedForList<string, ArrivalRow>((sql, ids) => selectArrivals(sql).where('emails.id', 'in', ids))

const selectCodes = prepared<{ id: string }, { codes: string }>((sql, value) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id').select('codes').where('emails.id', '=', value('id')))

const selectNumber = prepared<Owner & { id: string }, { seq: number | null }>((sql, value) => sql.selectFrom('emails').select('seq')
  .where('id', '=', value('id')).$call(ownedBy(value)))

const selectMinId = prepared<Owner & { seq: number, isDeleted: Bit }, { id: string | null }>((sql, value) => sql.selectFrom('emails')
  .select((row) => row.fn.min('id').as('id')).$call(ownedBy(value))
  .where('is_deleted', '=', value('isDeleted')).where('type', 'in', ['received', 'sent']).where('seq', '>', value('seq')))

type ArrivalRow = EnvelopeRow & { id: string, seq: number, from_name: string, subject: string }

const selectArrivals = (sql: Kysely<Schema>) => sql.selectFrom('emails').innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'seq', 'from_address', 'from_name', 'subject', 'type', 'emails.recipient', 'recipients', 'envelope'])
  .$narrowType<{ seq: number }>()
  .where('is_deleted', '=', 0).where('type', '=', 'received')

const toArrived = (row: ArrivalRow): ArrivedEmail => ({
  id: row.id,
  seq: row.seq,
  from: row.from_address,
  fromName: row.from_name,
  subject: row.subject,
  readEnvelope: () => ({ sender: senderOf(row), recipients: recipientsOf(row) }),
})

/** Filters of the envelope of an email: whole addresses, or `*@domain`. */
export interface EnvelopeFilters {
  to?: string | undefined
  envelopeFrom?: string | undefined
}

/** Compares the envelope of an email with filters. @returns undefined without a filter */
export function envelopeMatcher({ to, envelopeFrom }: EnvelopeFilters): ((arrival: ArrivedEmail) => boolean) | undefined {
  if (to === undefined && envelopeFrom === undefined) return undefined
  const [wantedTo, wantedFrom] = [to, envelopeFrom].map((filter) => filter === undefined ? undefined : comparedAddress(filter))
  return (arrival) => {
    const { recipients, sender } = filtersFor(arrival)
    return (wantedTo === undefined || recipients.has(wantedTo)) && (wantedFrom === undefined || sender.has(wantedFrom))
  }
}

/** A cache: many waits compare the same email. */
const envelopes = new WeakMap<ArrivedEmail, { recipients: Set<string>, sender: Set<string> }>()

/** The filters that select an email by its envelope. */
function filtersFor(arrival: ArrivedEmail) {
  let known = envelopes.get(arrival)
  if (!known) {
    const { sender, recipients } = arrival.readEnvelope()
    known = { recipients: new Set(recipients.flatMap(filtersOf)), sender: new Set(filtersOf(sender)) }
    envelopes.set(arrival, known)
  }
  return known
}

/** An event of the outbox. */
interface MailEvent {
  event: string
  /** JSON. */
  data: string
}

/** Finds the received mail whose arrival events tell. @returns undefined for each of another event, and for deleted mail */
export async function arrivalsIn(db: Queries, events: MailEvent[]): Promise<(ArrivedEmail | undefined)[]> {
  const unknown = events.filter((event) => receivedIn(event) && !arrivals.has(event))
  if (unknown.length > 0) {
    const found = findArrivedEmails(db, unknown.map((event) => receivedIn(event)!.emailId))
      .then((emails) => new Map(emails.map((email) => [email.id, email])))
    for (const event of unknown) arrivals.set(event, found.then((byId) => byId.get(receivedIn(event)!.emailId)))
  }
  return Promise.all(events.map(async (event) => arrivals.get(event)))
}

/** A cache: many waits and streams read the same event. */
const arrivals = new WeakMap<MailEvent, Promise<ArrivedEmail | undefined>>()

/** The data of an event of the kind `email.received`. */
interface ReceivedData {
  emailId: string
  addressId: string
}

/** A cache: many waits and streams read the same event. */
const received = new WeakMap<MailEvent, ReceivedData | null>()

/** The email whose arrival an event tells; null for other events. */
export function receivedIn(event: MailEvent): ReceivedData | null {
  let known = received.get(event)
  if (known === undefined) {
    known = event.event === 'email.received' ? JSON.parse(event.data) as ReceivedData : null
    received.set(event, known)
  }
  return known
}

/** The columns of an email, and of its message, that have its envelope. */
export type EnvelopeRow = Pick<EmailRow, 'type' | 'recipient' | 'recipients'> & Pick<MessageRow, 'envelope' | 'from_address'>

/**
 * The sender of the envelope: empty for the null sender, and for sent mail. The envelope of mail from an address of this server has an
 * internal return path in its place.
 */
export function senderOf({ type, envelope, from_address }: Omit<EnvelopeRow, 'recipient' | 'recipients'>): string {
  if (type === 'sent') return ''
  const { sender, remoteAddress } = JSON.parse(envelope) as Envelope
  return remoteAddress === '' && sender !== '' ? from_address : sender
}

/** The recipients of the envelope, at most 100. */
export const recipientsOf = ({ recipients, recipient }: Pick<EnvelopeRow, 'recipient' | 'recipients'>): string[] =>
  recipients === null ? [recipient] : JSON.parse(recipients)

/** The fields of a header that connect a mail with those before it (RFC 5322, section 3.6.4). Ids are without their angle brackets. */
export interface ThreadFields {
  messageId: string | null
  /** The mail that it answers. */
  inReplyTo: string | null
  /** The mails before it, the first of the thread first; at most `maxReferences`. */
  references: string[]
}

/** Maximum ids that are read of a header, and that a reply has. */
const maxReferences = 100

/** @param headers by name, as `ParsedHeader` has them */
export function threadFieldsOf(headers: Record<string, string>): ThreadFields {
  return {
    messageId: messageIdsIn(headerValue(headers, 'message-id'))[0] ?? null,
    inReplyTo: messageIdsIn(headerValue(headers, 'in-reply-to'))[0] ?? null,
    references: shortened(messageIdsIn(headerValue(headers, 'references'))),
  }
}

/** @param name in lower case @returns '' without such a field */
export function headerValue(headers: Record<string, string>, name: string): string {
  for (const written in headers) if (written.length === name.length && written.toLowerCase() === name) return headers[written]!
  return ''
}

/**
 * The id of the thread of a mail: a hash of the first Message-ID that its header names. So all mails of a thread have the same, in whatever
 * order they arrive, and none is looked up. Programs that answer keep the first of the references.
 * @param own an id for a mail whose header names none
 */
export function threadIdOf({ messageId, inReplyTo, references }: ThreadFields, own: string): string {
  const first = references[0] ?? inReplyTo ?? messageId ?? own
  return createHash('sha256').update(first).digest('hex').slice(0, 32)
}

/** Leaves out ids after the first, which names the thread, and before the last ones. */
export function shortened(ids: string[], maxChars = Infinity): string[] {
  const [first] = ids
  if (first === undefined) return []
  let chars = first.length
  const last = ids.slice(1).slice(1 - maxReferences).reverse()
  const end = last.findIndex((id) => (chars += id.length) > maxChars)
  return [first, ...(end < 0 ? last : last.slice(0, end)).reverse()]
}

/** Ids in angle brackets; without any, the value itself unless it has spaces. */
function messageIdsIn(value: string): string[] {
  const ids = Array.from(value.matchAll(/<([^<>\s]{1,998})>/g), ([, id]) => id!)
  if (ids.length > 0) return ids
  return /^[^<>\s]{1,998}$/.test(value) ? [value] : []
}
