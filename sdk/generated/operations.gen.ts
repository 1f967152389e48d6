// This file is made from the document by `npm run generate`

import type * as types from './types.gen.ts'

/** The method of each operation, and its path behind `/api/v1`. */
export const operations = {
  'addresses.list': 'GET /addresses',
  'addresses.create': 'POST /addresses',
  'addresses.get': 'GET /addresses/{id}',
  'addresses.update': 'PATCH /addresses/{id}',
  'addresses.delete': 'DELETE /addresses/{id}',
  'addresses.createSmtpLogin': 'POST /addresses/{id}/smtp-login',
  'addresses.deleteSmtpLogin': 'DELETE /addresses/{id}/smtp-login',
  'addresses.activity': 'GET /addresses/{id}/activity',
  'addresses.getSmtpFaults': 'GET /addresses/{id}/smtp-faults',
  'addresses.setSmtpFaults': 'PUT /addresses/{id}/smtp-faults',
  'addresses.clearSmtpFaults': 'DELETE /addresses/{id}/smtp-faults',
  'forwardingRules.get': 'GET /addresses/{addressId}/forwarding',
  'forwardingRules.update': 'PATCH /addresses/{addressId}/forwarding',
  'emails.list': 'GET /emails',
  'emails.send': 'POST /emails',
  'emails.get': 'GET /emails/{id}',
  'emails.update': 'PATCH /emails/{id}',
  'emails.delete': 'DELETE /emails/{id}',
  'emails.restore': 'POST /emails/{id}/restore',
  'emails.bounce': 'POST /emails/{id}/bounce',
  'emails.complain': 'POST /emails/{id}/complain',
  'emails.forward': 'POST /emails/{id}/forward',
  'emails.changeAll': 'POST /emails/actions',
  'emails.wait': 'GET /emails/wait',
  'emails.raw': 'GET /emails/{id}/raw',
  'emails.checks': 'GET /emails/{id}/checks',
  'emails.attachment': 'GET /emails/{emailId}/attachments/{attachmentId}',
  'domains.list': 'GET /domains',
  'domains.create': 'POST /domains',
  'domains.update': 'PATCH /domains/{id}',
  'domains.delete': 'DELETE /domains/{id}',
  'domains.verify': 'POST /domains/{id}/verify',
  'forwardingAddresses.list': 'GET /forwarding-addresses',
  'forwardingAddresses.create': 'POST /forwarding-addresses',
  'forwardingAddresses.get': 'GET /forwarding-addresses/{id}',
  'forwardingAddresses.delete': 'DELETE /forwarding-addresses/{id}',
  'forwardingAddresses.resendVerification': 'POST /forwarding-addresses/{id}/resend-verification',
  'analytics.get': 'GET /analytics',
  'analytics.daily': 'GET /analytics/daily',
  'auditLogs.list': 'GET /audit-logs',
  'events.stream': 'GET /events',
  'test.createEmail': 'POST /test/emails',
  'webhooks.list': 'GET /webhooks',
  'webhooks.create': 'POST /webhooks',
  'webhooks.get': 'GET /webhooks/{id}',
  'webhooks.update': 'PATCH /webhooks/{id}',
  'webhooks.delete': 'DELETE /webhooks/{id}',
  'webhooks.test': 'POST /webhooks/{id}/test',
  'webhooks.rotateSecret': 'POST /webhooks/{id}/rotate-secret',
  'webhooks.deliveries': 'GET /webhooks/{id}/deliveries',
  'webhooks.redeliver': 'POST /webhooks/{id}/deliveries/{deliveryId}/redeliver',
  'apiKeys.list': 'GET /api-keys',
  'apiKeys.create': 'POST /api-keys',
  'apiKeys.revoke': 'DELETE /api-keys/{id}',
}

/** The types of the parameters and of the answer of each operation. */
export interface Operations {
  'addresses.list': { input: types.AddressesListData, answer: types.AddressesListResponses[200] }
  'addresses.create': { input: types.AddressesCreateData, answer: types.AddressesCreateResponses[201] }
  'addresses.get': { input: types.AddressesGetData, answer: types.AddressesGetResponses[200] }
  'addresses.update': { input: types.AddressesUpdateData, answer: types.AddressesUpdateResponses[200] }
  'addresses.delete': { input: types.AddressesDeleteData, answer: types.AddressesDeleteResponses[200] }
  'addresses.createSmtpLogin': { input: types.AddressesCreateSmtpLoginData, answer: types.AddressesCreateSmtpLoginResponses[201] }
  'addresses.deleteSmtpLogin': { input: types.AddressesDeleteSmtpLoginData, answer: types.AddressesDeleteSmtpLoginResponses[200] }
  'addresses.activity': { input: types.AddressesActivityData, answer: types.AddressesActivityResponses[200] }
  'addresses.getSmtpFaults': { input: types.AddressesGetSmtpFaultsData, answer: types.AddressesGetSmtpFaultsResponses[200] }
  'addresses.setSmtpFaults': { input: types.AddressesSetSmtpFaultsData, answer: types.AddressesSetSmtpFaultsResponses[200] }
  'addresses.clearSmtpFaults': { input: types.AddressesClearSmtpFaultsData, answer: types.AddressesClearSmtpFaultsResponses[200] }
  'forwardingRules.get': { input: types.ForwardingRulesGetData, answer: types.ForwardingRulesGetResponses[200] }
  'forwardingRules.update': { input: types.ForwardingRulesUpdateData, answer: types.ForwardingRulesUpdateResponses[200] }
  'emails.list': { input: types.EmailsListData, answer: types.EmailsListResponses[200] }
  'emails.send': { input: types.EmailsSendData, answer: types.EmailsSendResponses[202] }
  'emails.get': { input: types.EmailsGetData, answer: types.EmailsGetResponses[200] }
  'emails.update': { input: types.EmailsUpdateData, answer: types.EmailsUpdateResponses[200] }
  'emails.delete': { input: types.EmailsDeleteData, answer: types.EmailsDeleteResponses[200] }
  'emails.restore': { input: types.EmailsRestoreData, answer: types.EmailsRestoreResponses[200] }
  'emails.bounce': { input: types.EmailsBounceData, answer: types.EmailsBounceResponses[201] }
  'emails.complain': { input: types.EmailsComplainData, answer: types.EmailsComplainResponses[201] }
  'emails.forward': { input: types.EmailsForwardData, answer: types.EmailsForwardResponses[202] }
  'emails.changeAll': { input: types.EmailsChangeAllData, answer: types.EmailsChangeAllResponses[200] }
  'emails.wait': { input: types.EmailsWaitData, answer: types.EmailsWaitResponses[200] }
  'emails.raw': { input: types.EmailsRawData, answer: types.EmailsRawResponses[200] }
  'emails.checks': { input: types.EmailsChecksData, answer: types.EmailsChecksResponses[200] }
  'emails.attachment': { input: types.EmailsAttachmentData, answer: types.EmailsAttachmentResponses[200] }
  'domains.list': { input: types.DomainsListData, answer: types.DomainsListResponses[200] }
  'domains.create': { input: types.DomainsCreateData, answer: types.DomainsCreateResponses[201] }
  'domains.update': { input: types.DomainsUpdateData, answer: types.DomainsUpdateResponses[200] }
  'domains.delete': { input: types.DomainsDeleteData, answer: types.DomainsDeleteResponses[200] }
  'domains.verify': { input: types.DomainsVerifyData, answer: types.DomainsVerifyResponses[200] }
  'forwardingAddresses.list': { input: types.ForwardingAddressesListData, answer: types.ForwardingAddressesListResponses[200] }
  'forwardingAddresses.create': { input: types.ForwardingAddressesCreateData, answer: types.ForwardingAddressesCreateResponses[201] }
  'forwardingAddresses.get': { input: types.ForwardingAddressesGetData, answer: types.ForwardingAddressesGetResponses[200] }
  'forwardingAddresses.delete': { input: types.ForwardingAddressesDeleteData, answer: types.ForwardingAddressesDeleteResponses[200] }
  'forwardingAddresses.resendVerification': { input: types.ForwardingAddressesResendVerificationData, answer: types.ForwardingAddressesResendVerificationResponses[200] }
  'analytics.get': { input: types.AnalyticsGetData, answer: types.AnalyticsGetResponses[200] }
  'analytics.daily': { input: types.AnalyticsDailyData, answer: types.AnalyticsDailyResponses[200] }
  'auditLogs.list': { input: types.AuditLogsListData, answer: types.AuditLogsListResponses[200] }
  'events.stream': { input: types.EventsStreamData, answer: types.EventsStreamResponses[200] }
  'test.createEmail': { input: types.TestCreateEmailData, answer: types.TestCreateEmailResponses[201] }
  'webhooks.list': { input: types.WebhooksListData, answer: types.WebhooksListResponses[200] }
  'webhooks.create': { input: types.WebhooksCreateData, answer: types.WebhooksCreateResponses[201] }
  'webhooks.get': { input: types.WebhooksGetData, answer: types.WebhooksGetResponses[200] }
  'webhooks.update': { input: types.WebhooksUpdateData, answer: types.WebhooksUpdateResponses[200] }
  'webhooks.delete': { input: types.WebhooksDeleteData, answer: types.WebhooksDeleteResponses[200] }
  'webhooks.test': { input: types.WebhooksTestData, answer: types.WebhooksTestResponses[202] }
  'webhooks.rotateSecret': { input: types.WebhooksRotateSecretData, answer: types.WebhooksRotateSecretResponses[200] }
  'webhooks.deliveries': { input: types.WebhooksDeliveriesData, answer: types.WebhooksDeliveriesResponses[200] }
  'webhooks.redeliver': { input: types.WebhooksRedeliverData, answer: types.WebhooksRedeliverResponses[202] }
  'apiKeys.list': { input: types.ApiKeysListData, answer: types.ApiKeysListResponses[200] }
  'apiKeys.create': { input: types.ApiKeysCreateData, answer: types.ApiKeysCreateResponses[201] }
  'apiKeys.revoke': { input: types.ApiKeysRevokeData, answer: types.ApiKeysRevokeResponses[200] }
}
