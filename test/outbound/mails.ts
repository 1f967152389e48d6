import type { OutgoingMail, SendOutcome } from '../../server/outbound/session.ts'

export const shortMail: OutgoingMail = {
  sender: 'shop@example.net', recipient: 'ann@example.org', sizeBytes: 7,
  async* source() {
    yield Buffer.from('\r\nhello')
  },
}

/** The outcome when a session fails for a reason at a point of it: at the dot the host has the mail, and may have taken it. */
export const failedAt = (point: string, host: string, reason: string): SendOutcome => ({
  kind: 'deferred',
  reason: point === 'dot' ? `${host} had the mail and did not say whether it took it: ${reason}` : `The session with ${host} failed: ${reason}`,
})
