const maxReasonChars = 500

/** Makes text of another server fit to show: one line of limited length, without control characters. */
export function toSingleLine(text: string): string {
  const line = text.toWellFormed().replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return line.length <= maxReasonChars ? line : line.slice(0, maxReasonChars - 1).toWellFormed().replace(/\ufffd$/, '') + '…'
}

/** Makes one line of an SMTP reply (RFC 5321, section 4.2.1), without the repeated codes: `550 5.1.1 No such user`. */
export function replyText(reply: string): string {
  const [first = '', ...rest] = reply.split(/\r?\n/)
  const [, code = '', enhanced = ''] = /^(\d{3})[ -](\d\.\d{1,3}\.\d{1,3})?/.exec(first) ?? []
  const continued = rest.map((line) => line.replace(/^\d{3}(?:[ -]|$)/, '')).map((line) => enhanced && line.startsWith(enhanced) ? line.slice(enhanced.length) : line)
  return toSingleLine([first.replace(/^(\d{3})-/, code ? '$1 ' : '$1-'), ...continued].join(' '))
}

const networkReasons: Record<string, string> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it broke off the connection',
  EPIPE: 'it broke off the connection',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to its network',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up at this moment',
  ETIMEDOUT: 'it did not answer in time',
  EACCES: 'this system does not allow the connection',
  EPERM: 'this system does not allow the connection',
}

/** Describes why a connection failed, by the error code of the system or of TLS. */
export const networkReason = (code = ''): string =>
  networkReasons[code] ?? (/CERT|ISSUER|SIGNATURE/.test(code) ? `its certificate is not good (${code})` : 'the connection failed')
