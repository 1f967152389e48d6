export type { RequestOptions } from './call.ts'
export type { MayflyOptions } from './connection.ts'
export type { EmailListQuery, EmailPage } from './email-list.ts'
export {
  ApiError, AuthenticationError, ConflictError, InvalidRequestError, MayflyError, NetworkError, NotFoundError,
  PermissionError, RateLimitError, ServerError, TimeoutError, UnexpectedAnswerError,
} from './errors.ts'
export type {
  Address, AddressCreate, AddressCreated, AddressCreatedEvent, AddressDeletedEvent, AddressEventData,
  AddressExpiredEvent, AddressForwarding, Analytics, AnalyticsDay, Attachment, AuditLog, Deleted, DnsRecords, Domain, DomainCreate,
  DomainCreated, Email, EmailDeletedEvent, EmailReceivedEvent, EmailSend, EmailStatus, EmailSummary, EmailType,
  EmailUpdate, ErrorBody, ErrorCode, ForwardingAddress, ForwardingAddressCreate, ForwardingAddressCreated,
  ForwardingRule, ForwardingRuleUpdate, Link, Message, Scope, TestEmailCreate, Webhook, WebhookCreate, WebhookCreated,
  WebhookEvent, WebhookUpdate,
} from './generated/types.gen.ts'
export type { MayflyEvent } from './events/event.ts'
export type { SubscribeOptions } from './events/subscribe.ts'
export type { After } from './ids.ts'
export { Mayfly } from './mayfly.ts'
export type { AnalyticsDailyQuery, AuditLogListQuery, AuditLogPage } from './operations/account.ts'
export type { AddressListQuery, AddressPage } from './operations/addresses.ts'
export type { DomainChecked } from './operations/domains.ts'
export type { ForwardingAddressListQuery, ForwardingAddressPage } from './operations/forwarding-addresses.ts'
export type { WaitForOptions } from './wait-for/options.ts'
export type { EmailWaitQuery, EmailWaitResult } from './wait-for/search.ts'
