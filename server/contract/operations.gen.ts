// This file is made from the document by `npm run generate`

import type {
  AddressesCreateData,
  AddressesCreateResponses,
  AddressesDeleteData,
  AddressesDeleteResponses,
  AddressesGetData,
  AddressesGetResponses,
  AddressesListData,
  AddressesListResponses,
  AnalyticsDailyData,
  AnalyticsDailyResponses,
  AnalyticsGetData,
  AnalyticsGetResponses,
  AuditLogsListData,
  AuditLogsListResponses,
  DomainsCreateData,
  DomainsCreateResponses,
  DomainsDeleteData,
  DomainsDeleteResponses,
  DomainsListData,
  DomainsListResponses,
  DomainsVerifyData,
  DomainsVerifyResponses,
  EmailsAttachmentData,
  EmailsAttachmentResponses,
  EmailsDeleteData,
  EmailsDeleteResponses,
  EmailsGetData,
  EmailsGetResponses,
  EmailsListData,
  EmailsListResponses,
  EmailsRawData,
  EmailsRawResponses,
  EmailsSendData,
  EmailsSendResponses,
  EmailsUpdateData,
  EmailsUpdateResponses,
  EmailsWaitData,
  EmailsWaitResponses,
  EventsStreamData,
  EventsStreamResponses,
  ForwardingAddressesCreateData,
  ForwardingAddressesCreateResponses,
  ForwardingAddressesDeleteData,
  ForwardingAddressesDeleteResponses,
  ForwardingAddressesGetData,
  ForwardingAddressesGetResponses,
  ForwardingAddressesListData,
  ForwardingAddressesListResponses,
  ForwardingAddressesResendVerificationData,
  ForwardingAddressesResendVerificationResponses,
  ForwardingRulesGetData,
  ForwardingRulesGetResponses,
  ForwardingRulesUpdateData,
  ForwardingRulesUpdateResponses,
  TestCreateEmailData,
  TestCreateEmailResponses,
  WebhooksCreateData,
  WebhooksCreateResponses,
  WebhooksDeleteData,
  WebhooksDeleteResponses,
  WebhooksDeliveriesData,
  WebhooksDeliveriesResponses,
  WebhooksGetData,
  WebhooksGetResponses,
  WebhooksListData,
  WebhooksListResponses,
  WebhooksRedeliverData,
  WebhooksRedeliverResponses,
  WebhooksRotateSecretData,
  WebhooksRotateSecretResponses,
  WebhooksTestData,
  WebhooksTestResponses,
  WebhooksUpdateData,
  WebhooksUpdateResponses,
} from './types.gen.ts'

/** What the router needs to know of each operation. */
export const operations = {
  'addresses.list': { method: 'get', path: '/api/v1/addresses', scope: 'emails:read', status: 200, isStream: false },
  'addresses.create': { method: 'post', path: '/api/v1/addresses', scope: 'emails:write', status: 201, isStream: false },
  'addresses.get': { method: 'get', path: '/api/v1/addresses/{id}', scope: 'emails:read', status: 200, isStream: false },
  'addresses.delete': { method: 'delete', path: '/api/v1/addresses/{id}', scope: 'emails:write', status: 200, isStream: false },
  'forwardingRules.get': { method: 'get', path: '/api/v1/addresses/{addressId}/forwarding', scope: 'forwarding:manage', status: 200, isStream: false },
  'forwardingRules.update': { method: 'patch', path: '/api/v1/addresses/{addressId}/forwarding', scope: 'forwarding:manage', status: 200, isStream: false },
  'emails.list': { method: 'get', path: '/api/v1/emails', scope: 'emails:read', status: 200, isStream: false },
  'emails.send': { method: 'post', path: '/api/v1/emails', scope: 'emails:write', status: 202, isStream: false },
  'emails.get': { method: 'get', path: '/api/v1/emails/{id}', scope: 'emails:read', status: 200, isStream: false },
  'emails.update': { method: 'patch', path: '/api/v1/emails/{id}', scope: 'emails:write', status: 200, isStream: false },
  'emails.delete': { method: 'delete', path: '/api/v1/emails/{id}', scope: 'emails:write', status: 200, isStream: false },
  'emails.wait': { method: 'get', path: '/api/v1/emails/wait', scope: 'emails:read', status: 200, isStream: false },
  'emails.raw': { method: 'get', path: '/api/v1/emails/{id}/raw', scope: 'emails:read', status: 200, isStream: false },
  'emails.attachment': { method: 'get', path: '/api/v1/emails/{emailId}/attachments/{attachmentId}', scope: 'emails:read', status: 200, isStream: false },
  'domains.list': { method: 'get', path: '/api/v1/domains', scope: 'domains:read', status: 200, isStream: false },
  'domains.create': { method: 'post', path: '/api/v1/domains', scope: 'domains:manage', status: 201, isStream: false },
  'domains.delete': { method: 'delete', path: '/api/v1/domains/{id}', scope: 'domains:manage', status: 200, isStream: false },
  'domains.verify': { method: 'post', path: '/api/v1/domains/{id}/verify', scope: 'domains:manage', status: 200, isStream: false },
  'forwardingAddresses.list': { method: 'get', path: '/api/v1/forwarding-addresses', scope: 'forwarding:manage', status: 200, isStream: false },
  'forwardingAddresses.create': { method: 'post', path: '/api/v1/forwarding-addresses', scope: 'forwarding:manage', status: 201, isStream: false },
  'forwardingAddresses.get': { method: 'get', path: '/api/v1/forwarding-addresses/{id}', scope: 'forwarding:manage', status: 200, isStream: false },
  'forwardingAddresses.delete': { method: 'delete', path: '/api/v1/forwarding-addresses/{id}', scope: 'forwarding:manage', status: 200, isStream: false },
  'forwardingAddresses.resendVerification': { method: 'post', path: '/api/v1/forwarding-addresses/{id}/resend-verification', scope: 'forwarding:manage', status: 200, isStream: false },
  'analytics.get': { method: 'get', path: '/api/v1/analytics', scope: 'analytics:read', status: 200, isStream: false },
  'analytics.daily': { method: 'get', path: '/api/v1/analytics/daily', scope: 'analytics:read', status: 200, isStream: false },
  'auditLogs.list': { method: 'get', path: '/api/v1/audit-logs', scope: 'analytics:read', status: 200, isStream: false },
  'events.stream': { method: 'get', path: '/api/v1/events', scope: 'emails:read', status: 200, isStream: true },
  'test.createEmail': { method: 'post', path: '/api/v1/test/emails', scope: 'emails:write', status: 201, isStream: false },
  'webhooks.list': { method: 'get', path: '/api/v1/webhooks', scope: 'webhooks:manage', status: 200, isStream: false },
  'webhooks.create': { method: 'post', path: '/api/v1/webhooks', scope: 'webhooks:manage', status: 201, isStream: false },
  'webhooks.get': { method: 'get', path: '/api/v1/webhooks/{id}', scope: 'webhooks:manage', status: 200, isStream: false },
  'webhooks.update': { method: 'patch', path: '/api/v1/webhooks/{id}', scope: 'webhooks:manage', status: 200, isStream: false },
  'webhooks.delete': { method: 'delete', path: '/api/v1/webhooks/{id}', scope: 'webhooks:manage', status: 200, isStream: false },
  'webhooks.test': { method: 'post', path: '/api/v1/webhooks/{id}/test', scope: 'webhooks:manage', status: 202, isStream: false },
  'webhooks.rotateSecret': { method: 'post', path: '/api/v1/webhooks/{id}/rotate-secret', scope: 'webhooks:manage', status: 200, isStream: false },
  'webhooks.deliveries': { method: 'get', path: '/api/v1/webhooks/{id}/deliveries', scope: 'webhooks:manage', status: 200, isStream: false },
  'webhooks.redeliver': { method: 'post', path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', scope: 'webhooks:manage', status: 202, isStream: false },
} as const

/** What goes in and comes out of each operation. */
export interface Operations {
  'addresses.list': { input: AddressesListData, reply: AddressesListResponses[200] }
  'addresses.create': { input: AddressesCreateData, reply: AddressesCreateResponses[201] }
  'addresses.get': { input: AddressesGetData, reply: AddressesGetResponses[200] }
  'addresses.delete': { input: AddressesDeleteData, reply: AddressesDeleteResponses[200] }
  'forwardingRules.get': { input: ForwardingRulesGetData, reply: ForwardingRulesGetResponses[200] }
  'forwardingRules.update': { input: ForwardingRulesUpdateData, reply: ForwardingRulesUpdateResponses[200] }
  'emails.list': { input: EmailsListData, reply: EmailsListResponses[200] }
  'emails.send': { input: EmailsSendData, reply: EmailsSendResponses[202] }
  'emails.get': { input: EmailsGetData, reply: EmailsGetResponses[200] }
  'emails.update': { input: EmailsUpdateData, reply: EmailsUpdateResponses[200] }
  'emails.delete': { input: EmailsDeleteData, reply: EmailsDeleteResponses[200] }
  'emails.wait': { input: EmailsWaitData, reply: EmailsWaitResponses[200] }
  'emails.raw': { input: EmailsRawData, reply: EmailsRawResponses[200] }
  'emails.attachment': { input: EmailsAttachmentData, reply: EmailsAttachmentResponses[200] }
  'domains.list': { input: DomainsListData, reply: DomainsListResponses[200] }
  'domains.create': { input: DomainsCreateData, reply: DomainsCreateResponses[201] }
  'domains.delete': { input: DomainsDeleteData, reply: DomainsDeleteResponses[200] }
  'domains.verify': { input: DomainsVerifyData, reply: DomainsVerifyResponses[200] }
  'forwardingAddresses.list': { input: ForwardingAddressesListData, reply: ForwardingAddressesListResponses[200] }
  'forwardingAddresses.create': { input: ForwardingAddressesCreateData, reply: ForwardingAddressesCreateResponses[201] }
  'forwardingAddresses.get': { input: ForwardingAddressesGetData, reply: ForwardingAddressesGetResponses[200] }
  'forwardingAddresses.delete': { input: ForwardingAddressesDeleteData, reply: ForwardingAddressesDeleteResponses[200] }
  'forwardingAddresses.resendVerification': { input: ForwardingAddressesResendVerificationData, reply: ForwardingAddressesResendVerificationResponses[200] }
  'analytics.get': { input: AnalyticsGetData, reply: AnalyticsGetResponses[200] }
  'analytics.daily': { input: AnalyticsDailyData, reply: AnalyticsDailyResponses[200] }
  'auditLogs.list': { input: AuditLogsListData, reply: AuditLogsListResponses[200] }
  'events.stream': { input: EventsStreamData, reply: EventsStreamResponses[200] }
  'test.createEmail': { input: TestCreateEmailData, reply: TestCreateEmailResponses[201] }
  'webhooks.list': { input: WebhooksListData, reply: WebhooksListResponses[200] }
  'webhooks.create': { input: WebhooksCreateData, reply: WebhooksCreateResponses[201] }
  'webhooks.get': { input: WebhooksGetData, reply: WebhooksGetResponses[200] }
  'webhooks.update': { input: WebhooksUpdateData, reply: WebhooksUpdateResponses[200] }
  'webhooks.delete': { input: WebhooksDeleteData, reply: WebhooksDeleteResponses[200] }
  'webhooks.test': { input: WebhooksTestData, reply: WebhooksTestResponses[202] }
  'webhooks.rotateSecret': { input: WebhooksRotateSecretData, reply: WebhooksRotateSecretResponses[200] }
  'webhooks.deliveries': { input: WebhooksDeliveriesData, reply: WebhooksDeliveriesResponses[200] }
  'webhooks.redeliver': { input: WebhooksRedeliverData, reply: WebhooksRedeliverResponses[202] }
}

export type OperationId = keyof Operations
