import type { SMTPServerSession } from 'smtp-server'
import type { Refused } from '../activity.ts'
import { clientNetwork } from '../network.ts'
import type { SmtpClient } from './client-limits.ts'
import { reasonOf } from './replies.ts'

/** A refusal. Those without a stage, such as of a malformed command, are counted and have no line in the log. */
export type SmtpRefusal = Omit<Refused, 'kind' | 'stage'> & { stage: Refused['stage'] | undefined }

/** The part that a reply refuses: a sender, a recipient or a mail. `from` is absent when it is that of the session. */
export type RefusedPart = Pick<SmtpRefusal, 'stage' | 'addresses' | 'bytes' | 'ms'> & {
  from?: string
  /** In place of the text of the reply, where a user has chosen that: texts of the log are constants. */
  text?: string
  /** In place of the one that the code of the reply says. */
  reason?: SmtpRefusal['reason']
}

type Client = Pick<SmtpClient, 'address'>

const nothing: RefusedPart = { stage: undefined, addresses: [], bytes: 0, ms: 0 }

/** The stage of refusals that smtp-server makes itself; none for a fault of the protocol or the end of a session. */
const stageOf = new Map<SmtpRefusal['reason'], Refused['stage']>([['too_many_recipients', 'recipient'], ['too_large', 'sender']])

/**
 * A refusal within a session.
 * @param outcome the code of the reply
 * @param context smtp-server's name of the case, where it has one
 */
export function refusalOf(
  client: Client & { session: Partial<Pick<SMTPServerSession, 'envelope'>> }, outcome: number | 'lost', text: string | string[] | null | undefined,
  part: Partial<RefusedPart>, context?: string | false,
): SmtpRefusal {
  const reason = part.reason ?? (outcome === 'lost' ? outcome : reasonOf(outcome, context))
  const { mailFrom } = client.session.envelope ?? {}
  return {
    ...nothing, stage: stageOf.get(reason), from: mailFrom ? mailFrom.address : '', text: String(text ?? ''), ...part, reason, outcome,
    remoteAddress: client.address, network: clientNetwork(client.address),
  }
}

/** A refusal of a connection, before its session. */
export const refusalOfConnection = ({ address }: Client, text: string): SmtpRefusal =>
  ({ ...nothing, stage: 'connection', reason: reasonOf(421), outcome: 421, text, from: '', remoteAddress: address, network: clientNetwork(address) })
