// This file is made from the document by `npm run generate`

import type * as sdk from '../../sdk/generated/types.gen.ts'
import type { Json } from './json.ts'

export type Address = Json<sdk.Address>
export type AddressCreated = Json<sdk.AddressCreated>
export type AddressForwarding = Json<sdk.AddressForwarding>
export type AddressCreate = Json<sdk.AddressCreate>
export type Deleted = Json<sdk.Deleted>
export type Message = Json<sdk.Message>
export type EmailType = Json<sdk.EmailType>
export type EmailStatus = Json<sdk.EmailStatus>
export type EmailSummary = Json<sdk.EmailSummary>
export type Email = Json<sdk.Email>
export type Authentication = Json<sdk.Authentication>
export type EmailForwarding = Json<sdk.EmailForwarding>
export type Attachment = Json<sdk.Attachment>
export type Link = Json<sdk.Link>
export type EmailSend = Json<sdk.EmailSend>
export type TestEmailCreate = Json<sdk.TestEmailCreate>
export type EmailUpdate = Json<sdk.EmailUpdate>
export type Domain = Json<sdk.Domain>
export type DomainCreated = Json<sdk.DomainCreated>
export type DnsRecords = Json<sdk.DnsRecords>
export type DomainCreate = Json<sdk.DomainCreate>
export type ForwardingAddress = Json<sdk.ForwardingAddress>
export type ForwardingAddressCreated = Json<sdk.ForwardingAddressCreated>
export type ForwardingAddressCreate = Json<sdk.ForwardingAddressCreate>
export type ForwardingRule = Json<sdk.ForwardingRule>
export type ForwardingRuleUpdate = Json<sdk.ForwardingRuleUpdate>
export type Analytics = Json<sdk.Analytics>
export type AnalyticsDay = Json<sdk.AnalyticsDay>
export type AuditLog = Json<sdk.AuditLog>
export type WebhookEvent = Json<sdk.WebhookEvent>
export type Webhook = Json<sdk.Webhook>
export type WebhookDelivery = Json<sdk.WebhookDelivery>
export type WebhookCreated = Json<sdk.WebhookCreated>
export type WebhookCreate = Json<sdk.WebhookCreate>
export type WebhookUpdate = Json<sdk.WebhookUpdate>
export type EmailReceivedEvent = Json<sdk.EmailReceivedEvent>
export type EmailDeletedEvent = Json<sdk.EmailDeletedEvent>
export type AddressCreatedEvent = Json<sdk.AddressCreatedEvent>
export type AddressExpiredEvent = Json<sdk.AddressExpiredEvent>
export type AddressDeletedEvent = Json<sdk.AddressDeletedEvent>
export type AddressEventData = Json<sdk.AddressEventData>
export type Scope = Json<sdk.Scope>
export type ErrorCode = Json<sdk.ErrorCode>
export type ErrorBody = Json<sdk.ErrorBody>
