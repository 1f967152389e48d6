const said = ' said: '

/** The reason of a mail that another server refused or deferred. @param reply its reply as one line, with its codes */
export const replyReason = (host: string, reply: string): string => `${host}${said}${reply}`

/**
 * Removes the text of a reply from a reason, for the log: it may name people in any form, such as `user bob.smith unknown`, `b o b` or the
 * address to which an alias leads. The code and the enhanced status code (RFC 3463) stay.
 */
export function withoutReplyText(reason: string): string {
  const at = reason.indexOf(said)
  if (at < 0) return reason
  const reply = reason.slice(at + said.length)
  return replyReason(reason.slice(0, at), codes.exec(reply)?.[0] ?? 'no code')
}

const codes = /^[2-5]\d\d(?: [245]\.\d{1,3}\.\d{1,3})?(?![^ ])/
