import { createHash } from 'node:crypto'
import { sql as raw } from 'kysely'
import { addressForms, comparedAddress, filtersOf } from '../../mailbox.ts'
import { prepared } from '../changes/prepared.ts'
import { recipientsOf, senderOf, threadFieldsOf, threadIdOf } from '../mail/arrivals.ts'
import type { EnvelopeRow } from '../mail/arrivals.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Bit, Tenant } from '../schema/values.ts'
import type { Field, Part, SearchedText } from './search-query.ts'
import { addTerms, queryTerms, searchedLength } from './search-terms.ts'

/** The texts of a mail that are searched. */
export interface SearchedTexts {
  type: EmailRow['type']
  /** Of the envelope. */
  recipients: string[]
  from: string
  fromName: string
  subject: string
  text: string
}

export type SearchedMail = Omit<SearchedTexts, 'recipients'> & Tenant & EnvelopeRow
  & { id: string, addressId: string, messageId: string, headers: string } & Record<`has_${Part}`, Bit>

/** Adds the terms of words. Their number is limited, so the texts that users search most often come first. */
export function addTextTerms(terms: Set<string>, mail: SearchedTexts): void {
  for (const field of fields) {
    for (const text of textsIn(mail, field)) addTerms(terms, text.slice(0, fieldLength), { prefix: fieldPrefixes[field] })
  }
  // a word of an address would find all mail to it
  for (const recipient of mail.recipients.flatMap(addressForms)) addTerms(terms, recipient, { onlyJoined: mail.type === 'received' })
  for (const text of [...addressForms(mail.from), mail.fromName, mail.subject, mail.text]) addTerms(terms, text)
}

/** The texts of a part of a mail. */
export function textsIn({ from, fromName, recipients, subject, text }: SearchedTexts, field: Field | 'any'): string[] {
  if (field === 'any') return [...recipients.flatMap(addressForms), ...addressForms(from), fromName, subject, text]
  if (field === 'to') return recipients.flatMap(addressForms)
  return field === 'subject' ? [subject] : [...addressForms(from), fromName]
}

/** Characters of each text in which an operator finds words. */
const fieldLength = 1_000

/** Of the terms of words in a part of a mail. */
const fieldPrefixes: Record<Field, string> = { from: '@f.', to: '@t.', subject: '@s.' }
const fields = Object.keys(fieldPrefixes) as Field[]

const partTerm = (part: Part) => `@has.${part}`

/** The terms of some words; none without a word. */
export const wordTerms = ({ field, text }: Pick<SearchedText, 'field' | 'text'>): string[] =>
  queryTerms(text).map((term) => field === 'any' ? term : fieldPrefixes[field] + term)

export const partTerms = (parts: { part: Part }[]): string[] => parts.map(({ part }) => partTerm(part))

/** The filters of a search. An address of the envelope is whole, or `*@domain`. */
export interface SearchFilters {
  addressId?: string
  type?: EmailRow['type']
  to?: string
  envelopeFrom?: string
  threadId?: string
}

/** Terms by which a search is confined; no word looks like them. */
export function filterTerms({ addressId, type, to, envelopeFrom, threadId }: SearchFilters): string[] {
  return [
    ...addressId ? [`@${addressId.replaceAll('-', '').toLowerCase()}`] : [], ...type ? [`@${type}`] : [],
    ...to ? [addressTerm('to', to)] : [], ...envelopeFrom ? [addressTerm('from', envelopeFrom)] : [],
    ...threadId ? [`@thread.${threadId}`] : [],
  ]
}

/** An address may have characters that divide terms, so the term has a hash. */
const addressTerm = (part: 'to' | 'from', address: string) =>
  `@${part}.${createHash('sha256').update(comparedAddress(address)).digest('hex').slice(0, 24)}`

/** All terms of a mail: those of its texts, and those by which a search is confined. */
export function allTermsOf(mail: SearchedMail): string[] {
  const sender = senderOf(mail)
  const threadId = threadIdOf(threadFieldsOf(JSON.parse(mail.headers)), mail.messageId)
  const recipients = recipientsOf(mail)
  const terms = new Set([
    ...filterTerms({ addressId: mail.addressId, type: mail.type, threadId }), ...allParts.filter((part) => mail[`has_${part}`] === 1).map(partTerm),
    ...recipients.flatMap(filtersOf).map((name) => addressTerm('to', name)),
    ...sender ? filtersOf(sender).map((name) => addressTerm('from', name)) : [],
  ])
  addTextTerms(terms, { ...mail, recipients })
  return [...terms]
}

const allParts: Part[] = ['code', 'link', 'attachment']

/** Whether a column has a list that is not empty. */
const isFilled = (column: 'codes' | 'links') => raw<Bit>`case when ${raw.ref(column)} = '[]' then 0 else 1 end`

export const selectSearched = prepared<{ id: string }, SearchedMail>((sql, value) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'emails.account_id as accountId', 'emails.mode', 'emails.address_id as addressId', 'emails.type', 'emails.recipient'])
  .select(['emails.recipients', 'envelope', 'from_address', 'emails.message_id as messageId', 'headers'])
  .select(['from_address as from', 'from_name as fromName', 'subject', raw<string>`substr(body_text, 1, ${raw.lit(searchedLength)})`.as('text')])
  .select(['has_attachments as has_attachment', isFilled('codes').as('has_code'), isFilled('links').as('has_link')])
  .where('emails.id', '=', value('id')))
