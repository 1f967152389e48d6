import { call } from '../call.ts'
import type { RequestOptions } from '../call.ts'
import type { Connection } from '../connection.ts'
import { Analytics as AnalyticsApi, AuditLogs } from '../generated/sdk.gen.ts'
import type { Analytics, AnalyticsDailyData, AnalyticsDay, AuditLogsListData, AuditLogsListResponse } from '../generated/types.gen.ts'

export type AnalyticsDailyQuery = NonNullable<AnalyticsDailyData['query']>
export type AuditLogListQuery = NonNullable<AuditLogsListData['query']>
export type AuditLogPage = AuditLogsListResponse

/** `mayfly.analytics`: counters of the account. */
export function analyticsOperations(connection: Connection) {
  const api = new AnalyticsApi({ client: connection.client })
  return {
    /**
     * Returns the six counters of the account. Months are of the calendar, in UTC.
     * @example
     * const { activeAddresses, thisMonthReceived } = await mayfly.analytics.get()
     * console.log(`${activeAddresses} addresses, ${thisMonthReceived} emails this month`)
     */
    async get(options?: RequestOptions): Promise<Analytics> {
      const { body } = await call(connection, (request) => api.get(request), 'totalAddresses', options)
      return body
    },

    /**
     * Returns how many emails were received and sent on each of the last days (UTC), the oldest first. A `day` is its midnight.
     * @param query.days how many, today included, 1 to 366, default 30
     * @example
     * for (const { day, received, sent } of await mayfly.analytics.daily({ days: 7 })) console.log(day.toISOString(), received, sent)
     */
    async daily(query: AnalyticsDailyQuery = {}, options?: RequestOptions): Promise<AnalyticsDay[]> {
      const { body } = await call(connection, (request) => api.daily({ ...request, query }), 'data', options)
      return body.data
    },
  }
}

/** `mayfly.auditLogs`: the record of every authenticated call of the API. */
export function auditLogOperations(connection: Connection) {
  const api = new AuditLogs({ client: connection.client })
  return {
    /**
     * Lists the calls of the API, newest first, refused ones too.
     * @param query.limit size of the page, 1 to 100, default 20
     * @param query.offset number of records to skip
     * @example
     * const { data } = await mayfly.auditLogs.list({ limit: 100 })
     * for (const { createdAt, action, status } of data) console.log(createdAt.toISOString(), action, status)
     */
    async list(query: AuditLogListQuery = {}, options?: RequestOptions): Promise<AuditLogPage> {
      const { body } = await call(connection, (request) => api.list({ ...request, query }), 'data', options)
      return body
    },
  }
}
