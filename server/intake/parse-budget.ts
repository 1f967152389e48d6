import type { AcceptedMessage } from '../envelope.ts'

/** Milliseconds of parsing that every mail may take: one of 2 kB takes 0.06, one of 100 kB of HTML 5. */
const ordinaryMs = 5
/** Milliseconds beyond those that the mails of an account, or of a client, may take together in a window. */
const budgetMs = 100
const windowMs = 1_000

export interface ParseBudget {
  /** The message is to be left to a thread for which no sender waits. */
  isSpent(message: AcceptedMessage): boolean
  charge(message: AcceptedMessage, parseMs: number): void
}

/** Bounds what slow mails of one account or one client take of the thread that all senders wait for. */
export function openParseBudget(now: () => number = () => performance.now()): ParseBudget {
  const spent = new Map<string, { ms: number, until: number }>()
  const open = (name: string) => {
    const found = spent.get(name)
    if (!found || found.until > now()) return found
    spent.delete(name)
    return undefined
  }
  return {
    isSpent(message) {
      if (spent.size === 0) return false
      return namesOf(message).some((name) => (open(name)?.ms ?? 0) >= budgetMs)
    },
    charge(message, parseMs) {
      if (parseMs <= ordinaryMs) return
      for (const name of spent.keys()) open(name) // forgets those that are over
      for (const name of namesOf(message)) {
        const found = open(name)
        if (found) found.ms += parseMs - ordinaryMs
        else spent.set(name, { ms: parseMs - ordinaryMs, until: now() + windowMs })
      }
    },
  }
}

function namesOf({ envelope: { recipients, remoteAddress } }: AcceptedMessage): string[] {
  const account = recipients[0]?.accountId
  return [...account ? [`account ${account}`] : [], ...remoteAddress ? [`client ${remoteAddress}`] : []]
}
