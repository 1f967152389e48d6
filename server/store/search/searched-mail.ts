import { sql as raw } from 'kysely'
import { prepared } from '../changes/prepared.ts'
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

export type SearchedMail = SearchedTexts & Owner & { id: string, addressId: string }

/** The number of terms is limited, so the texts that users search most often come first. */
export function termsOf(mail: SearchedTexts): Set<string> {
  const terms = new Set<string>()
  if (mail.type === 'sent') addTerms(terms, mail.recipient)
  for (const text of [mail.from, mail.fromName, mail.subject, mail.text]) addTerms(terms, text)
  return terms
}

/** Terms by which a search is confined; no word looks like them. */
export function filterTerms({ addressId, type }: { addressId?: string, type?: EmailRow['type'] }): string[] {
  return [...addressId ? [`@${addressId.replaceAll('-', '').toLowerCase()}`] : [], ...type ? [`@${type}`] : []]
}

/** All terms of a mail: those of its texts, and those by which a search is confined. */
export const allTermsOf = (mail: SearchedMail) => [...termsOf(mail), ...filterTerms({ addressId: mail.addressId, type: mail.type })]

export const selectSearched = prepared<{ id: string }, SearchedMail>((sql, value) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'emails.account_id as accountId', 'emails.mode', 'emails.address_id as addressId', 'emails.type', 'emails.recipient'])
  .select(['from_address as from', 'from_name as fromName', 'subject', raw<string>`substr(body_text, 1, ${raw.lit(searchedLength)})`.as('text')])
  .where('emails.id', '=', value('id')))
