export type { RateLimit } from './answers.ts'
export type { EmailListQuery, EmailPage } from './email-list.ts'
export {
  ApiError, AuthenticationError, ConflictError, InvalidRequestError, MayflyError, NetworkError, NotFoundError,
  PermissionError, RateLimitError, ServerError, TimeoutError, UnexpectedAnswerError,
} from './errors.ts'
export type {
  Address, AddressCreate, AddressCreated, AddressCreatedEvent, AddressDeletedEvent, AddressEventData,
  AddressExpiredEvent, AddressForwarding, Analytics, AnalyticsDay, Attachment, AuditLog, Deleted, DnsRecords, Domain, DomainCreate,
  DomainCreated, Email, EmailDeletedEvent, EmailReceivedEvent, EmailSend, EmailStatus, EmailSummary, EmailType,
  EmailUpdate, ErrorBody, ErrorCode, EventName, ForwardingAddress, ForwardingAddressCreate, ForwardingAddressCreated,
  ForwardingRule, ForwardingRuleUpdate, Link, Message, Scope, TestEmailCreate, Webhook, WebhookCreate, WebhookCreated,
  WebhookEvent, WebhookUpdate,
} from './generated/types.gen.ts'
export type { MayflyEvent } from './events/event.ts'
export type { SubscribeOptions } from './events/subscribe.ts'
export type { After } from './ids.ts'
export type { Inbox } from './inboxes.ts'
export { Mayfly } from './mayfly.ts'
export type { AnalyticsDailyQuery, AuditLogListQuery, AuditLogPage } from './operations/account.ts'
export type { AddressListQuery, AddressPage } from './operations/addresses.ts'
export type { DomainChecked } from './operations/domains.ts'
export type { FileOptions } from './operations/emails.ts'
export type { ForwardingAddressListQuery, ForwardingAddressPage } from './operations/forwarding-addresses.ts'
export type { Hooks, MayflyOptions, RequestEvent, RequestOptions, ResponseEvent, RetryEvent } from './options.ts'
export type { MayflyList } from './pages.ts'
export type { Answer, MayflyPromise } from './promise.ts'
export type { EmailWaitQuery, EmailWaitResult, WaitForOptions } from './wait-for/options.ts'
export type { WebhookBody } from './webhooks/body.ts'
export { WebhookVerificationError } from './webhooks/error.ts'
export type { WebhookHeaders } from './webhooks/headers.ts'
export * as webhooks from './webhooks/index.ts'
export type { WebhookPayload } from './webhooks/payload.ts'
export type { WebhookDraft, WebhookSignOptions } from './webhooks/sign.ts'
export type { WebhookVerifyOptions } from './webhooks/verify.ts'
