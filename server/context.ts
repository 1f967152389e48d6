import type { Logger } from 'pino'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Scope } from './contract/types.gen.ts'
import type { AcceptedMessage, ArrivingEmail } from './envelope.ts'
import type { NewMail } from './mime/write/compose.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { ChangeRecords } from './store/change-records.ts'
import type { Database } from './store/database.ts'
import type { Feed } from './store/feed.ts'
import type { Owner } from './store/owner.ts'
import type { Plan } from './store/schema.ts'
import type { AuthenticatedMail } from './outbound/mail-authentication.ts'
import type { Resolver } from './outbound/dns.ts'
import type { WebhookSender } from './outbound/webhook.ts'

/** Parses and stores mail, in threads of its own. */
export interface Intake {
  /**
   * Stores a short mail and shows it.
   * @param records written in the same transaction
   * @returns whether it is on disk; false when the thread is gone and cannot say
   * @throws AppError `STORAGE_FULL`; `CONFLICT` when the key of the records is stored already
   */
  store(message: AcceptedMessage, bytes: Uint8Array, records?: ChangeRecords): Promise<boolean>
  /**
   * Stores a piece of a long mail while it arrives. Resolves when it is on disk. The buffer is transferred to a thread, and empty here.
   * @param sender IP address of the client; senders of long mail are served in rotation
   * @throws AppError `STORAGE_FULL`
   */
  storeChunk(sender: string, chunk: { messageId: string, seq: number, bytes: Uint8Array<ArrayBuffer> }): Promise<void>
  /** Composes a long mail in a thread. @returns its bytes */
  compose(accountId: string, mail: NewMail): Promise<Uint8Array>
  /**
   * Composes, signs and stores a long mail in a thread.
   * @param now milliseconds since 1970
   * @throws AppError `STORAGE_FULL`
   */
  storeComposed(accountId: string, mail: NewMail, now: number): Promise<UnshownMessage>
  /**
   * Shows a mail whose source is stored.
   * @param problem why only its header is to be read; null to read all of it
   * @returns whether it is shown; false when the mail took more time or memory than it may
   */
  publish(message: AcceptedMessage, problem: string | null): Promise<boolean>
  /**
   * Finds out who vouches for a mail (SPF, DKIM, DMARC), and seals that if it is forwarded.
   * @returns false when the mail took more time or memory than it may
   */
  authenticate(messageId: string): Promise<AuthenticatedMail | false>
  /** Waits until the mails of an owner are in the search index, for five seconds at most. */
  indexed(owner: Owner): Promise<void>
}

/** A message that is on disk and that no email shows yet. */
export interface UnshownMessage {
  messageId: string
  /** Bytes of its source. */
  size: number
  /** The job that discards it. The transaction that shows the message completes this job. */
  discarding: string
}

/** How mail and events find their way to other hosts. */
export interface Network {
  resolver: Resolver
  /** Keeps no answers: for records that somebody may have set just now. */
  freshResolver: Resolver
  /** Where mail servers listen. */
  mxPort: number
  webhooks: WebhookSender
}

/** What every handler, SMTP callback and task is given. */
export interface App {
  config: Config
  log: Logger
  clock: Clock
  db: Database
  /** What happens, for the requests that wait for it. */
  feed: Feed
  intake: Intake
  network: Network
  metrics: Metrics
  /** The URL by which clients reach the API, without a final slash; links in mail begin with it. */
  baseUrl(): string
  /** Signs what only this server may have written. */
  secret: Buffer
  /** Aborted when the server closes; ends all waits for other hosts. */
  closing: AbortSignal
  /** Accepted emails that are not published yet, by id. */
  arriving: Map<string, ArrivingEmail>
  /** Free bytes where the database lies. */
  freeBytes(): Promise<number>
  /** Subtracts bytes that are about to be stored from the free ones. */
  takeSpace(bytes: number): void
}

/** Whose key a request carries. */
export interface Caller extends Owner {
  apiKeyId: string
  plan: Plan
  scopes: Scope[]
}
