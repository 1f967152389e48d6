import type { Envelope } from '../../envelope.ts'
import type { EmailRow, MessageRow } from '../schema/mail.ts'

/** The columns of an email, and of its message, that have its envelope. */
export type EnvelopeRow = Pick<EmailRow, 'type' | 'recipient' | 'recipients'> & Pick<MessageRow, 'envelope' | 'from_address'>

/**
 * The sender of the envelope: empty for the null sender, and for sent mail. The envelope of mail from an address of this server has an
 * internal return path in its place.
 */
export function senderOf({ type, envelope, from_address }: Omit<EnvelopeRow, 'recipient' | 'recipients'>): string {
  if (type === 'sent') return ''
  const { sender, remoteAddress } = JSON.parse(envelope) as Envelope
  return remoteAddress === '' && sender !== '' ? from_address : sender
}

/** The recipients of the envelope, at most 100. */
export const recipientsOf = ({ recipients, recipient }: Pick<EnvelopeRow, 'recipient' | 'recipients'>): string[] =>
  recipients === null ? [recipient] : JSON.parse(recipients)
