import type { AcceptedMessage } from '../envelope.ts'

/** Milliseconds of parsing per mail that are not charged: 2 kB take 0.06, 100 kB of HTML take 5. */
const ordinaryMs = 5
/** Milliseconds beyond those, for all mails of an account, or of a client, in one window. */
const budgetMs = 100
const windowMs = 1_000

export interface ParseBudget {
  /** Whether the account or the client has used up its budget: the message is then left to the thread for long mail. */
  isSpent(message: AcceptedMessage): boolean
  charge(message: AcceptedMessage, parseMs: number): void
}

/** Limits the time that mails of one account or client, if slow to parse, take of the thread for which all senders wait. */
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
      for (const name of spent.keys()) open(name) // deletes expired windows
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
