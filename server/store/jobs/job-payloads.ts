import type { AcceptedMessage } from '../../envelope.ts'
import type { Tenant } from '../schema/values.ts'

/** The tasks of the queue, and the payload that a job of each is given. Payloads are stored as JSON. */
export interface JobPayloads extends Record<TaskWithoutPayload, Record<string, never>> {
  /** PostgreSQL reads `size`: `engines/postgres/open.ts`. */
  'parse-message': AcceptedMessage
  'discard-message': { messageId: string }
  'authenticate-message': { messageId: string }
  'deliver-mail': { deliveryId: string }
  'deliver-webhook': { deliveryId: string }
  'verify-domain': { domainId: string }
  'expire-address': { addressId: string }
  'purge-address': { addressId: string, owner: Tenant }
  'purge-mailbox': { addressId: string }
  'trim-mailbox': { addressId: string }
  /** `eventsAfter`: the number of the last event that was examined; null when all are. */
  'purge-account': { accountId: string, eventsAfter: number | null }
  'bind-addresses': { domainId: string }
  'give-up-deliveries': { webhookId: string, before: string }
  'purge-deliveries': { accountId: string, webhookId: string }
  'send-sign-in-link': { linkId: string }
  'sweep': SweepState
  'move-sources': MoveState
}

export type TaskName = keyof JobPayloads

/** Tasks that find their work in the database. */
export type TaskWithoutPayload = 'purge-messages' | 'shrink-database' | 'remove-segments'

/** Sources that wait in the database for their store. */
export interface WaitingSources {
  mails: number
  bytes: number
}

/** Progress of the job that moves sources to their store; empty at the beginning. Nodes read what waits by it. */
export interface MoveState {
  /** Ids up to this one, or its beginning, were examined: their sources have left the database, except of mail that was not published. */
  after?: string
  /** When all ids were examined last, in milliseconds since 1970. */
  examinedAllAt?: number
  /** The sources that wait of mails whose ids follow `after`, as counted at a time in milliseconds since 1970. */
  waiting?: WaitingSources & { after: string, countedAt: number }
  /** Attempts in a row for which the store was unavailable. */
  failures?: number
}

/** Progress of a sweep over the emails; empty at the beginning of a round. */
export interface SweepState {
  /** Id of the last email that was checked. */
  after?: string
  /** Start of this round, in milliseconds since 1970. */
  begun?: number
  /** Some of the checked emails were kept and have to be checked again. */
  isPartial?: boolean
}
