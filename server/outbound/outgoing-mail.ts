import { isAscii } from 'node:buffer'

/** A mail to one recipient. */
export interface OutgoingMail {
  /** Empty for the null sender. */
  sender: string
  recipient: string
  /** Called for each session, since a mail may be sent again. */
  source: () => AsyncIterable<Uint8Array>
  sizeBytes: number
}

export type SendOutcome =
  | { kind: 'sent', reply: string, host: string }
  /** A permanent failure. The reason is shown to the sender. */
  | { kind: 'refused', reason: string }
  /** A temporary failure. `fault` is an error of this server, for the log. */
  | { kind: 'deferred', reason: string, fault?: unknown }

/** Returns why an envelope cannot be sent. Callers have checked it already; this is a second barrier against SMTP command injection. */
export function envelopeRefusal({ sender, recipient }: OutgoingMail): string | undefined {
  if (!/^[!-~]+$/.test(recipient) || /[<>]/.test(recipient)) return 'The recipient is no address that mail can be sent to'
  if (!/^[!-~]*$/.test(sender) || /[<>]/.test(sender)) return 'The sender is no address that mail can be sent from'
  return undefined
}

/** Returns a function that tells whether the source has bytes above 127, which MAIL has to declare (RFC 6152). It reads it once. */
export function eightBitCheck(mail: OutgoingMail): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => answer ??= has8Bit(mail.source())
}

async function has8Bit(source: AsyncIterable<Uint8Array>) {
  for await (const chunk of source) if (!isAscii(chunk)) return true
  return false
}
