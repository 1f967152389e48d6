// This file is made from the document by `npm run generate`

import type * as types from './types.gen.ts'

/** The method and path of each operation. */
export const operations = {
  'addresses.list': 'GET /api/v1/addresses',
  'addresses.create': 'POST /api/v1/addresses',
  'addresses.get': 'GET /api/v1/addresses/{id}',
  'addresses.delete': 'DELETE /api/v1/addresses/{id}',
  'addresses.createSmtpLogin': 'POST /api/v1/addresses/{id}/smtp-login',
  'addresses.deleteSmtpLogin': 'DELETE /api/v1/addresses/{id}/smtp-login',
  'addresses.activity': 'GET /api/v1/addresses/{id}/activity',
  'addresses.getSmtpFaults': 'GET /api/v1/addresses/{id}/smtp-faults',
  'addresses.setSmtpFaults': 'PUT /api/v1/addresses/{id}/smtp-faults',
  'addresses.clearSmtpFaults': 'DELETE /api/v1/addresses/{id}/smtp-faults',
  'forwardingRules.get': 'GET /api/v1/addresses/{addressId}/forwarding',
  'forwardingRules.update': 'PATCH /api/v1/addresses/{addressId}/forwarding',
  'emails.list': 'GET /api/v1/emails',
  'emails.send': 'POST /api/v1/emails',
  'emails.get': 'GET /api/v1/emails/{id}',
  'emails.update': 'PATCH /api/v1/emails/{id}',
  'emails.delete': 'DELETE /api/v1/emails/{id}',
  'emails.restore': 'POST /api/v1/emails/{id}/restore',
  'emails.bounce': 'POST /api/v1/emails/{id}/bounce',
  'emails.complain': 'POST /api/v1/emails/{id}/complain',
  'emails.forward': 'POST /api/v1/emails/{id}/forward',
  'emails.changeAll': 'POST /api/v1/emails/actions',
  'emails.wait': 'GET /api/v1/emails/wait',
  'emails.raw': 'GET /api/v1/emails/{id}/raw',
  'emails.checks': 'GET /api/v1/emails/{id}/checks',
  'emails.attachment': 'GET /api/v1/emails/{emailId}/attachments/{attachmentId}',
  'domains.list': 'GET /api/v1/domains',
  'domains.create': 'POST /api/v1/domains',
  'domains.update': 'PATCH /api/v1/domains/{id}',
  'domains.delete': 'DELETE /api/v1/domains/{id}',
  'domains.verify': 'POST /api/v1/domains/{id}/verify',
  'forwardingAddresses.list': 'GET /api/v1/forwarding-addresses',
  'forwardingAddresses.create': 'POST /api/v1/forwarding-addresses',
  'forwardingAddresses.get': 'GET /api/v1/forwarding-addresses/{id}',
  'forwardingAddresses.delete': 'DELETE /api/v1/forwarding-addresses/{id}',
  'forwardingAddresses.resendVerification': 'POST /api/v1/forwarding-addresses/{id}/resend-verification',
  'analytics.get': 'GET /api/v1/analytics',
  'analytics.daily': 'GET /api/v1/analytics/daily',
  'auditLogs.list': 'GET /api/v1/audit-logs',
  'events.stream': 'GET /api/v1/events',
  'test.createEmail': 'POST /api/v1/test/emails',
  'webhooks.list': 'GET /api/v1/webhooks',
  'webhooks.create': 'POST /api/v1/webhooks',
  'webhooks.get': 'GET /api/v1/webhooks/{id}',
  'webhooks.update': 'PATCH /api/v1/webhooks/{id}',
  'webhooks.delete': 'DELETE /api/v1/webhooks/{id}',
  'webhooks.test': 'POST /api/v1/webhooks/{id}/test',
  'webhooks.rotateSecret': 'POST /api/v1/webhooks/{id}/rotate-secret',
  'webhooks.deliveries': 'GET /api/v1/webhooks/{id}/deliveries',
  'webhooks.redeliver': 'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver',
}

/** The types of the parameters and of the answer of each operation. */
export interface Operations {
  'addresses.list': { input: types.AddressesListData, answer: types.AddressesListResponses[200] }
  'addresses.create': { input: types.AddressesCreateData, answer: types.AddressesCreateResponses[201] }
  'addresses.get': { input: types.AddressesGetData, answer: types.AddressesGetResponses[200] }
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
}
