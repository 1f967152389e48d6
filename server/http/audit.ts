import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { maskSecrets } from '../mask-secrets.ts'
import type { AuditEntry } from '../store/accounts/audit-logs.ts'
import type { ChangeRecords } from '../store/accounts/change-records.ts'
import { auditCounts } from './audit-counts.ts'
import { auditWriter } from './audit-writer.ts'
import { uuid } from './uuids.ts'
import type { RequestParts } from './validation.ts'

/** The parts of a call that its record is made of. */
interface AuditedCall extends Pick<RequestParts, 'path' | 'query'> {
  ctx: Context
  caller: Caller | undefined
  operationId: OperationId
}

export interface AuditTrail {
  /** Records a call that has ended, unless its transaction did. Without a caller nothing is recorded. */
  record(call: AuditedCall & { reply: object | undefined, isAudited: boolean }, status: number): void
  /** Makes the record of a change, for its transaction. @param reply its `data.id` is the resource that was created */
  entryOf(call: AuditedCall, reply: unknown): ChangeRecords['audit']
  /** Writes all waiting records, except shared ones whose window has not ended. */
  flush(): Promise<void>
  /** Writes all waiting records. */
  close(): Promise<void>
}

/**
 * Every call of the API by a valid key or session is recorded, refused ones too. The row of a change is written in the transaction of the
 * change, so there is never one without the other. Those of reads, repetitions and refused calls are written together, a little
 * later. Calls over the rate limit, and calls of an account beyond a number per window, share rows with a count (`audit-counts.ts`).
 */
export function auditTrail(app: App): AuditTrail {
  const { add, flush } = auditWriter(app)
  const counts = auditCounts(app, add)

  function entryOf(call: AuditedCall, status: number, reply: unknown): ChangeRecords['audit'] {
    const described = describe(call)
    return {
      ...described,
      id: app.db.newId(), // in the order in which calls end
      status,
      resourceId: described.resourceId ?? idOf(reply),
      createdAt: app.clock.now(),
    }
  }

  return {
    flush() {
      counts.endWindow()
      return flush()
    },
    close() {
      counts.close()
      return flush()
    },
    record(call, status) {
      if (!call.caller || call.isAudited) return
      counts.record({ ...call.caller, action: call.operationId, status }, () => entryOf(call, status, call.reply))
    },
    entryOf: (call, reply) => entryOf(call, operations[call.operationId].status, reply),
  }
}

/** Maximum characters of a path in a record; the longest path of the document has 105. */
const maxPathLength = 200
/** Maximum characters of a `User-Agent` in a record. */
const maxUserAgentLength = 300

function describe({ ctx, caller, operationId, path, query }: AuditedCall) {
  const { accountId, mode, apiKeyId, sessionId } = caller!
  const id = String(path['emailId'] ?? path['addressId'] ?? path['id'] ?? query['address_id'] ?? query['addressId'])
  return {
    accountId,
    mode,
    apiKeyId,
    sessionId,
    action: operationId,
    method: ctx.method,
    path: shown(ctx.path, maxPathLength),
    resourceId: uuid.test(id) ? id.toLowerCase() : null,
    ...clientOf(ctx),
  }
}

/** The client of a request, for records. */
export const clientOf = (ctx: Context): Pick<AuditEntry, 'ipAddress' | 'userAgent'> =>
  ({ ipAddress: ctx.ip, userAgent: shown(ctx.get('user-agent'), maxUserAgentLength) || null })

const shown = (text: string, maxLength: number) => maskSecrets(text).slice(0, maxLength)

/** The id of the resource that was created. */
function idOf(reply: unknown): string | null {
  const { id } = (reply as { data?: { id?: unknown } } | undefined)?.data ?? {}
  return typeof id === 'string' && uuid.test(id) ? id : null
}
