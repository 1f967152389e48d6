import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { insertAuditLogs } from '../store/audit-logs.ts'
import type { AuditEntry } from '../store/audit-logs.ts'
import { inTransaction } from '../store/database.ts'

export interface AuditTrail {
  record(ctx: Context, call: { caller: Caller, action: OperationId, status: number, resourceId: string | null }): void
  /** Writes what waits. */
  flush(): Promise<void>
}

/** Milliseconds that rows wait for company: a commit each would cost more than the requests. */
const patience = 100

/** Every call of the API by a valid key leaves a row, refused ones too. */
export function auditTrail(app: App): AuditTrail {
  let waiting: AuditEntry[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    if (entries.length > 0) {
      writing = writing
        .then(() => inTransaction(app.db, (tx) => insertAuditLogs(tx, entries)))
        .catch((error: unknown) => app.log.error({ err: error, rows: entries.length }, 'audit rows lost'))
    }
    return writing
  }

  return {
    flush,
    record(ctx, { caller, action, status, resourceId }) {
      waiting.push({
        account_id: caller.accountId,
        mode: caller.mode,
        api_key_id: caller.apiKeyId,
        action,
        method: ctx.method,
        path: ctx.path,
        status,
        resource_id: resourceId,
        ip_address: ctx.ip,
        user_agent: ctx.get('user-agent').slice(0, 500) || null,
        created_at: app.clock.now(),
      })
      timer ??= setTimeout(() => void flush(), patience)
    },
  }
}
