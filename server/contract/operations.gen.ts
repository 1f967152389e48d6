// This file is made from the document by `npm run generate`

import type * as dashboard from '../../dashboard/src/api/generated/types.gen.ts'
import type * as sdk from '../../sdk/generated/types.gen.ts'
import type { Json } from './json.ts'

/**
 * The method and path of each operation, the scope that a key needs (null where no key may call it), whether it is called without a key and
 * without a session, whether with the token of a share link alone, and the status of its success.
 */
export const operations = {
  'addresses.list': { method: 'get', path: '/api/v1/addresses', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.create': { method: 'post', path: '/api/v1/addresses', scope: 'emails:write', isPublic: false, isShared: false, status: 201, isStream: false },
  'addresses.get': { method: 'get', path: '/api/v1/addresses/{id}', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.update': { method: 'patch', path: '/api/v1/addresses/{id}', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.delete': { method: 'delete', path: '/api/v1/addresses/{id}', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.createSmtpLogin': { method: 'post', path: '/api/v1/addresses/{id}/smtp-login', scope: 'emails:write', isPublic: false, isShared: false, status: 201, isStream: false },
  'addresses.deleteSmtpLogin': { method: 'delete', path: '/api/v1/addresses/{id}/smtp-login', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.activity': { method: 'get', path: '/api/v1/addresses/{id}/activity', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.getSmtpFaults': { method: 'get', path: '/api/v1/addresses/{id}/smtp-faults', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.setSmtpFaults': { method: 'put', path: '/api/v1/addresses/{id}/smtp-faults', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'addresses.clearSmtpFaults': { method: 'delete', path: '/api/v1/addresses/{id}/smtp-faults', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'forwardingRules.get': { method: 'get', path: '/api/v1/addresses/{addressId}/forwarding', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'forwardingRules.update': { method: 'patch', path: '/api/v1/addresses/{addressId}/forwarding', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.list': { method: 'get', path: '/api/v1/emails', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.send': { method: 'post', path: '/api/v1/emails', scope: 'emails:write', isPublic: false, isShared: false, status: 202, isStream: false },
  'emails.get': { method: 'get', path: '/api/v1/emails/{id}', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.update': { method: 'patch', path: '/api/v1/emails/{id}', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.delete': { method: 'delete', path: '/api/v1/emails/{id}', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.restore': { method: 'post', path: '/api/v1/emails/{id}/restore', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.bounce': { method: 'post', path: '/api/v1/emails/{id}/bounce', scope: 'emails:write', isPublic: false, isShared: false, status: 201, isStream: false },
  'emails.complain': { method: 'post', path: '/api/v1/emails/{id}/complain', scope: 'emails:write', isPublic: false, isShared: false, status: 201, isStream: false },
  'emails.forward': { method: 'post', path: '/api/v1/emails/{id}/forward', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 202, isStream: false },
  'emails.changeAll': { method: 'post', path: '/api/v1/emails/actions', scope: 'emails:write', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.wait': { method: 'get', path: '/api/v1/emails/wait', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.raw': { method: 'get', path: '/api/v1/emails/{id}/raw', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.checks': { method: 'get', path: '/api/v1/emails/{id}/checks', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'emails.attachment': { method: 'get', path: '/api/v1/emails/{emailId}/attachments/{attachmentId}', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'domains.list': { method: 'get', path: '/api/v1/domains', scope: 'domains:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'domains.create': { method: 'post', path: '/api/v1/domains', scope: 'domains:manage', isPublic: false, isShared: false, status: 201, isStream: false },
  'domains.update': { method: 'patch', path: '/api/v1/domains/{id}', scope: 'domains:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'domains.delete': { method: 'delete', path: '/api/v1/domains/{id}', scope: 'domains:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'domains.verify': { method: 'post', path: '/api/v1/domains/{id}/verify', scope: 'domains:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'forwardingAddresses.list': { method: 'get', path: '/api/v1/forwarding-addresses', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'forwardingAddresses.create': { method: 'post', path: '/api/v1/forwarding-addresses', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 201, isStream: false },
  'forwardingAddresses.get': { method: 'get', path: '/api/v1/forwarding-addresses/{id}', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'forwardingAddresses.delete': { method: 'delete', path: '/api/v1/forwarding-addresses/{id}', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'forwardingAddresses.resendVerification': { method: 'post', path: '/api/v1/forwarding-addresses/{id}/resend-verification', scope: 'forwarding:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'analytics.get': { method: 'get', path: '/api/v1/analytics', scope: 'analytics:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'analytics.daily': { method: 'get', path: '/api/v1/analytics/daily', scope: 'analytics:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'auditLogs.list': { method: 'get', path: '/api/v1/audit-logs', scope: 'analytics:read', isPublic: false, isShared: false, status: 200, isStream: false },
  'events.stream': { method: 'get', path: '/api/v1/events', scope: 'emails:read', isPublic: false, isShared: false, status: 200, isStream: true },
  'test.createEmail': { method: 'post', path: '/api/v1/test/emails', scope: 'emails:write', isPublic: false, isShared: false, status: 201, isStream: false },
  'webhooks.list': { method: 'get', path: '/api/v1/webhooks', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'webhooks.create': { method: 'post', path: '/api/v1/webhooks', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 201, isStream: false },
  'webhooks.get': { method: 'get', path: '/api/v1/webhooks/{id}', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'webhooks.update': { method: 'patch', path: '/api/v1/webhooks/{id}', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'webhooks.delete': { method: 'delete', path: '/api/v1/webhooks/{id}', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'webhooks.test': { method: 'post', path: '/api/v1/webhooks/{id}/test', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 202, isStream: false },
  'webhooks.rotateSecret': { method: 'post', path: '/api/v1/webhooks/{id}/rotate-secret', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'webhooks.deliveries': { method: 'get', path: '/api/v1/webhooks/{id}/deliveries', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'webhooks.redeliver': { method: 'post', path: '/api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', scope: 'webhooks:manage', isPublic: false, isShared: false, status: 202, isStream: false },
  'signInLinks.create': { method: 'post', path: '/api/v1/sign-in-links', scope: null, isPublic: true, isShared: false, status: 202, isStream: false },
  'sessions.list': { method: 'get', path: '/api/v1/sessions', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'sessions.create': { method: 'post', path: '/api/v1/sessions', scope: null, isPublic: true, isShared: false, status: 201, isStream: false },
  'sessions.deleteAll': { method: 'delete', path: '/api/v1/sessions', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'sessions.delete': { method: 'delete', path: '/api/v1/sessions/{id}', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'shareLinks.list': { method: 'get', path: '/api/v1/addresses/{id}/share-links', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'shareLinks.create': { method: 'post', path: '/api/v1/addresses/{id}/share-links', scope: null, isPublic: false, isShared: false, status: 201, isStream: false },
  'shareLinks.delete': { method: 'delete', path: '/api/v1/share-links/{id}', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'sharedInbox.get': { method: 'get', path: '/api/v1/shared', scope: null, isPublic: false, isShared: true, status: 200, isStream: false },
  'sharedInbox.listEmails': { method: 'get', path: '/api/v1/shared/emails', scope: null, isPublic: false, isShared: true, status: 200, isStream: false },
  'sharedInbox.getEmail': { method: 'get', path: '/api/v1/shared/emails/{id}', scope: null, isPublic: false, isShared: true, status: 200, isStream: false },
  'sharedInbox.attachment': { method: 'get', path: '/api/v1/shared/emails/{emailId}/attachments/{attachmentId}', scope: null, isPublic: false, isShared: true, status: 200, isStream: false },
  'sessions.switch': { method: 'post', path: '/api/v1/sessions/switch', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'memberships.list': { method: 'get', path: '/api/v1/memberships', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'members.list': { method: 'get', path: '/api/v1/members', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'members.create': { method: 'post', path: '/api/v1/members', scope: null, isPublic: false, isShared: false, status: 201, isStream: false },
  'members.update': { method: 'patch', path: '/api/v1/members/{id}', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'members.delete': { method: 'delete', path: '/api/v1/members/{id}', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'account.get': { method: 'get', path: '/api/v1/account', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'apiKeys.list': { method: 'get', path: '/api/v1/api-keys', scope: 'keys:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'apiKeys.create': { method: 'post', path: '/api/v1/api-keys', scope: 'keys:manage', isPublic: false, isShared: false, status: 201, isStream: false },
  'apiKeys.revoke': { method: 'delete', path: '/api/v1/api-keys/{id}', scope: 'keys:manage', isPublic: false, isShared: false, status: 200, isStream: false },
  'accounts.list': { method: 'get', path: '/api/v1/admin/accounts', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'accounts.create': { method: 'post', path: '/api/v1/admin/accounts', scope: null, isPublic: false, isShared: false, status: 201, isStream: false },
  'accounts.update': { method: 'patch', path: '/api/v1/admin/accounts/{id}', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'accounts.delete': { method: 'delete', path: '/api/v1/admin/accounts/{id}', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'capturedEmails.list': { method: 'get', path: '/api/v1/admin/captured-emails', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
  'capturedEmails.get': { method: 'get', path: '/api/v1/admin/captured-emails/{id}', scope: null, isPublic: false, isShared: false, status: 200, isStream: false },
} as const

/** The types of the input and of the reply of each operation. */
export interface Operations {
  'addresses.list': { input: Json<sdk.AddressesListData>, reply: Json<sdk.AddressesListResponses[200]> }
  'addresses.create': { input: Json<sdk.AddressesCreateData>, reply: Json<sdk.AddressesCreateResponses[201]> }
  'addresses.get': { input: Json<sdk.AddressesGetData>, reply: Json<sdk.AddressesGetResponses[200]> }
  'addresses.update': { input: Json<sdk.AddressesUpdateData>, reply: Json<sdk.AddressesUpdateResponses[200]> }
  'addresses.delete': { input: Json<sdk.AddressesDeleteData>, reply: Json<sdk.AddressesDeleteResponses[200]> }
  'addresses.createSmtpLogin': { input: Json<sdk.AddressesCreateSmtpLoginData>, reply: Json<sdk.AddressesCreateSmtpLoginResponses[201]> }
  'addresses.deleteSmtpLogin': { input: Json<sdk.AddressesDeleteSmtpLoginData>, reply: Json<sdk.AddressesDeleteSmtpLoginResponses[200]> }
  'addresses.activity': { input: Json<sdk.AddressesActivityData>, reply: Json<sdk.AddressesActivityResponses[200]> }
  'addresses.getSmtpFaults': { input: Json<sdk.AddressesGetSmtpFaultsData>, reply: Json<sdk.AddressesGetSmtpFaultsResponses[200]> }
  'addresses.setSmtpFaults': { input: Json<sdk.AddressesSetSmtpFaultsData>, reply: Json<sdk.AddressesSetSmtpFaultsResponses[200]> }
  'addresses.clearSmtpFaults': { input: Json<sdk.AddressesClearSmtpFaultsData>, reply: Json<sdk.AddressesClearSmtpFaultsResponses[200]> }
  'forwardingRules.get': { input: Json<sdk.ForwardingRulesGetData>, reply: Json<sdk.ForwardingRulesGetResponses[200]> }
  'forwardingRules.update': { input: Json<sdk.ForwardingRulesUpdateData>, reply: Json<sdk.ForwardingRulesUpdateResponses[200]> }
  'emails.list': { input: Json<sdk.EmailsListData>, reply: Json<sdk.EmailsListResponses[200]> }
  'emails.send': { input: Json<sdk.EmailsSendData>, reply: Json<sdk.EmailsSendResponses[202]> }
  'emails.get': { input: Json<sdk.EmailsGetData>, reply: Json<sdk.EmailsGetResponses[200]> }
  'emails.update': { input: Json<sdk.EmailsUpdateData>, reply: Json<sdk.EmailsUpdateResponses[200]> }
  'emails.delete': { input: Json<sdk.EmailsDeleteData>, reply: Json<sdk.EmailsDeleteResponses[200]> }
  'emails.restore': { input: Json<sdk.EmailsRestoreData>, reply: Json<sdk.EmailsRestoreResponses[200]> }
  'emails.bounce': { input: Json<sdk.EmailsBounceData>, reply: Json<sdk.EmailsBounceResponses[201]> }
  'emails.complain': { input: Json<sdk.EmailsComplainData>, reply: Json<sdk.EmailsComplainResponses[201]> }
  'emails.forward': { input: Json<sdk.EmailsForwardData>, reply: Json<sdk.EmailsForwardResponses[202]> }
  'emails.changeAll': { input: Json<sdk.EmailsChangeAllData>, reply: Json<sdk.EmailsChangeAllResponses[200]> }
  'emails.wait': { input: Json<sdk.EmailsWaitData>, reply: Json<sdk.EmailsWaitResponses[200]> }
  'emails.raw': { input: Json<sdk.EmailsRawData>, reply: Json<sdk.EmailsRawResponses[200]> }
  'emails.checks': { input: Json<sdk.EmailsChecksData>, reply: Json<sdk.EmailsChecksResponses[200]> }
  'emails.attachment': { input: Json<sdk.EmailsAttachmentData>, reply: Json<sdk.EmailsAttachmentResponses[200]> }
  'domains.list': { input: Json<sdk.DomainsListData>, reply: Json<sdk.DomainsListResponses[200]> }
  'domains.create': { input: Json<sdk.DomainsCreateData>, reply: Json<sdk.DomainsCreateResponses[201]> }
  'domains.update': { input: Json<sdk.DomainsUpdateData>, reply: Json<sdk.DomainsUpdateResponses[200]> }
  'domains.delete': { input: Json<sdk.DomainsDeleteData>, reply: Json<sdk.DomainsDeleteResponses[200]> }
  'domains.verify': { input: Json<sdk.DomainsVerifyData>, reply: Json<sdk.DomainsVerifyResponses[200]> }
  'forwardingAddresses.list': { input: Json<sdk.ForwardingAddressesListData>, reply: Json<sdk.ForwardingAddressesListResponses[200]> }
  'forwardingAddresses.create': { input: Json<sdk.ForwardingAddressesCreateData>, reply: Json<sdk.ForwardingAddressesCreateResponses[201]> }
  'forwardingAddresses.get': { input: Json<sdk.ForwardingAddressesGetData>, reply: Json<sdk.ForwardingAddressesGetResponses[200]> }
  'forwardingAddresses.delete': { input: Json<sdk.ForwardingAddressesDeleteData>, reply: Json<sdk.ForwardingAddressesDeleteResponses[200]> }
  'forwardingAddresses.resendVerification': { input: Json<sdk.ForwardingAddressesResendVerificationData>, reply: Json<sdk.ForwardingAddressesResendVerificationResponses[200]> }
  'analytics.get': { input: Json<sdk.AnalyticsGetData>, reply: Json<sdk.AnalyticsGetResponses[200]> }
  'analytics.daily': { input: Json<sdk.AnalyticsDailyData>, reply: Json<sdk.AnalyticsDailyResponses[200]> }
  'auditLogs.list': { input: Json<sdk.AuditLogsListData>, reply: Json<sdk.AuditLogsListResponses[200]> }
  'events.stream': { input: Json<sdk.EventsStreamData>, reply: Json<sdk.EventsStreamResponses[200]> }
  'test.createEmail': { input: Json<sdk.TestCreateEmailData>, reply: Json<sdk.TestCreateEmailResponses[201]> }
  'webhooks.list': { input: Json<sdk.WebhooksListData>, reply: Json<sdk.WebhooksListResponses[200]> }
  'webhooks.create': { input: Json<sdk.WebhooksCreateData>, reply: Json<sdk.WebhooksCreateResponses[201]> }
  'webhooks.get': { input: Json<sdk.WebhooksGetData>, reply: Json<sdk.WebhooksGetResponses[200]> }
  'webhooks.update': { input: Json<sdk.WebhooksUpdateData>, reply: Json<sdk.WebhooksUpdateResponses[200]> }
  'webhooks.delete': { input: Json<sdk.WebhooksDeleteData>, reply: Json<sdk.WebhooksDeleteResponses[200]> }
  'webhooks.test': { input: Json<sdk.WebhooksTestData>, reply: Json<sdk.WebhooksTestResponses[202]> }
  'webhooks.rotateSecret': { input: Json<sdk.WebhooksRotateSecretData>, reply: Json<sdk.WebhooksRotateSecretResponses[200]> }
  'webhooks.deliveries': { input: Json<sdk.WebhooksDeliveriesData>, reply: Json<sdk.WebhooksDeliveriesResponses[200]> }
  'webhooks.redeliver': { input: Json<sdk.WebhooksRedeliverData>, reply: Json<sdk.WebhooksRedeliverResponses[202]> }
  'signInLinks.create': { input: Json<dashboard.SignInLinksCreateData>, reply: Json<dashboard.SignInLinksCreateResponses[202]> }
  'sessions.list': { input: Json<dashboard.SessionsListData>, reply: Json<dashboard.SessionsListResponses[200]> }
  'sessions.create': { input: Json<dashboard.SessionsCreateData>, reply: Json<dashboard.SessionsCreateResponses[201]> }
  'sessions.deleteAll': { input: Json<dashboard.SessionsDeleteAllData>, reply: Json<dashboard.SessionsDeleteAllResponses[200]> }
  'sessions.delete': { input: Json<dashboard.SessionsDeleteData>, reply: Json<dashboard.SessionsDeleteResponses[200]> }
  'shareLinks.list': { input: Json<dashboard.ShareLinksListData>, reply: Json<dashboard.ShareLinksListResponses[200]> }
  'shareLinks.create': { input: Json<dashboard.ShareLinksCreateData>, reply: Json<dashboard.ShareLinksCreateResponses[201]> }
  'shareLinks.delete': { input: Json<dashboard.ShareLinksDeleteData>, reply: Json<dashboard.ShareLinksDeleteResponses[200]> }
  'sharedInbox.get': { input: Json<dashboard.SharedInboxGetData>, reply: Json<dashboard.SharedInboxGetResponses[200]> }
  'sharedInbox.listEmails': { input: Json<dashboard.SharedInboxListEmailsData>, reply: Json<dashboard.SharedInboxListEmailsResponses[200]> }
  'sharedInbox.getEmail': { input: Json<dashboard.SharedInboxGetEmailData>, reply: Json<dashboard.SharedInboxGetEmailResponses[200]> }
  'sharedInbox.attachment': { input: Json<dashboard.SharedInboxAttachmentData>, reply: Json<dashboard.SharedInboxAttachmentResponses[200]> }
  'sessions.switch': { input: Json<dashboard.SessionsSwitchData>, reply: Json<dashboard.SessionsSwitchResponses[200]> }
  'memberships.list': { input: Json<dashboard.MembershipsListData>, reply: Json<dashboard.MembershipsListResponses[200]> }
  'members.list': { input: Json<dashboard.MembersListData>, reply: Json<dashboard.MembersListResponses[200]> }
  'members.create': { input: Json<dashboard.MembersCreateData>, reply: Json<dashboard.MembersCreateResponses[201]> }
  'members.update': { input: Json<dashboard.MembersUpdateData>, reply: Json<dashboard.MembersUpdateResponses[200]> }
  'members.delete': { input: Json<dashboard.MembersDeleteData>, reply: Json<dashboard.MembersDeleteResponses[200]> }
  'account.get': { input: Json<dashboard.AccountGetData>, reply: Json<dashboard.AccountGetResponses[200]> }
  'apiKeys.list': { input: Json<sdk.ApiKeysListData>, reply: Json<sdk.ApiKeysListResponses[200]> }
  'apiKeys.create': { input: Json<sdk.ApiKeysCreateData>, reply: Json<sdk.ApiKeysCreateResponses[201]> }
  'apiKeys.revoke': { input: Json<sdk.ApiKeysRevokeData>, reply: Json<sdk.ApiKeysRevokeResponses[200]> }
  'accounts.list': { input: Json<dashboard.AccountsListData>, reply: Json<dashboard.AccountsListResponses[200]> }
  'accounts.create': { input: Json<dashboard.AccountsCreateData>, reply: Json<dashboard.AccountsCreateResponses[201]> }
  'accounts.update': { input: Json<dashboard.AccountsUpdateData>, reply: Json<dashboard.AccountsUpdateResponses[200]> }
  'accounts.delete': { input: Json<dashboard.AccountsDeleteData>, reply: Json<dashboard.AccountsDeleteResponses[200]> }
  'capturedEmails.list': { input: Json<dashboard.CapturedEmailsListData>, reply: Json<dashboard.CapturedEmailsListResponses[200]> }
  'capturedEmails.get': { input: Json<dashboard.CapturedEmailsGetData>, reply: Json<dashboard.CapturedEmailsGetResponses[200]> }
}

export type OperationId = keyof Operations
