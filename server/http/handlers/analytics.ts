import { readCounters, readDays } from '../../store/accounts/analytics.ts'
import { listAuditLogs } from '../../store/accounts/audit-logs.ts'
import { pageOf, shownPage } from '../../store/page.ts'
import type { HandlersOf } from './handler.ts'

export const analytics = {
  'analytics.get': async (app, { caller }) => readCounters(app.db, caller),

  async 'analytics.daily'(app, { caller, query }) {
    return { data: await readDays(app.db, caller, query.days ?? 30) }
  },

  async 'auditLogs.list'(app, { caller, query, flushAudit }) {
    await flushAudit()
    const page = pageOf(query, 20)
    return { ...await listAuditLogs(app.db, caller, page), ...shownPage(page) }
  },
} satisfies HandlersOf<'analytics' | 'auditLogs'>
