import type { ErrorCode } from '../contract/types.gen.ts'
import { AccountFullError, AppError } from '../errors.ts'
import type { Refusal } from '../metrics/metrics.ts'

/** What a client is told: the reply code, its enhanced status (RFC 3463) and a sentence in ASCII. */
export interface Reply {
  code: number
  status: string
  text: string
}

const refusals = {
  // the same text for unknown, expired and foreign addresses, against enumeration of addresses
  NOT_FOUND: { code: 550, status: '5.1.1', text: 'No such address here' },
  PAYLOAD_TOO_LARGE: { code: 552, status: '5.3.4', text: 'The mail is larger than this server takes' },
  CONFLICT: { code: 450, status: '4.2.1', text: 'The mailbox is not ready, try again later' },
  STORAGE_FULL: { code: 452, status: '4.3.1', text: 'No room for mail at the moment, try again later' },
} satisfies Partial<Record<ErrorCode, Reply>>

const accountFull: Reply = { code: 452, status: '4.2.2', text: 'The mailbox is full, try again later' }

const failure: Reply = {
  code: 451, status: '4.3.0', text: 'The mail cannot be taken at the moment, try again later',
}

/**
 * The reply to what the domain threw. What is not in the table is our own failure: temporary, no reason
 * given.
 */
export function replyTo(error: unknown): Reply {
  if (error instanceof AccountFullError) return accountFull
  return (error instanceof AppError && (refusals as Partial<Record<ErrorCode, Reply>>)[error.code]) || failure
}

/** Whether the fault is ours, so that it belongs into the log. */
export const isOurFault = (error: unknown) => replyTo(error) === failure

/** Whether the error is that of an unknown recipient. */
export const isUnknownRecipient = (error: unknown) => replyTo(error) === refusals.NOT_FOUND

/** Enhanced status of our reply codes; they are distinct in the table. */
export const statusOfCode: Record<number, string | undefined> = Object.fromEntries(
  [...Object.values(refusals), failure].map(({ code, status }) => [code, status]),
)

/**
 * A reply as it is sent (RFC 5321, section 4.2.1). Control characters become spaces: a line break in a text would begin another reply
 * (response splitting).
 * @param status enhanced status code; empty for none
 */
export function replyLines(code: number, status: string, text: string | string[] = ''): string {
  const lines = Array.isArray(text) ? text : [text]
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1
    return `${code}${isLast ? ' ' : '-'}${status && `${status} `}${line.replace(/\p{Cc}/gu, ' ')}`.trimEnd() + '\r\n'
  }).join('')
}

const reasons: Record<number, Refusal | undefined> = {
  421: 'dismissed', 450: 'failure', 451: 'failure', 452: 'storage_full', 550: 'unknown_recipient', 552: 'too_large',
}

/** What a reply of 400 or more counts as. @param context smtp-server's name of the case, where it has one */
export const reasonOf = (code: number, context?: string | false): Refusal =>
  context === 'TOO_MANY_RECIPIENTS' ? 'too_many_recipients' : reasons[code] ?? 'protocol'
