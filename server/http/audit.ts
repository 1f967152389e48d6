import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import { maskSecrets } from '../mask-secrets.ts'
import { insertAuditLogs } from '../store/accounts/audit-logs.ts'
import type { AuditEntry } from '../store/accounts/audit-logs.ts'
import type { ChangeRecords } from '../store/accounts/change-records.ts'
import { auditCounts } from './audit-counts.ts'
import { uuid } from './validation.ts'
import { writeTogether } from './write-together.ts'

export interface AuditTrail {
  /**
   * Answers a call of the API, and records it unless its transaction did.
   * @param call its caller is read when the call has ended; without a caller nothing is recorded
   */
  follow<T>(
    ctx: Context, call: { caller: Caller | undefined, operationId: OperationId }, answer: (audit: AuditOfChange) => Promise<T>,
  ): Promise<T>
  /** Writes all waiting records, except shared ones whose window has not ended. */
  flush(): Promise<void>
  /** Writes all waiting records. */
  close(): Promise<void>
}

/** Has the transaction of a change insert the record of its call. */
export interface AuditOfChange {
  /** Makes the record. @param answer its `data.id` is the resource that was created */
  entryOf(answer: unknown): ChangeRecords['audit']
  /** To be called when the transaction is committed: no second record is written then. */
  noteCommitted(): void
}

/**
 * Every call of the API by a valid key is recorded, refused ones too. The row of a change is written in the transaction of the
 * change, so there is never one without the other. Those of reads, repetitions and refused calls are written together, a little
 * later. Calls over the rate limit, and calls of an account beyond a number per window, share rows with a count (`audit-counts.ts`).
 */
export function auditTrail(app: App): AuditTrail {
  const { add: writeLater, flush } = writeTogether<AuditEntry>(app, { flushDelayMs: 100, write: insertAuditLogs, lost: 'audit rows lost' })
  const counts = auditCounts(app, writeLater)

  return {
    flush() {
      counts.endWindow()
      return flush()
    },
    close() {
      counts.close()
      return flush()
    },
    async follow(ctx, call, answer) {
      const action = call.operationId
      const { status } = operations[action]
      const entry = (ended: { status: number, reply?: unknown }): ChangeRecords['audit'] => {
        const about = describe(ctx, call.caller!, action)
        return {
          ...about,
          id: app.db.newId(), // in the order in which calls end
          status: ended.status,
          resourceId: about.resourceId ?? idOf(ended.reply),
          createdAt: app.clock.now(),
        }
      }
      const record = (ended: { status: number, reply?: unknown }) => {
        if (call.caller) counts.record({ ...call.caller, action, status: ended.status }, () => entry(ended))
      }
      let isWritten = false
      try {
        const reply = await answer({ entryOf: (reply) => entry({ status, reply }), noteCommitted() { isWritten = true } })
        if (!isWritten) record({ status: ctx.status, reply })
        return reply
      } catch (error) {
        if (!isWritten) record({ status: error instanceof AppError ? error.status : 500 })
        throw error
      }
    },
  }
}

/** Maximum characters of a path in a record; the longest path of the document has 105. */
const maxPathLength = 200
/** Maximum characters of a `User-Agent` in a record. */
const maxUserAgentLength = 300

function describe(ctx: Context, caller: Caller, action: OperationId) {
  const params = ctx['params'] as Record<string, string>
  const id = String(params['emailId'] ?? params['addressId'] ?? params['id'] ?? ctx.query['address_id'] ?? ctx.query['addressId'])
  return {
    accountId: caller.accountId,
    mode: caller.mode,
    apiKeyId: caller.apiKeyId,
    action,
    method: ctx.method,
    path: shown(ctx.path, maxPathLength),
    resourceId: uuid.test(id) ? id.toLowerCase() : null,
    ipAddress: ctx.ip,
    userAgent: shown(ctx.get('user-agent'), maxUserAgentLength) || null,
  }
}

const shown = (text: string, maxLength: number) => maskSecrets(text).slice(0, maxLength)

/** The id of the resource that was created. */
function idOf(reply: unknown): string | null {
  const { id } = (reply as { data?: { id?: unknown } } | undefined)?.data ?? {}
  return typeof id === 'string' && uuid.test(id) ? id : null
}
