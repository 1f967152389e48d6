import { createHash } from 'node:crypto'
import { sql as raw } from 'kysely'
import { comparedAddress, filtersOf } from '../../mailbox.ts'
import { prepared } from '../changes/prepared.ts'
import { recipientsOf, senderOf } from '../mail/arrivals.ts'
import type { EnvelopeRow } from '../mail/arrivals.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Owner } from '../schema/values.ts'
import { addTerms, searchedLength } from './search-terms.ts'

/** The texts of a mail that are searched. */
interface SearchedTexts {
  type: EmailRow['type']
  recipient: string
  from: string
  fromName: string
  subject: string
  text: string
}

export type SearchedMail = SearchedTexts & Owner & EnvelopeRow & { id: string, addressId: string }

/** The number of terms is limited, so the texts that users search most often come first. */
export function termsOf(mail: SearchedTexts): Set<string> {
  const terms = new Set<string>()
  if (mail.type === 'sent') addTerms(terms, mail.recipient)
  for (const text of [mail.from, mail.fromName, mail.subject, mail.text]) addTerms(terms, text)
  return terms
}

/** The filters of a search. An address of the envelope is whole, or `*@domain`. */
export interface SearchFilters {
  addressId?: string
  type?: EmailRow['type']
  to?: string
  envelopeFrom?: string
}

/** Terms by which a search is confined; no word looks like them. */
export function filterTerms({ addressId, type, to, envelopeFrom }: SearchFilters): string[] {
  return [
    ...addressId ? [`@${addressId.replaceAll('-', '').toLowerCase()}`] : [], ...type ? [`@${type}`] : [],
    ...to ? [addressTerm('to', to)] : [], ...envelopeFrom ? [addressTerm('from', envelopeFrom)] : [],
  ]
}

/** An address may have characters that divide terms, so the term has a hash. */
const addressTerm = (part: 'to' | 'from', address: string) =>
  `@${part}.${createHash('sha256').update(comparedAddress(address)).digest('hex').slice(0, 24)}`

/** All terms of a mail: those of its texts, and those by which a search is confined. */
export function allTermsOf(mail: SearchedMail): string[] {
  const sender = senderOf(mail)
  return [...new Set([
    ...termsOf(mail), ...filterTerms({ addressId: mail.addressId, type: mail.type }),
    ...recipientsOf(mail).flatMap(filtersOf).map((name) => addressTerm('to', name)),
    ...sender ? filtersOf(sender).map((name) => addressTerm('from', name)) : [],
  ])]
}

export const selectSearched = prepared<{ id: string }, SearchedMail>((sql, value) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'emails.account_id as accountId', 'emails.mode', 'emails.address_id as addressId', 'emails.type', 'emails.recipient'])
  .select(['emails.recipients', 'envelope', 'from_address'])
  .select(['from_address as from', 'from_name as fromName', 'subject', raw<string>`substr(body_text, 1, ${raw.lit(searchedLength)})`.as('text')])
  .where('emails.id', '=', value('id')))
