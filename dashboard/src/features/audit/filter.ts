import type { AuditLogListQuery } from '@mayfly-mail/sdk'
import { auditTexts as texts } from './texts.ts'

export interface AuditFilter {
  /** An operation, the first part of several, or the id of a resource; empty for all. */
  text: string
  /** Whether reads are shown, too. */
  hasReads: boolean
  result: NonNullable<AuditLogListQuery['result']> | ''
  /** The id of a key, `session`, or empty for all. */
  caller: string
  since: keyof typeof texts.times
}

export const firstFilter: AuditFilter = { text: '', hasReads: false, result: '', caller: '', since: 'any' }

const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const hoursOf: Record<AuditFilter['since'], number> = { any: Infinity, hour: 1, day: 24, week: 7 * 24 }

/** The filter of a request that is sent now. */
export function toQuery({ text, hasReads, result, caller, since }: AuditFilter): AuditLogListQuery {
  const hours = hoursOf[since]
  return {
    ...text !== '' && (id.test(text) ? { resourceId: text } : { action: text.replaceAll(/[^A-Za-z.-]/g, '') || 'none' }),
    ...!hasReads && { isChange: true },
    ...result !== '' && { result },
    ...caller !== '' && { caller },
    ...hours < Infinity && { since: new Date(Date.now() - hours * 3_600_000) },
  }
}
