import type { Context } from 'koa'
import { maskSecrets } from '../../api-key-format.ts'
import type { App, Caller } from '../../context.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { uuid } from '../../ids.ts'
import { insertAuditLogs } from '../../store/accounts/audit-logs.ts'
import type { AuditEntry } from '../../store/accounts/audit-logs.ts'
import type { ChangeRecords } from '../../store/accounts/idempotency-keys.ts'
import { inTransaction } from '../../store/database.ts'
import { windowAt, windowCounters, windowSeconds } from './rate-limit.ts'
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

/** Maximum reads and refused calls of an account per window with a record of their own; further calls share records with a count. */
const maxRecords = 300

/** Maximum accounts per window with a counter of their own; further accounts share one. */
const maxAccounts = 100_000

const tooManyRequests = 429

/** Calls that agree in all of these can share a record. */
interface CallKind {
  accountId: string
  mode: string
  apiKeyId: string | null
  sessionId: string | null
  action: string
  status: number
}

interface AuditCounts {
  /** Adds a call, with a record of its own or to a shared one. @param entry makes the record; not called for later calls of a shared one */
  record(kind: CallKind, entry: () => AuditEntry): void
  /** Writes the shared records of a window that has ended. */
  endWindow(): void
  /** Writes all shared records. */
  close(): void
}

/**
 * Limits the audit records that an account can cause in a window of the rate limit. Calls over the rate limit always share records:
 * one for each key or session, operation and window.
 */
function auditCounts(app: App, write: (entry: AuditEntry) => void): AuditCounts {
  let window = windowAt(app.clock.now())
  let counted = new Map<string, AuditEntry>()
  let cancelTimer: (() => void) | undefined
  const recordsOf = windowCounters(maxAccounts)

  function close() {
    cancelTimer?.()
    cancelTimer = undefined
    for (const entry of counted.values()) write(entry)
    counted = new Map()
  }

  function endWindow() {
    const now = windowAt(app.clock.now())
    if (now === window) return
    close()
    window = now
  }

  return {
    endWindow,
    close,
    record({ accountId, mode, apiKeyId, sessionId, action, status }, entry) {
      endWindow()
      if (status !== tooManyRequests && recordsOf(window, accountId) <= maxRecords) return write(entry())
      const name = `${mode} ${apiKeyId ?? sessionId} ${action} ${status}`
      const first = counted.get(name)
      if (first) {
        first.callCount = first.callCount! + 1
        return
      }
      counted.set(name, { ...entry(), callCount: 1 })
      cancelTimer ??= app.clock.at((window + 1) * windowSeconds * 1000, endWindow)
    },
  }
}

/** Time from the first row to the write, in which further rows are collected. */
const flushDelayMs = 100

/** Maximum rows per transaction: a longer one would block other requests of the thread. */
const maxRowsPerTransaction = 100

interface AuditWriter {
  /** Adds a row to the next write. */
  add(entry: AuditEntry): void
  /** Writes all waiting rows. */
  flush(): Promise<void>
}

/** Collects audit rows and writes many in one transaction: a commit for each would cost more than the requests. */
function auditWriter(app: Pick<App, 'db' | 'log'>): AuditWriter {
  let waiting: AuditEntry[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function flush() {
    clearTimeout(timer)
    timer = undefined
    const entries = waiting
    waiting = []
    for (let start = 0; start < entries.length; start += maxRowsPerTransaction) {
      const some = entries.slice(start, start + maxRowsPerTransaction)
      writing = writing
        .then(async () => { await inTransaction(app.db, (tx) => insertAuditLogs(tx, some)) })
        .catch((error: unknown) => app.log.error({ err: error, rows: some.length }, 'audit rows could not be written and are lost'))
    }
    return writing
  }

  return {
    flush,
    add(entry) {
      waiting.push(entry)
      timer ??= setTimeout(() => void flush(), flushDelayMs)
    },
  }
}
