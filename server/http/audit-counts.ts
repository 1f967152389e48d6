import type { App } from '../context.ts'
import type { AuditEntry } from '../store/audit-logs.ts'
import { windowAt, windowCounters, windowSeconds } from './rate-limit.ts'

/** Reads and refused calls of an account that have a record of their own in a window; the others are counted. */
const maxRecords = 300

/** Accounts that a window is counted for; the others share one counter. */
const maxAccounts = 100_000

const tooManyRequests = 429

/** What calls that share a record have in common. */
export interface CallKind {
  accountId: string
  mode: string
  apiKeyId: string
  action: string
  status: number
}

export interface AuditCounts {
  /** Records a call, on its own or by counting it. @param entry makes its record; called for the first call of a count only */
  record(kind: CallKind, entry: () => AuditEntry): void
  /** Hands the counts of a window that is over to `write`. */
  endWindow(): void
  /** Hands all counts to `write`. */
  close(): void
}

/**
 * Bounds the audit records that an account can cause in a window of the rate limit. Calls over the rate limit are always counted:
 * one record for each key, operation and window.
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
    record({ accountId, mode, apiKeyId, action, status }, entry) {
      endWindow()
      if (status !== tooManyRequests && recordsOf(window, accountId) <= maxRecords) return write(entry())
      const name = `${mode} ${apiKeyId} ${action} ${status}`
      const first = counted.get(name)
      if (first) {
        first.call_count = first.call_count! + 1
        return
      }
      counted.set(name, { ...entry(), call_count: 1 })
      cancelTimer ??= app.clock.at((window + 1) * windowSeconds * 1000, endWindow)
    },
  }
}
