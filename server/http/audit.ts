import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import { insertAuditLogs } from '../store/audit-logs.ts'
import type { AuditEntry } from '../store/audit-logs.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { withFirstTransaction } from './first-transaction.ts'
import { uuid } from './validation.ts'
import { writeTogether } from './write-together.ts'

export interface AuditTrail {
  /** Answers a call of the API, and leaves its row. What the call changes goes through the app that `answer` is given. */
  follow<T>(ctx: Context, call: { caller: Caller, action: OperationId }, answer: (app: App) => Promise<T>): Promise<T>
  /** Writes what waits. */
  flush(): Promise<void>
}

/**
 * Every call of the API by a valid key leaves a row, refused ones too. That of a change is written in the transaction of the
 * change, so there is never one without the other; the others are written together, a little later.
 */
export function auditTrail(app: App): AuditTrail {
  const { add: writeLater, flush } = writeTogether<AuditEntry>(app, { patience: 100, write: insertAuditLogs, lost: 'audit rows lost' })

  return {
    flush,
    async follow(ctx, { caller, action }, answer) {
      const { method, status } = operations[action]
      const about = describe(ctx, caller, action)
      const entry = (ended: { status: number, reply?: unknown }): AuditEntry => ({
        ...about,
        id: app.db.newId(), // in the order in which calls end
        status: ended.status,
        resource_id: about.resource_id ?? idOf(ended.reply),
        created_at: app.clock.now(),
      })
      const { db, isDone: isNoted } = withFirstTransaction(method === 'delete' ? withReserve(app.db) : app.db, (tx, result) =>
        insertAuditLogs(tx, [entry({ status, reply: { data: result } })]))
      try {
        const reply = await answer(method === 'get' ? app : { ...app, db })
        if (method === 'get') writeLater(entry({ status: ctx.status, reply }))
        // it changed nothing, or a thread changed it
        else if (!isNoted()) await inTransaction(app.db, (tx) => insertAuditLogs(tx, [entry({ status, reply })]))
        return reply
      } catch (error) {
        if (!isNoted()) writeLater(entry({ status: error instanceof AppError ? error.status : 500 }))
        throw error
      }
    },
  }
}

/** Characters of what a caller may write as it likes. */
const longestText = 500

/** What is known before the answer. The address is read now: a caller that goes away meanwhile has none any more. */
function describe(ctx: Context, caller: Caller, action: OperationId) {
  const params = ctx['params'] as Record<string, string>
  const id = String(params['emailId'] ?? params['addressId'] ?? params['id'] ?? ctx.query['address_id'] ?? ctx.query['addressId'])
  return {
    account_id: caller.accountId,
    mode: caller.mode,
    api_key_id: caller.apiKeyId,
    action,
    method: ctx.method,
    path: shown(ctx.path),
    resource_id: uuid.test(id) ? id.toLowerCase() : null,
    ip_address: ctx.ip.replace(/^::ffff:(?=\d+\.)/, ''),
    user_agent: shown(ctx.get('user-agent')) || null,
  }
}

/** Without a key or a secret that somebody put in the wrong place. */
const shown = (text: string) => text.replaceAll(/(svc_live_|svc_test_|whsec_)[\w+=-]+/g, '$1…').slice(0, longestText)

/** The id of what was made. */
function idOf(reply: unknown): string | null {
  const { id } = (reply as { data?: { id?: unknown } } | undefined)?.data ?? {}
  return typeof id === 'string' && uuid.test(id) ? id : null
}
