export {
  ApiError, AuthenticationError, ConflictError, InvalidRequestError, MayflyError, NetworkError, NotFoundError,
  PermissionError, RateLimitError, ServerError, TimeoutError, UnexpectedAnswerError,
} from './core/errors.ts'
export type { After } from './core/ids.ts'
export type {
  Hooks, MayflyOptions, RawRequestOptions, RequestEvent, RequestOptions, ResponseEvent, RetryEvent,
} from './core/options.ts'
export type { ListItems, MayflyList } from './core/pages.ts'
export type { Answer, MayflyPromise } from './core/promise.ts'
export type { RateLimit } from './core/rate-limit.ts'
export type { MayflyEvent } from './events/event.ts'
export type { SubscribeOptions } from './events/subscribe.ts'
export type {
  Address, AddressCreate, AddressCreated, AddressCreatedEvent, AddressDeletedEvent, AddressEventData, AddressExpiredEvent,
  AddressForwarding, AddressPage, AddressUpdate, Analytics, AnalyticsDay, Attachment, AuditLog, AuditLogListAnswer, Authentication,
  AuthenticationCheck, CheckedLink, CheckResult, ClientsCheck, CodeDetail, Deleted,
  DkimResult, DmarcResult, DnsRecords, Domain, DomainCreate, DomainCreated, DomainUpdate, Email, EmailDeletedEvent, EmailDeletedEventData,
  EmailForwarding, EmailListAnswer, EmailReceivedEvent, EmailReceivedEventData, EmailStatus, EmailSummary, EmailType,
  ApiKey, ApiKeyBounds, ApiKeyBoundsCreate, ApiKeyCreate, ApiKeyCreated, GrantedScope,
  EmailBounce, EmailChecks, EmailEnvelope, EmailForward, EmailReport, EmailMarks, EmailUpdate, EmailUpdated, EmailChangeAll, EmailChanges,
  EmailWarning, ErrorBody, ErrorCode, ErrorDetail, EventBase, EventName,
  ForwardingAddress, ForwardingAddressCreate,
  ForwardingAddressCreated, ForwardingAddressPage, ForwardingRule, ForwardingRuleUpdate,
  ImagesCheck, Link, LinksCheck, Message, MxRecord, PagePosition, SizeCheck,
  Scope, SmtpActivity, SmtpActivityListAnswer, SmtpClient, SmtpFault, SmtpFaults, SmtpFaultStep, SmtpLogin, SmtpStage, SpfResult,
  TestEmailCreate, TextCheck, TxtRecord, UnsubscribeCheck, UsedFeature, Webhook, WebhookCreate, WebhookCreated, WebhookDelivery,
  WebhookDeliveryListAnswer, WebhookEvent, WebhookForm, WebhookUpdate,
} from './generated/types.gen.ts'
export { Mayfly, Mayfly as default } from './mayfly.ts'
export type { AddressListQuery } from './resources/addresses.ts'
export type { AnalyticsDailyQuery } from './resources/analytics.ts'
export type { AuditLogListQuery, AuditLogPage } from './resources/audit-logs.ts'
export type { DomainChecked } from './resources/domains.ts'
export type { EmailListQuery, EmailPage } from './resources/email-list.ts'
export type { EmailNew, EmailReply, EmailSend, FileSend } from './resources/email-send.ts'
export type { FileOptions } from './resources/emails.ts'
export type { ForwardingAddressListQuery } from './resources/forwarding-addresses.ts'
export type { Inbox, InboxLinkOptions, InboxWaitOptions } from './resources/inboxes.ts'
export type { EmailWaitQuery, EmailWaitResult, TextFilter, WaitForOptions } from './wait-for/options.ts'
export type { WebhookBody } from './webhooks/body.ts'
export { WebhookVerificationError } from './webhooks/error.ts'
export type { WebhookHeaders } from './webhooks/headers.ts'
export * as webhooks from './webhooks/index.ts'
export type { WebhookPayload } from './webhooks/payload.ts'
export type { WebhookDraft, WebhookSignOptions } from './webhooks/sign.ts'
export type { WebhookVerifyOptions } from './webhooks/verify.ts'
