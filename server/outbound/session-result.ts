import { replyReason } from '../activity.ts'
import { networkReason, replyText, toSingleLine } from './reasons.ts'

/** Why a session failed. */
export type DeferralCause =
  /** The host refused the mail. */
  | 'reply'
  /** The connection failed or was lost. */
  | 'network'
  /** The TLS handshake failed. */
  | 'tls'
  /** The host has the whole mail and did not reply: it may have accepted it. */
  | 'no-final-reply'
  /** This server failed or was stopped. */
  | 'this-server'

export type SessionResult =
  | { kind: 'sent', reply: string, host: string }
  | { kind: 'refused', reason: string }
  | { kind: 'deferred', reason: string, cause: DeferralCause }

/** An error of nodemailer's SMTPConnection; `originalCode` is that of the system. */
interface SmtpError extends Error {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number | false
}

export interface SessionState {
  isConnected: boolean
  /** From STARTTLS, or the first byte of a TLS connection, to the reply to EHLO. */
  isAtTls: boolean
  /** After the reply to EHLO. */
  isReady: boolean
  /** The whole mail was read to be sent. */
  isWhole: boolean
}

/** Replies that require authentication or TLS (RFC 4954, section 6): a fault of the settings, not of the mail, so it is not permanent. */
const settingsCodes = new Set([530, 534, 535, 538])

/** Turns an error of a session into the result for the mail. */
export function resultOfError(thrown: unknown, { name }: { name: string }, state: SessionState): SessionResult {
  const error = thrown as SmtpError
  const { code, command, response, responseCode } = error
  const deferred = (cause: DeferralCause, reason: string): SessionResult => ({ kind: 'deferred', reason: toSingleLine(reason), cause })

  if (code === 'ESTREAM') return deferred('this-server', 'This server could not read the mail')
  if (code === 'EAUTH') {
    // without the reply, which may repeat the password
    return deferred('reply', `The smart host ${name} did not take the user and password that this server is set up with${
      responseCode ? ` (${responseCode})` : ''}`)
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    if (code === 'EMESSAGE' && !response) return { kind: 'refused', reason: `${name} does not take mails of this size` }
    const isFinal = responseCode && responseCode >= 500 && responseCode < 600 && !settingsCodes.has(responseCode)
    const reason = replyReason(name, replyText(response ?? ''))
    return isFinal ? { kind: 'refused', reason: toSingleLine(reason) } : deferred('reply', reason)
  }
  if (code === 'ETLS' && command === 'STARTTLS' && response) {
    return deferred('reply', `${name} does not offer TLS, without which this server sends it no password and no mail`)
  }
  if (response && responseCode) return deferred('reply', replyReason(name, replyText(response)))
  return deferred(causeOf(state), `${stageOf(state, name)}: ${errorText(error)}`)
}

function causeOf({ isAtTls, isWhole }: SessionState): DeferralCause {
  if (isAtTls) return 'tls'
  return isWhole ? 'no-final-reply' : 'network'
}

function stageOf({ isConnected, isAtTls, isWhole }: SessionState, name: string) {
  if (!isConnected) return `No connection to ${name}`
  if (isAtTls) return `No TLS with ${name}`
  return isWhole ? `${name} had the mail and did not say whether it took it` : `The session with ${name} failed`
}

function errorText({ code, originalCode }: SmtpError) {
  if (code === 'EPROTOCOL') return 'its reply is no SMTP'
  if (code === 'ECONNECTION') return networkReason(originalCode ?? 'ECONNRESET')
  return networkReason(originalCode ?? code)
}
