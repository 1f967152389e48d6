import { client } from '../client.ts'
import type { Connection } from '../connection.ts'
import { analyticsDaily, analyticsGet, auditLogsList } from '../generated/sdk.gen.ts'
import type {
  Analytics, AnalyticsDailyData, AnalyticsDay, AuditLog, AuditLogsListData, AuditLogsListResponse,
} from '../generated/types.gen.ts'
import type { RequestOptions } from '../options.ts'
import { page, toList } from '../pages.ts'
import type { MayflyList } from '../pages.ts'
import type { MayflyPromise } from '../promise.ts'

export type AnalyticsDailyQuery = NonNullable<AnalyticsDailyData['query']>
export type AuditLogListQuery = NonNullable<AuditLogsListData['query']>
export type AuditLogPage = AuditLogsListResponse

/** `mayfly.analytics`: counters of the account. */
export function analyticsOperations({ call }: Connection) {
  return {
    /**
     * Returns the six counters of the account. Months are of the calendar, in UTC.
     * @example
     * const { activeAddresses, thisMonthReceived } = await mayfly.analytics.get()
     * console.log(`${activeAddresses} addresses, ${thisMonthReceived} emails this month`)
     */
    get(options?: RequestOptions): MayflyPromise<Analytics> {
      return call('analytics.get', analyticsGet({ client }), options, (body) => body.totalAddresses === undefined ? undefined : body)
    },

    /**
     * Returns how many emails were received and sent on each of the last days (UTC), the oldest first. A `day` is its midnight.
     * @param query.days how many, today included, 1 to 366, default 30
     * @example
     * for (const { day, received, sent } of await mayfly.analytics.daily({ days: 7 })) console.log(day.toISOString(), received, sent)
     */
    daily(query: AnalyticsDailyQuery = {}, options?: RequestOptions): MayflyPromise<AnalyticsDay[]> {
      return call('analytics.daily', analyticsDaily({ client, query }), options)
    },
  }
}

/** `mayfly.auditLogs`: the record of every authenticated call of the API. */
export function auditLogOperations({ call }: Connection) {
  return {
    /**
     * Lists the calls of the API, newest first, refused ones too.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of records to skip, at most 10,000
     * @param query.before the id of a record: only older ones
     * @example
     * const { data } = await mayfly.auditLogs.list({ limit: 100 })
     * for (const { createdAt, action, status } of data) console.log(createdAt.toISOString(), action, status)
     */
    list(query: AuditLogListQuery = {}, options?: RequestOptions): MayflyList<AuditLogPage, AuditLog> {
      return toList(query, (part) => call('auditLogs.list', auditLogsList({ client, query: part }), options, page))
    },
  }
}
