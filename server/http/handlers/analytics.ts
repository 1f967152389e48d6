import { readCounters, readDays } from '../../store/accounts/analytics.ts'
import { findAuditLogs, listAuditLogs } from '../../store/accounts/audit-logs.ts'
import { pageOf, shownPage } from '../../store/page.ts'
import type { HandlersOf } from './handler.ts'

export const analytics = {
  'analytics.get': async (app, { caller }) => readCounters(app.db, caller),

  async 'analytics.daily'(app, { caller, query }) {
    return { data: await readDays(app.db, caller, query.days ?? 30) }
  },

  async 'auditLogs.list'(app, { caller, query, flushAudit, reauthorize }) {
    await flushAudit()
    const page = pageOf(query, 20)
    const { action, isChange, result, resourceId, caller: wanted, since, until } = query
    const filter = { action, isChange, result, resourceId, caller: wanted, since, until }
    const isFiltered = Object.values(filter).some((value) => value !== undefined)
    const found = isFiltered
      ? await findAuditLogs(app.db, caller, { page, filter, turn: reauthorize })
      : await listAuditLogs(app.db, caller, page)
    return { ...found, ...shownPage(page) }
  },
} satisfies HandlersOf<'analytics' | 'auditLogs'>
