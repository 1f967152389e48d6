import type { App } from '../context.ts'
import type { AuditEntry } from '../store/accounts/audit-logs.ts'
import { windowAt, windowSeconds } from './rate-limit.ts'
import { windowCounters } from './window-counters.ts'

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

export interface AuditCounts {
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
export function auditCounts(app: App, write: (entry: AuditEntry) => void): AuditCounts {
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
