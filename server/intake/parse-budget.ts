import type { AcceptedMessage } from '../envelope.ts'
import { usageRate } from '../turns/usage-rate.ts'

/** Processor time per mail that is not charged: parsing 2 kB takes 0.04 ms, 100 kB of HTML take 1 ms. */
const ordinaryMs = 5
/** Charged time per second of all mails of an account, or of a client. */
const budgetMsPerSecond = 100
/** The budget of this time may be used at once: mails often arrive together, and the first of a new thread take ten times longer. */
const maxAheadMs = 5_000

export interface ParseBudget {
  /** Whether the account or the client has used up its budget: the message is then left to the thread for long mail. */
  isSpent(message: AcceptedMessage): boolean
  charge(message: AcceptedMessage, cpuMs: number): void
}

/** Limits the time that mails of one account or client, if slow to parse, take of the thread for which all senders wait. */
export function openParseBudget(now = () => performance.now()): ParseBudget {
  const budget = usageRate(budgetMsPerSecond, { maxAheadMs, now })
  return {
    isSpent: (message) => namesOf(message).some((name) => budget.waitMs(name) > 0),
    charge(message, cpuMs) {
      if (cpuMs <= ordinaryMs) return
      for (const name of namesOf(message)) budget.record(name, cpuMs - ordinaryMs)
    },
  }
}

function namesOf({ envelope: { recipients, remoteAddress } }: AcceptedMessage): string[] {
  const account = recipients[0]?.accountId
  return [...account ? [`account ${account}`] : [], ...remoteAddress ? [`client ${remoteAddress}`] : []]
}
