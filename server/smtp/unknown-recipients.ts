import { usageRate } from '../usage-rate.ts'
import type { SmtpLimits } from './limits.ts'

type Limits = Pick<SmtpLimits, 'unknownRecipients' | 'unknownRecipientsPerSecond' | 'unknownRecipientDelayMs'>

/**
 * Slows down clients that guess recipients. The delay grows with the number of unknown recipients that the network of a client has
 * tried, and shrinks with time. Accepted recipients are neither counted nor delayed.
 * @param now in milliseconds
 * @returns a function that counts an unknown recipient of a network, and returns the delay of its 550 in milliseconds
 */
export function unknownRecipientDelays(limits: Limits, now?: () => number): (network: string) => number {
  const { unknownRecipients, unknownRecipientsPerSecond, unknownRecipientDelayMs } = limits
  const rate = usageRate(unknownRecipientsPerSecond, { maxAheadMs: (unknownRecipients - 1) / unknownRecipientsPerSecond * 1_000, now })
  return (network) => {
    const delayMs = rate.waitMs(network)
    if (delayMs >= unknownRecipientDelayMs) return unknownRecipientDelayMs // not counted: the delay has to end soon after the guessing
    rate.record(network, 1)
    return delayMs
  }
}
