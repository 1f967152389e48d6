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

/** Maximum characters of a path in a record; the longest path of the document has 111. */
const maxPathLength = 200
/** Maximum characters of a `User-Agent` in a record. */
const maxUserAgentLength = 300

/** The client of a request, for records. */
export const clientOf = (ctx: Context): Pick<AuditEntry, 'ipAddress' | 'userAgent'> =>
  ({ ipAddress: ctx.ip, userAgent: maskSecrets(ctx.get('user-agent'), maxUserAgentLength) || null })

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
const firstRefusal = 400

/** Reads of an administrator show mail and accounts of others: each has a record. */
function isOwnRead(id: OperationId): boolean {
  const { method, path } = operations[id]
  return method === 'get' && !path.startsWith('/api/v1/admin/')
}

/** Time from the first row to the write, in which further rows are collected. */
const flushDelayMs = 100

/** Maximum rows per transaction: a longer one would block other requests of the thread. */
const maxRowsPerTransaction = 100

/**
 * Every call of the API by a valid key, session or share link is recorded, refused ones too. The row of a change is written in the
 * transaction of the change, so there is never one without the other. Those of reads, repetitions and refused calls are written together,
 * a little later: a commit for each would cost more than the requests.
 *
 * Calls over the rate limit, reads of the own account by a session, calls by a share link, and calls of an account beyond a number per
 * window of that limit, share records: one for each account, mode, caller, operation, status and window. Calls by the SMTP login of an
 * address and by a share link have neither key nor session.
 */
export class AuditTrail {
  readonly #app: App
  /** Records that wait for the next write. */
  #waiting: AuditEntry[] = []
  #timer: NodeJS.Timeout | undefined = undefined
  #writing = Promise.resolve()
  /** The window of the shared records, by their kind. */
  #window: number
  #shared = new Map<string, AuditEntry>()
  #cancelEnd: (() => void) | undefined = undefined
  readonly #recordsOf = windowCounters(maxAccounts)

  constructor(app: App) {
    this.#app = app
    this.#window = windowAt(app.clock.now())
  }

  /** Records a call that has ended, unless its transaction did. Without a caller nothing is recorded. */
  record(call: AuditedCall & { reply: object | undefined, isAudited: boolean }, status: number): void {
    const { caller, operationId, reply, isAudited } = call
    if (!caller || isAudited) return
    if (windowAt(this.#app.clock.now()) !== this.#window) this.#endWindow()
    const isPageRead = caller.sessionId !== null && isOwnRead(operationId) && status < firstRefusal
    if (!isPageRead && !caller.share && status !== tooManyRequests && this.#recordsOf(this.#window, caller.accountId) <= maxRecords) {
      return this.#add(this.entryOf(call, reply, status))
    }
    const kind = `${caller.accountId} ${caller.mode} ${caller.apiKeyId ?? caller.sessionId ?? caller.share?.linkId} ${operationId} ${status}`
    const first = this.#shared.get(kind)
    if (first) return void first.callCount!++
    this.#shared.set(kind, { ...this.entryOf(call, reply, status), callCount: 1 })
    this.#cancelEnd ??= this.#app.clock.at((this.#window + 1) * windowSeconds * 1000, () => this.#endWindow())
  }

  /** Makes the record of a call: a change needs it for its transaction. @param reply its `data.id` is the resource that was created */
  entryOf({ ctx, caller, operationId, path, query }: AuditedCall, reply: unknown, status: number = operations[operationId].status): ChangeRecords['audit'] {
    const { accountId, mode, apiKeyId, sessionId, member, share } = caller!
    const id = String(path['emailId'] ?? path['addressId'] ?? path['id'] ?? share?.addressId ?? query['address_id'] ?? query['addressId'])
    return {
      accountId,
      mode,
      apiKeyId,
      sessionId,
      member: member?.email ?? null,
      action: operationId,
      method: ctx.method,
      path: maskSecrets(ctx.path, maxPathLength),
      ...clientOf(ctx),
      id: this.#app.db.newId(), // in the order in which calls end
      status,
      resourceId: uuid.test(id) ? id.toLowerCase() : idOf(reply),
      createdAt: this.#app.clock.now(),
    }
  }

  /** Writes all waiting records, except shared ones whose window has not ended. */
  flush(): Promise<void> {
    this.#endWindow()
    return this.#write()
  }

  /** Writes all waiting records. */
  close(): Promise<void> {
    this.#endShared()
    return this.#write()
  }

  #endWindow(): void {
    const now = windowAt(this.#app.clock.now())
    if (now === this.#window) return
    this.#endShared()
    this.#window = now
  }

  #endShared(): void {
    this.#cancelEnd?.()
    this.#cancelEnd = undefined
    for (const entry of this.#shared.values()) this.#add(entry)
    this.#shared = new Map()
  }

  #add(entry: AuditEntry): void {
    this.#waiting.push(entry)
    this.#timer ??= setTimeout(() => void this.#write(), flushDelayMs)
  }

  #write(): Promise<void> {
    const { db, log } = this.#app
    clearTimeout(this.#timer)
    this.#timer = undefined
    const entries = this.#waiting
    this.#waiting = []
    for (let start = 0; start < entries.length; start += maxRowsPerTransaction) {
      const some = entries.slice(start, start + maxRowsPerTransaction)
      this.#writing = this.#writing
        .then(async () => { await inTransaction(db, (tx) => insertAuditLogs(tx, some)) })
        .catch((error: unknown) => log.error({ err: error, rows: some.length }, 'audit rows could not be written and are lost'))
    }
    return this.#writing
  }
}
