import type { Connection } from '../core/connection.ts'
import type { RequestOptions } from '../core/options.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type { Analytics, AnalyticsDailyData, AnalyticsDay } from '../generated/types.gen.ts'

export type AnalyticsDailyQuery = NonNullable<AnalyticsDailyData['query']>

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
      return call('analytics.get', {}, options, (body) => body.totalAddresses === undefined ? undefined : body)
    },

    /**
     * Returns the number of received and of sent emails for each of the last days (UTC), oldest first. A `day` is its midnight.
     * @param query.days number of days, today included, 1 to 366, default 30
     * @example
     * for (const { day, received, sent } of await mayfly.analytics.daily({ days: 7 })) console.log(day.toISOString(), received, sent)
     */
    daily(query: AnalyticsDailyQuery = {}, options?: RequestOptions): MayflyPromise<AnalyticsDay[]> {
      return call('analytics.daily', { query }, options)
    },
  }
}
