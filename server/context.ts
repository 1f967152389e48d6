import type { Logger } from 'pino'
import type { Activity } from './activity.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { EmailChecks, Scope, SmtpLogin } from './contract/types.gen.ts'
import type { DialectName } from './dialects/dialects.ts'
import type { AcceptedMessage, Arriving } from './envelope.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { NewMail } from './mime/write/compose.ts'
import type { AcmeClient } from './outbound/acme.ts'
import type { Cells } from './outbound/cells.ts'
import type { Resolver } from './outbound/dns.ts'
import type { LinkRequests } from './outbound/link-status.ts'
import type { MtaSts } from './outbound/mta-sts.ts'
import type { OpenId } from './outbound/open-id.ts'
import type { WebhookSender } from './outbound/webhook.ts'
import type { ChangeRecords } from './store/accounts/idempotency-keys.ts'
import type { Share } from './store/addresses/share-links.ts'
import type { Database } from './store/database.ts'
import type { Feed } from './store/events/feed.ts'
import type { Claim } from './store/jobs/claims.ts'
import type { WaitingSources } from './store/jobs/job-payloads.ts'
import type { Owner, Plan, Role, Tenant } from './store/schema/values.ts'
import type { SearchQuery } from './store/search/search-query.ts'
import type { FoundEmails, SearchFilter } from './store/search/search.ts'

export type { OtherCell } from './outbound/other-cell.ts'
export type { CellMail } from './outbound/cell-mail.ts'
export type { Cells, FoundCell, LookedUp } from './outbound/cells.ts'

/** Parses and stores mail, in threads of its own. */
export interface Intake {
  /** Starts the threads for small mail. Called when mail is likely soon: without it the first mail waits for them. */
  prepare(): void
  /**
   * Sends a mail through the threads for small mail. It leaves no trace, since its address does not exist: but for it, the first mail would
   * take ten times as long as the tenth. Called when a server has started, and is idle.
   */
  warmUp(): Promise<void>
  /**
   * Parses, stores and publishes a mail that is in memory.
   * @param source its bytes, in pieces
   * @param records written in the same transaction
   * @returns whether it is on disk; false when its thread has ended without an answer, or it is left to a job
   * @throws AppError `STORAGE_FULL`; `CONFLICT` when the key of the records is stored already
   */
  store(message: AcceptedMessage, source: Uint8Array[], records?: ChangeRecords): Promise<boolean>
  /**
   * Stores the first chunk of a mail. Resolves when it is on disk. The buffer is transferred to a thread, and empty here.
   * @param sender IP address of the client; senders are served in rotation
   * @param now milliseconds since 1970
   * @returns the id of the job that discards the chunks unless the mail is accepted
   * @throws AppError `STORAGE_FULL`
   */
  storeFirstChunk(sender: string, chunk: SourceChunk, now: number): Promise<string>
  /** Stores a further chunk. @see storeFirstChunk */
  storeChunk(sender: string, chunk: SourceChunk): Promise<void>
  /** Accepts a mail whose chunks are stored: a job parses it. @throws AppError `STORAGE_FULL`, `CONFLICT` as `store` does */
  acceptStored(sender: string, mail: StoredMail, now: number): Promise<void>
  /** Composes a long mail in a thread. @returns its bytes */
  compose(accountId: string, mail: NewMail): Promise<Uint8Array>
  /**
   * Composes, signs and stores a long mail in a thread.
   * @param now milliseconds since 1970
   * @throws AppError `STORAGE_FULL`
   */
  storeComposed(accountId: string, mail: NewMail, now: number): Promise<UnshownMessage>
  /**
   * Publishes a mail whose source is stored.
   * @param problem why only its header is read; null to read the whole mail
   * @param claim of the job that publishes it
   * @returns whether it is published; false when the mail exceeded the limits of time or memory
   * @throws ClaimLost
   */
  publish(message: AcceptedMessage, problem: string | null, claim: Claim): Promise<boolean>
  /**
   * Authenticates a received mail (SPF, DKIM, DMARC), makes an ARC seal if it is forwarded, records both, and completes the job.
   * @param claim of that job
   * @returns whether that is done; false when the mail exceeded the limits of time or memory
   * @throws ClaimLost, AppError `STORAGE_FULL`
   */
  authenticate(claim: Claim, messageId: string): Promise<boolean>
  /**
   * Finds emails by a query, or by the envelope alone, when the mails of the owner are in the index, for which it waits for five seconds at
   * most.
   */
  search(owner: Owner, query: SearchQuery | undefined, filter: SearchFilter): Promise<FoundEmails>
  /** Checks an email in a thread. @returns undefined when this owner has no such email */
  check(owner: Owner, emailId: string): Promise<EmailChecks | undefined>
  /** Whether all present mails of the owner are in the index, or have come there within five seconds. */
  isIndexed(owner: Tenant): Promise<boolean>
}

/** A chunk of the source of a mail that is stored before it is parsed. */
export interface SourceChunk {
  messageId: string
  seq: number
  bytes: Uint8Array<ArrayBuffer>
}

/** A mail whose source is stored in chunks. */
export interface StoredMail {
  message: AcceptedMessage
  /** The job that discards the chunks unless it is canceled, by the transaction that accepts the mail. */
  discardJobId: string
  /** Written in the transaction that accepts the mail. */
  records: ChangeRecords | undefined
}

/** A stored message without an email. */
export interface UnshownMessage {
  messageId: string
  /** Bytes of its source. */
  size: number
  /** The id of the job that discards the message. The transaction that adds its email cancels this job. */
  discardJobId: string
}

/** Access to other hosts, for mail and webhooks. */
interface Network {
  resolver: Resolver
  /** Without a cache: for records that may have been set just now. */
  freshResolver: Resolver
  /** TCP port of mail servers. */
  mxPort: number
  /** The MTA-STS policies of the domains of recipients. */
  mtaStsPolicies: MtaSts
  webhooks: WebhookSender
  /** Requests the links of mails. */
  links: LinkRequests
  /** Signs people in; null without a provider. */
  openId: OpenId | null
  /** The other cells of the service; null without. */
  cells: Cells | null
  /** The authority that issues the certificate of SMTP; null without. */
  acme: AcmeClient | null
}

/** Passed to every handler, SMTP callback and task. */
export interface App {
  config: Config
  log: Logger
  clock: Clock
  db: Database
  /** This process among those that use the database; its id changes when others have counted it as dead. */
  node: { readonly id: string }
  /** Committed events, for waits and streams. */
  feed: Feed
  intake: Intake
  network: Network
  metrics: Metrics
  /** The events of mail and webhooks, for the log and for `mayfly tail`. */
  activity: Activity
  /** The last uses of API keys. */
  keyUses: { record(apiKeyId: string): void }
  /** The last uses of sessions of the dashboard, which extend them. */
  sessionUses: { record(sessionId: string): void }
  /** The URL by which clients reach the API, without a final slash; links in mail begin with it. */
  baseUrl(): string
  /** TCP port at which mail is received. */
  smtpPort(): number
  /** The port for logins that is best protected. */
  loginPort(): { port: number, security: SmtpLogin['security'] }
  /** The HMAC key of return paths, loop headers and event ids. */
  secret: Buffer
  /** Aborted before the server closes: balancers are to send no more to it. */
  draining: AbortSignal
  /** Aborted when the server closes; ends requests to other hosts. */
  closing: AbortSignal
  /** Accepted emails that are not published yet, by id; of several nodes, those in the memory of this one. */
  arriving: Arriving
  /** Free bytes of the file system that holds the database. */
  freeBytes(): Promise<number>
  /** The sources of mail that wait for their store; none without one. */
  waitingSources(): Promise<WaitingSources>
  /** Subtracts bytes that are about to be stored from the free ones. */
  takeSpace(bytes: number): void
}

/** The App without its database: a change gets them with its transaction, and cannot begin another one. */
export type Services = Omit<App, 'db'>

/** The person of a session, in its account. */
export interface MemberOfCall {
  email: string
  role: Role
  /** False where the session began with an invitation, which others saw. */
  isProven: boolean
}

/** The account and the permissions of a request: of its API key, its session, or its share link. */
export interface Caller extends Owner {
  /** Null without a key. */
  apiKeyId: string | null
  /** Null without a session. */
  sessionId: string | null
  /** The person of a session; null for an API key. */
  member: MemberOfCall | null
  plan: Plan
  scopes: Scope[]
  /** Of the request. */
  dialect: DialectName
  /** Of a request by the link of a shared inbox, which has neither key nor session. */
  share?: Share
}
