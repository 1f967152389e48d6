import type { EmailsListData, EmailsListResponse } from './generated/types.gen.ts'
import type { After } from './ids.ts'

export interface EmailListQuery {
  /** Only emails of this address. */
  addressId?: string
  /** Only emails that were received, or only those that were sent. */
  type?: NonNullable<EmailsListData['query']>['type']
  /** True lists the deleted emails, instead of those that are not. */
  isDeleted?: boolean
  /** Only emails that arrived later. */
  after?: After
  /**
   * Only emails that have all of these words, or longer words that begin with them, in sender, subject or text; case is ignored. Of
   * more than five words, only the five longest are searched for.
   * `total` counts at most 1,000 then.
   */
  q?: string
  /** Size of the page, 1 to 100, default 50. */
  limit?: number
  /** Number of emails to skip, at most 10,000. */
  offset?: number
  /** The id of an email: only older ones, which follow it in the list. */
  before?: string
}

export type EmailPage = EmailsListResponse
