import { networkReason, readable, replyText } from './reasons.ts'

/**
 * Why a session failed: the host said no; it could not be reached or kept; so at the TLS handshake; it had the whole
 * mail and did not say what became of it; or it was this side.
 */
type Trouble = 'reply' | 'network' | 'tls' | 'unclear' | 'here'

export type SessionResult =
  | { kind: 'sent', reply: string, host: string }
  | { kind: 'refused', reason: string }
  | { kind: 'deferred', reason: string, trouble: Trouble }

/** What SMTPConnection tells of an error; `originalCode` is the system's. */
interface SmtpError extends Error {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number | false
}

export interface SessionState {
  isConnected: boolean
  /** Between STARTTLS, or the first byte of a TLS connection, and the end of EHLO. */
  isAtTls: boolean
  /** EHLO is through. */
  isReady: boolean
  /** All of the mail was read to be sent. */
  isWhole: boolean
}

/** Wants a password or TLS first: a matter of settings, not of the mail. */
const wantsMore = new Set([530, 534, 535, 538])

/** Says what an error of a session means for the mail. */
export function judge(thrown: unknown, { name }: { name: string }, state: SessionState): SessionResult {
  const error = thrown as SmtpError
  const { code, command, response, responseCode } = error
  const later = (trouble: Trouble, reason: string): SessionResult => ({ kind: 'deferred', reason: readable(reason), trouble })

  if (code === 'ESTREAM') return later('here', 'This server could not read the mail')
  if (code === 'EAUTH') {
    // what it replied is not told: it may repeat what it was sent
    return later('reply', `The smart host ${name} did not take the user and password that this server is set up with${
      responseCode ? ` (${responseCode})` : ''}`)
  }
  if (code === 'EENVELOPE' || code === 'EMESSAGE') {
    if (code === 'EMESSAGE' && !response) return { kind: 'refused', reason: `${name} does not take mails of this size` }
    const isFinal = responseCode && responseCode >= 500 && responseCode < 600 && !wantsMore.has(responseCode)
    const reason = `${name} said: ${replyText(response ?? '')}`
    return isFinal ? { kind: 'refused', reason: readable(reason) } : later('reply', reason)
  }
  if (code === 'ETLS' && command === 'STARTTLS' && response) {
    return later('reply', `${name} does not offer TLS, without which this server sends no password`)
  }
  if (response && responseCode) return later('reply', `${name} said: ${replyText(response)}`)
  return later(troubleOf(state), `${stageOf(state, name)}: ${causeOf(error)}`)
}

function troubleOf({ isAtTls, isWhole }: SessionState): Trouble {
  if (isAtTls) return 'tls'
  return isWhole ? 'unclear' : 'network'
}

function stageOf({ isConnected, isAtTls, isWhole }: SessionState, name: string) {
  if (!isConnected) return `No connection to ${name}`
  if (isAtTls) return `No TLS with ${name}`
  return isWhole ? `${name} had the mail and did not say whether it took it` : `The session with ${name} failed`
}

function causeOf({ code, originalCode }: SmtpError) {
  if (code === 'EPROTOCOL') return 'its reply is no SMTP'
  if (code === 'ECONNECTION') return networkReason(originalCode ?? 'ECONNRESET')
  return networkReason(originalCode ?? code)
}
