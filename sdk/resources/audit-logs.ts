import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import { page, toList } from '../core/pages.ts'
import type { MayflyList } from '../core/pages.ts'
import type { AuditLog, AuditLogsListData, AuditLogsListResponse } from '../generated/types.gen.ts'

export type AuditLogListQuery = NonNullable<AuditLogsListData['query']>
export type AuditLogPage = AuditLogsListResponse

/** `mayfly.auditLogs`: the record of every authenticated call of the API. */
export function auditLogOperations({ call }: Connection) {
  return {
    /**
     * Lists the calls of the API, newest first, with the refused calls.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of records to skip, at most 10,000
     * @param query.before the id of a record: only older records
     * @param query.action an operation such as `emails.send`, or the first part of several
     * @param query.isChange only changes, or only reads
     * @param query.result `succeeded`, `refused` (4xx) or `failed` (5xx)
     * @param query.resourceId the id of an address, an email or another resource
     * @param query.caller the id of a key, or `session`
     * @param query.since and `until`: when the calls ended
     * @example
     * const { data } = await mayfly.auditLogs.list({ limit: 100 })
     * for (const { createdAt, action, status } of data) console.log(createdAt.toISOString(), action, status)
     */
    list(query: AuditLogListQuery = {}, options?: RequestOptions): MayflyList<AuditLogPage, AuditLog> {
      return toList(query, (part) => call('auditLogs.list', { query: part }, options, page))
    },
  }
}
