import { isAscii } from 'node:buffer'

/** One mail to one recipient. */
export interface OutgoingMail {
  /** Empty for the null sender. */
  sender: string
  recipient: string
  /** Read anew for each try. */
  source: () => AsyncIterable<Uint8Array>
  /** Bytes. */
  size: number
}

export type Outcome =
  | { kind: 'sent', reply: string, host: string }
  /** For good. Whoever sent the mail may read the reason. */
  | { kind: 'refused', reason: string }
  /** It may go better later. `fault` is an error of ours, for the log. */
  | { kind: 'deferred', reason: string, fault?: unknown }

/**
 * Says why an envelope cannot be sent. Whoever makes it has checked it; what would end a command or bring in another
 * one stops here all the same.
 */
export function envelopeRefusal({ sender, recipient }: OutgoingMail): string | undefined {
  if (!/^[!-~]+$/.test(recipient) || /[<>]/.test(recipient)) return 'The recipient is no address that mail can be sent to'
  if (!/^[!-~]*$/.test(sender) || /[<>]/.test(sender)) return 'The sender is no address that mail can be sent from'
  return undefined
}

/** Whether the source has bytes above 127, which the receiving host wants to know beforehand. Reads it once. */
export function eightBitCheck(mail: OutgoingMail): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => answer ??= has8Bit(mail.source())
}

async function has8Bit(source: AsyncIterable<Uint8Array>) {
  for await (const chunk of source) if (!isAscii(chunk)) return true
  return false
}
