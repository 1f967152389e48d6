import type { AuditLog } from '@mayfly-mail/sdk'

export type AuditResult = 'all' | 'succeeded' | 'refused' | 'failed'

export interface AuditFilter {
  text: string
  result: AuditResult
  /** The id of a key, `session`, or empty for all. */
  caller: string
}

export const noFilter: AuditFilter = { text: '', result: 'all', caller: '' }
/** The caller of `AuditFilter` that stands for all sessions of the dashboard. */
export const anySession = 'session'

const minStatus: Record<AuditResult, number> = { all: 0, succeeded: 0, refused: 400, failed: 500 }
const maxStatus: Record<AuditResult, number> = { all: 999, succeeded: 399, refused: 499, failed: 999 }

/** The records that match; the API has no filters of its own. */
export function filterAudit(records: AuditLog[], { text, result, caller }: AuditFilter): AuditLog[] {
  const wanted = text.trim().toLowerCase()
  return records.filter((record) =>
    record.status >= minStatus[result] && record.status <= maxStatus[result] &&
    (caller === '' || (caller === anySession ? record.sessionId !== null : record.apiKeyId === caller)) &&
    (wanted === '' || [record.action, record.path, record.resourceId, record.ipAddress].some((part) => part?.toLowerCase().includes(wanted))))
}
