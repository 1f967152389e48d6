import type { Socket } from 'node:net'
import type { ErrorCode } from '../contract/types.gen.ts'
import { AppError, isUnavailable, MailRefusedError } from '../errors.ts'
import type { SmtpReply } from '../errors.ts'
import { maxSenderBytes } from '../mailbox.ts'
import type { SenderFault } from '../mailbox.ts'
import type { Refusal } from '../metrics/metrics.ts'

/** A reply as smtp-server takes it: the message begins with the enhanced status. */
export type RefusedCommand = Error & { responseCode: number }

const refusals = {
  // the same text for unknown, expired and foreign addresses, against enumeration of addresses
  NOT_FOUND: { code: 550, status: '5.1.1', text: 'No such address here' },
  PAYLOAD_TOO_LARGE: { code: 552, status: '5.3.4', text: 'The mail is larger than this server takes' },
  CONFLICT: { code: 450, status: '4.2.1', text: 'The mailbox is not ready, try again later' },
  INVALID_API_KEY: { code: 535, status: '5.7.8', text: 'This login has ended. Log in again' },
  STORAGE_FULL: { code: 452, status: '4.3.1', text: 'No room for mail at the moment, try again later' },
} satisfies Partial<Record<ErrorCode, SmtpReply>>

/** By the fault of a sender in MAIL. 501 for a long path is that of RFC 5321, section 4.5.3.1.9. */
export const senderReplies: Record<SenderFault, SmtpReply> = {
  'too long': { code: 501, status: '5.1.7', text: `The sender is longer than ${maxSenderBytes} octets` },
  malformed: { code: 553, status: '5.1.7', text: 'The sender is not a mailbox' },
}

/** RFC 5321, section 4.1.1.11: a client that asks for a report by `NOTIFY` would wait for it. */
export const unknownParameter: SmtpReply = { code: 555, status: '5.5.4', text: 'This server does not have this parameter' }

/** Commands of SMTP and its extensions that this server knows and does not have: 502 in place of 500 (RFC 5321, section 4.2.4). */
export const notImplemented = new Set<unknown>(
  ['ATRN', 'AUTH', 'BDAT', 'BURL', 'ETRN', 'EXPN', 'SAML', 'SEND', 'SOML', 'STARTTLS', 'TURN', 'XCLIENT', 'XFORWARD'])

/** Commands that smtp-server runs in spite of a parameter, against RFC 5321, section 4.1.1. */
export const hasWrongParameter = /^(?:data|rset)[ \t]+\S/i

/** In AUTH. Others, such as CRAM-MD5, need the password itself, of which there is only a hash. */
export const loginMethods = ['PLAIN', 'LOGIN']
export const hasLoginMethod = new RegExp(`^auth[ \\t]+(?:${loginMethods.join('|')})(?![^ \\t])`, 'i')

/** RFC 4954, section 6. The same for each cause, against enumeration of addresses. */
export const wrongLogin: SmtpReply = { code: 535, status: '5.7.8', text: 'The user name or the password is wrong' }

const failure: SmtpReply = {
  code: 451, status: '4.3.0', text: 'The mail cannot be taken at the moment, try again later',
}

/** Of a connection that is closed already: the reply is not sent. */
const dropped: SmtpReply = { code: 421, status: '4.4.2', text: 'The connection was dropped' }

/** Returns the reply to an error of the domain: its own, or that of its code. Any other error has a temporary one without a reason. */
export function replyTo(error: unknown): SmtpReply {
  if (error instanceof MailRefusedError) return error.reply ?? dropped
  return (error instanceof AppError && (refusals as Partial<Record<ErrorCode, SmtpReply>>)[error.code]) || failure
}

/** Whether the error is an internal one, which is logged. */
export const isInternalError = (error: unknown) => replyTo(error) === failure && !isUnavailable('account', error)

/** Whether the error is that of an unknown recipient. */
export const isUnknownRecipient = (error: unknown) => replyTo(error) === refusals.NOT_FOUND

/** Enhanced status by reply code. Each code is in `refusals` once; the 452 of a full mailbox has a status of its own. */
export const statusOfCode: Record<number, string | undefined> = Object.fromEntries(
  [...Object.values(refusals), failure].map(({ code, status }) => [code, status]),
)

/**
 * Formats a reply (RFC 5321, section 4.2.1). Control characters become spaces: a line break in a text would begin another reply
 * (response splitting).
 * @param status enhanced status code; empty for none
 */
export function replyLines(code: number, status: string, text: string | string[] = ''): string {
  const lines = Array.isArray(text) ? text : [text]
  return lines.map((line, index) => {
    const isLast = index === lines.length - 1
    const reply = `${code}${isLast ? ' ' : '-'}${status && `${status} `}${line.replace(/\p{Cc}/gu, ' ')}`
    return `${code === 334 ? reply : reply.trimEnd()}\r\n` // the space of an empty challenge is needed (RFC 4954, section 4)
  }).join('')
}

/** Sends the replies to pipelined commands in one piece (RFC 2920, section 3.2). */
export function holdReplies(socket: Socket) {
  if (socket.writableCorked) return
  socket.cork()
  setImmediate(() => socket.uncork())
}

const reasonsByContext: Record<string, Refusal | undefined> = { TOO_MANY_RECIPIENTS: 'too_many_recipients' }

const reasons: Record<number, Refusal | undefined> = {
  421: 'dismissed', 450: 'failure', 451: 'failure', 452: 'storage_full', 550: 'unknown_recipient', 552: 'too_large',
}

/** Returns the metrics reason of a reply of 400 or more. @param context the enhanced status, or smtp-server's name of the case */
export const reasonOf = (code: number, context?: string | false): Refusal =>
  reasonsByContext[context || ''] ?? reasons[code] ?? 'protocol'
