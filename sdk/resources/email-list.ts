import type { After } from '../core/ids.ts'
import type { EmailsListData, EmailsListResponse } from '../generated/types.gen.ts'

export interface EmailListQuery {
  /** Only emails of this address. */
  addressId?: string
  /** Only received or only sent emails. */
  type?: NonNullable<EmailsListData['query']>['type']
  /** True lists the deleted emails in place of the others. */
  isDeleted?: boolean
  /** Only emails that arrived later. */
  after?: After
  /**
   * Only emails that meet all of this: words, or beginnings of words, in sender, subject or text; `"phrases"`; `from:`, `to:` and
   * `subject:` with words; `has:code`, `has:link`, `has:attachment`; `is:unread`, `is:read`, `is:starred`;
   * `after:2026-10-01`, `before:2026-11-01`; `larger:100kb`. A minus sign excludes: `-word`. With `q`, `total` is at most 1,000.
   */
  q?: string
  /** Only emails with this recipient in their envelope, Cc and Bcc included: a whole address, or `*@domain`. */
  to?: string
  /** Only received emails with this sender in their envelope, in the form of `to`. */
  envelopeFrom?: string
  /** Only emails of this thread. */
  threadId?: string
  /** Size of the page, 1 to 100, default 50. */
  limit?: number
  /** Number of emails to skip, at most 10,000. */
  offset?: number
  /** The id of an email: only older emails, which follow it in the list. */
  before?: string
}

export type EmailPage = EmailsListResponse
