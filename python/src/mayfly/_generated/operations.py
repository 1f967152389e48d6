"""The request of each operation. This file is made from the document by `npm run generate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from .._answers import item, item_in_data, page, whole_list
from .._core.ids import After
from .._core.request import Request
from .._lists import Page
from .._not_given import NOT_GIVEN, NotGiven
from .._requests import filled, flag, given, optional_cursor, optional_id
from . import types


def addresses_list(
    *,
    status: Literal['active', 'expired'] | None = None,
    limit: int | None = None,
    offset: int | None = None,
    before: str | None = None,
) -> Request[Page[types.Address]]:
    return Request(
        operation='addresses.list',
        method='GET',
        path='/addresses',
        query={'status': status, 'limit': limit, 'offset': offset, 'before': before},
        parse=page(types.Address.from_json, 'addresses', is_in_data=True),
        is_change=False,
    )


def addresses_create(
    *,
    alias: str | None = None,
    domain: str | None = None,
    expires_in: int | None = None,
    forward_to_id: str | None = None,
    smtp_login: bool | None = None,
    max_emails: int | None | NotGiven = NOT_GIVEN,
    allowed_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
    blocked_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
) -> Request[types.AddressCreated]:
    return Request(
        operation='addresses.create',
        method='POST',
        path='/addresses',
        body=given(
            ('alias', alias),
            ('domain', domain),
            ('expiresIn', expires_in),
            ('forwardToId', forward_to_id),
            ('smtpLogin', smtp_login),
            nullable=[
                ('maxEmails', max_emails),
                ('allowedSenders', allowed_senders),
                ('blockedSenders', blocked_senders),
            ],
        ),
        parse=item_in_data(types.AddressCreated.from_json),
        is_change=True,
    )


def addresses_get(id: str) -> Request[types.Address]:
    return Request(
        operation='addresses.get',
        method='GET',
        path=filled('addresses.get', '/addresses/{id}', id=id),
        parse=item_in_data(types.Address.from_json),
        is_change=False,
    )


def addresses_update(
    id: str,
    *,
    allowed_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
    blocked_senders: Sequence[str] | None | NotGiven = NOT_GIVEN,
) -> Request[types.Address]:
    return Request(
        operation='addresses.update',
        method='PATCH',
        path=filled('addresses.update', '/addresses/{id}', id=id),
        body=given(
            nullable=[
                ('allowedSenders', allowed_senders),
                ('blockedSenders', blocked_senders),
            ],
        ),
        parse=item_in_data(types.Address.from_json),
        is_change=True,
    )


def addresses_delete(id: str) -> Request[types.Deleted]:
    return Request(
        operation='addresses.delete',
        method='DELETE',
        path=filled('addresses.delete', '/addresses/{id}', id=id),
        parse=item_in_data(types.Deleted.from_json),
        is_change=True,
    )


def addresses_create_smtp_login(id: str) -> Request[types.SmtpLogin]:
    return Request(
        operation='addresses.createSmtpLogin',
        method='POST',
        path=filled('addresses.createSmtpLogin', '/addresses/{id}/smtp-login', id=id),
        parse=item_in_data(types.SmtpLogin.from_json),
        is_change=True,
    )


def addresses_delete_smtp_login(id: str) -> Request[types.Message]:
    return Request(
        operation='addresses.deleteSmtpLogin',
        method='DELETE',
        path=filled('addresses.deleteSmtpLogin', '/addresses/{id}/smtp-login', id=id),
        parse=item(types.Message.from_json),
        is_change=True,
    )


def addresses_activity(
    id: str,
    *,
    limit: int | None = None,
    offset: int | None = None,
    before: str | None = None,
) -> Request[Page[types.SmtpActivity]]:
    return Request(
        operation='addresses.activity',
        method='GET',
        path=filled('addresses.activity', '/addresses/{id}/activity', id=id),
        query={'limit': limit, 'offset': offset, 'before': before},
        parse=page(types.SmtpActivity.from_json, 'data', is_in_data=False),
        is_change=False,
    )


def addresses_get_smtp_faults(id: str) -> Request[types.SmtpFaults]:
    return Request(
        operation='addresses.getSmtpFaults',
        method='GET',
        path=filled('addresses.getSmtpFaults', '/addresses/{id}/smtp-faults', id=id),
        parse=item_in_data(types.SmtpFaults.from_json),
        is_change=False,
    )


def addresses_set_smtp_faults(id: str, *, steps: Sequence[Mapping[str, object]]) -> Request[types.SmtpFaults]:
    return Request(
        operation='addresses.setSmtpFaults',
        method='PUT',
        path=filled('addresses.setSmtpFaults', '/addresses/{id}/smtp-faults', id=id),
        body=given(('steps', steps)),
        parse=item_in_data(types.SmtpFaults.from_json),
        is_change=True,
    )


def addresses_clear_smtp_faults(id: str) -> Request[types.Message]:
    return Request(
        operation='addresses.clearSmtpFaults',
        method='DELETE',
        path=filled('addresses.clearSmtpFaults', '/addresses/{id}/smtp-faults', id=id),
        parse=item(types.Message.from_json),
        is_change=True,
    )


def forwarding_rules_get(address_id: str) -> Request[types.ForwardingRule]:
    return Request(
        operation='forwardingRules.get',
        method='GET',
        path=filled('forwardingRules.get', '/addresses/{address_id}/forwarding', address_id=address_id),
        parse=item_in_data(types.ForwardingRule.from_json),
        is_change=False,
    )


def forwarding_rules_update(
    address_id: str,
    *,
    forward_to_id: str | None | NotGiven = NOT_GIVEN,
    filter_sender: str | None | NotGiven = NOT_GIVEN,
    filter_subject: str | None | NotGiven = NOT_GIVEN,
    is_active: bool | None = None,
) -> Request[types.ForwardingRule]:
    return Request(
        operation='forwardingRules.update',
        method='PATCH',
        path=filled('forwardingRules.update', '/addresses/{address_id}/forwarding', address_id=address_id),
        body=given(
            ('isActive', is_active),
            nullable=[
                ('forwardToId', forward_to_id),
                ('filterSender', filter_sender),
                ('filterSubject', filter_subject),
            ],
        ),
        parse=item_in_data(types.ForwardingRule.from_json),
        is_change=True,
    )


def emails_list(
    *,
    address_id: str | None = None,
    type: Literal['received', 'sent'] | None = None,
    is_deleted: bool | None = None,
    to: str | None = None,
    envelope_from: str | None = None,
    thread_id: str | None = None,
    after: After | None = None,
    q: str | None = None,
    limit: int | None = None,
    offset: int | None = None,
    before: str | None = None,
) -> Request[Page[types.EmailSummary]]:
    return Request(
        operation='emails.list',
        method='GET',
        path='/emails',
        query={
            'address_id': optional_id(address_id, 'emails.list: address_id'),
            'type': type,
            'is_deleted': flag(is_deleted, 'emails.list: is_deleted'),
            'to': to,
            'envelope_from': envelope_from,
            'thread_id': optional_id(thread_id, 'emails.list: thread_id'),
            'after': optional_cursor(after, 'emails.list'),
            'q': q,
            'limit': limit,
            'offset': offset,
            'before': before,
        },
        parse=page(types.EmailSummary.from_json, 'data', is_in_data=False),
        is_change=False,
    )


def emails_send(
    *,
    body: str,
    from_address_id: str | None = None,
    to: str | None = None,
    cc: Sequence[str] | None = None,
    subject: str | None = None,
    body_html: str | None = None,
    in_reply_to_id: str | None = None,
    attachments: Sequence[Mapping[str, object]] | None = None,
) -> Request[types.EmailReference]:
    return Request(
        operation='emails.send',
        method='POST',
        path='/emails',
        body=given(
            ('fromAddressId', from_address_id),
            ('to', to),
            ('cc', cc),
            ('subject', subject),
            ('body', body),
            ('bodyHtml', body_html),
            ('inReplyToId', in_reply_to_id),
            ('attachments', attachments),
        ),
        parse=item_in_data(types.EmailReference.from_json),
        is_change=True,
    )


def emails_get(id: str) -> Request[types.Email]:
    return Request(
        operation='emails.get',
        method='GET',
        path=filled('emails.get', '/emails/{id}', id=id),
        parse=item_in_data(types.Email.from_json),
        is_change=False,
    )


def emails_update(
    id: str,
    *,
    is_read: bool | None = None,
    is_starred: bool | None = None,
) -> Request[types.EmailUpdated]:
    return Request(
        operation='emails.update',
        method='PATCH',
        path=filled('emails.update', '/emails/{id}', id=id),
        body=given(('isRead', is_read), ('isStarred', is_starred)),
        parse=item_in_data(types.EmailUpdated.from_json),
        is_change=True,
    )


def emails_delete(id: str) -> Request[types.Deleted]:
    return Request(
        operation='emails.delete',
        method='DELETE',
        path=filled('emails.delete', '/emails/{id}', id=id),
        parse=item_in_data(types.Deleted.from_json),
        is_change=True,
    )


def emails_restore(id: str) -> Request[types.EmailUpdated]:
    return Request(
        operation='emails.restore',
        method='POST',
        path=filled('emails.restore', '/emails/{id}/restore', id=id),
        parse=item_in_data(types.EmailUpdated.from_json),
        is_change=True,
    )


def emails_bounce(
    id: str,
    *,
    status: str | None = None,
    text: str | None = None,
) -> Request[types.EmailReport]:
    return Request(
        operation='emails.bounce',
        method='POST',
        path=filled('emails.bounce', '/emails/{id}/bounce', id=id),
        body=given(('status', status), ('text', text)),
        parse=item_in_data(types.EmailReport.from_json),
        is_change=True,
    )


def emails_complain(id: str) -> Request[types.EmailReport]:
    return Request(
        operation='emails.complain',
        method='POST',
        path=filled('emails.complain', '/emails/{id}/complain', id=id),
        parse=item_in_data(types.EmailReport.from_json),
        is_change=True,
    )


def emails_forward(id: str, *, forward_to_id: str) -> Request[types.EmailReference]:
    return Request(
        operation='emails.forward',
        method='POST',
        path=filled('emails.forward', '/emails/{id}/forward', id=id),
        body=given(('forwardToId', forward_to_id)),
        parse=item_in_data(types.EmailReference.from_json),
        is_change=True,
    )


def emails_change_all(
    *,
    action: Literal['markRead', 'delete', 'restore'],
    address_id: str | None = None,
    q: str | None = None,
) -> Request[types.EmailChanges]:
    return Request(
        operation='emails.changeAll',
        method='POST',
        path='/emails/actions',
        body=given(('action', action), ('addressId', address_id), ('q', q)),
        parse=item_in_data(types.EmailChanges.from_json),
        is_change=True,
    )


def emails_wait(
    *,
    address_id: str | None = None,
    after: After | None = None,
    to: str | None = None,
    envelope_from: str | None = None,
    from_: str | None = None,
    subject: str | None = None,
    timeout: int | None = None,
) -> Request[types.Email]:
    return Request(
        operation='emails.wait',
        method='GET',
        path='/emails/wait',
        query={
            'address_id': optional_id(address_id, 'emails.wait: address_id'),
            'after': optional_cursor(after, 'emails.wait'),
            'to': to,
            'envelope_from': envelope_from,
            'from': from_,
            'subject': subject,
            'timeout': timeout,
        },
        parse=item_in_data(types.Email.from_json),
        is_change=False,
    )


def emails_raw(id: str) -> Request[bytes]:
    return Request(
        operation='emails.raw',
        method='GET',
        path=filled('emails.raw', '/emails/{id}/raw', id=id),
        parse=bytes,
        is_change=False,
        accept='message/rfc822',
    )


def emails_checks(id: str, *, links: bool | None = None) -> Request[types.EmailChecks]:
    return Request(
        operation='emails.checks',
        method='GET',
        path=filled('emails.checks', '/emails/{id}/checks', id=id),
        query={'links': flag(links, 'emails.checks: links')},
        parse=item_in_data(types.EmailChecks.from_json),
        is_change=False,
    )


def emails_attachment(email_id: str, attachment_id: str) -> Request[bytes]:
    return Request(
        operation='emails.attachment',
        method='GET',
        path=filled(
            'emails.attachment',
            '/emails/{email_id}/attachments/{attachment_id}',
            email_id=email_id,
            attachment_id=attachment_id,
        ),
        parse=bytes,
        is_change=False,
        accept='*/*',
    )


def domains_list() -> Request[Page[types.Domain]]:
    return Request(
        operation='domains.list',
        method='GET',
        path='/domains',
        parse=whole_list(types.Domain.from_json),
        is_change=False,
    )


def domains_create(*, domain: str) -> Request[types.DomainCreated]:
    return Request(
        operation='domains.create',
        method='POST',
        path='/domains',
        body=given(('domain', domain)),
        parse=item_in_data(types.DomainCreated.from_json),
        is_change=True,
    )


def domains_update(id: str, *, catch_all_id: str | None) -> Request[types.Domain]:
    return Request(
        operation='domains.update',
        method='PATCH',
        path=filled('domains.update', '/domains/{id}', id=id),
        body=given(nullable=[
                ('catchAllId', catch_all_id),
            ]),
        parse=item_in_data(types.Domain.from_json),
        is_change=True,
    )


def domains_delete(id: str) -> Request[types.Message]:
    return Request(
        operation='domains.delete',
        method='DELETE',
        path=filled('domains.delete', '/domains/{id}', id=id),
        parse=item(types.Message.from_json),
        is_change=True,
    )


def domains_verify(id: str) -> Request[types.DomainChecked]:
    return Request(
        operation='domains.verify',
        method='POST',
        path=filled('domains.verify', '/domains/{id}/verify', id=id),
        parse=item(types.DomainChecked.from_json, with_message=True),
        is_change=True,
    )


def forwarding_addresses_list(
    *,
    limit: int | None = None,
    offset: int | None = None,
    before: str | None = None,
) -> Request[Page[types.ForwardingAddress]]:
    return Request(
        operation='forwardingAddresses.list',
        method='GET',
        path='/forwarding-addresses',
        query={'limit': limit, 'offset': offset, 'before': before},
        parse=page(types.ForwardingAddress.from_json, 'addresses', is_in_data=True),
        is_change=False,
    )


def forwarding_addresses_create(*, email: str) -> Request[types.ForwardingAddressCreated]:
    return Request(
        operation='forwardingAddresses.create',
        method='POST',
        path='/forwarding-addresses',
        body=given(('email', email)),
        parse=item_in_data(types.ForwardingAddressCreated.from_json),
        is_change=True,
    )


def forwarding_addresses_get(id: str) -> Request[types.ForwardingAddress]:
    return Request(
        operation='forwardingAddresses.get',
        method='GET',
        path=filled('forwardingAddresses.get', '/forwarding-addresses/{id}', id=id),
        parse=item_in_data(types.ForwardingAddress.from_json),
        is_change=False,
    )


def forwarding_addresses_delete(id: str) -> Request[types.Message]:
    return Request(
        operation='forwardingAddresses.delete',
        method='DELETE',
        path=filled('forwardingAddresses.delete', '/forwarding-addresses/{id}', id=id),
        parse=item(types.Message.from_json),
        is_change=True,
    )


def forwarding_addresses_resend_verification(id: str) -> Request[types.Message]:
    return Request(
        operation='forwardingAddresses.resendVerification',
        method='POST',
        path=filled('forwardingAddresses.resendVerification', '/forwarding-addresses/{id}/resend-verification', id=id),
        parse=item(types.Message.from_json),
        is_change=True,
    )


def analytics_get() -> Request[types.Analytics]:
    return Request(
        operation='analytics.get',
        method='GET',
        path='/analytics',
        parse=item(types.Analytics.from_json),
        is_change=False,
    )


def analytics_daily(*, days: int | None = None) -> Request[Page[types.AnalyticsDay]]:
    return Request(
        operation='analytics.daily',
        method='GET',
        path='/analytics/daily',
        query={'days': days},
        parse=whole_list(types.AnalyticsDay.from_json),
        is_change=False,
    )


def audit_logs_list(
    *,
    limit: int | None = None,
    offset: int | None = None,
    before: str | None = None,
    action: str | None = None,
    is_change: bool | None = None,
    result: Literal['succeeded', 'refused', 'failed'] | None = None,
    resource_id: str | None = None,
    caller: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Request[Page[types.AuditLog]]:
    return Request(
        operation='auditLogs.list',
        method='GET',
        path='/audit-logs',
        query={
            'limit': limit,
            'offset': offset,
            'before': before,
            'action': action,
            'isChange': flag(is_change, 'auditLogs.list: is_change'),
            'result': result,
            'resourceId': optional_id(resource_id, 'auditLogs.list: resource_id'),
            'caller': caller,
            'since': since,
            'until': until,
        },
        parse=page(types.AuditLog.from_json, 'data', is_in_data=False),
        is_change=False,
    )


def events_stream(*, to: str | None = None, envelope_from: str | None = None) -> Request[bytes]:
    return Request(
        operation='events.stream',
        method='GET',
        path='/events',
        query={'to': to, 'envelope_from': envelope_from},
        parse=bytes,
        is_change=False,
        accept='text/event-stream',
    )


def test_create_email(
    *,
    to: str,
    from_: str | None = None,
    subject: str | None = None,
    text: str | None = None,
    html: str | None = None,
    raw: str | None = None,
) -> Request[types.EmailReference]:
    return Request(
        operation='test.createEmail',
        method='POST',
        path='/test/emails',
        body=given(
            ('to', to),
            ('from', from_),
            ('subject', subject),
            ('text', text),
            ('html', html),
            ('raw', raw),
        ),
        parse=item_in_data(types.EmailReference.from_json),
        is_change=True,
    )


def webhooks_list() -> Request[Page[types.Webhook]]:
    return Request(
        operation='webhooks.list',
        method='GET',
        path='/webhooks',
        parse=whole_list(types.Webhook.from_json),
        is_change=False,
    )


def webhooks_create(
    *,
    url: str,
    events: Sequence[types.WebhookEvent],
    secret: str | None = None,
    form: types.WebhookForm | None = None,
    address_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
) -> Request[types.WebhookCreated]:
    return Request(
        operation='webhooks.create',
        method='POST',
        path='/webhooks',
        body=given(
            ('url', url),
            ('events', events),
            ('secret', secret),
            ('form', form),
            nullable=[
                ('addressIds', address_ids),
            ],
        ),
        parse=item_in_data(types.WebhookCreated.from_json),
        is_change=True,
    )


def webhooks_get(id: str) -> Request[types.Webhook]:
    return Request(
        operation='webhooks.get',
        method='GET',
        path=filled('webhooks.get', '/webhooks/{id}', id=id),
        parse=item_in_data(types.Webhook.from_json),
        is_change=False,
    )


def webhooks_update(
    id: str,
    *,
    url: str | None = None,
    events: Sequence[types.WebhookEvent] | None = None,
    form: types.WebhookForm | None = None,
    address_ids: Sequence[str] | None | NotGiven = NOT_GIVEN,
    is_active: bool | None = None,
) -> Request[types.Webhook]:
    return Request(
        operation='webhooks.update',
        method='PATCH',
        path=filled('webhooks.update', '/webhooks/{id}', id=id),
        body=given(
            ('url', url),
            ('events', events),
            ('form', form),
            ('isActive', is_active),
            nullable=[
                ('addressIds', address_ids),
            ],
        ),
        parse=item_in_data(types.Webhook.from_json),
        is_change=True,
    )


def webhooks_delete(id: str) -> Request[types.Message]:
    return Request(
        operation='webhooks.delete',
        method='DELETE',
        path=filled('webhooks.delete', '/webhooks/{id}', id=id),
        parse=item(types.Message.from_json),
        is_change=True,
    )


def webhooks_test(id: str) -> Request[types.WebhookDelivery]:
    return Request(
        operation='webhooks.test',
        method='POST',
        path=filled('webhooks.test', '/webhooks/{id}/test', id=id),
        parse=item_in_data(types.WebhookDelivery.from_json),
        is_change=True,
    )


def webhooks_rotate_secret(id: str) -> Request[types.WebhookCreated]:
    return Request(
        operation='webhooks.rotateSecret',
        method='POST',
        path=filled('webhooks.rotateSecret', '/webhooks/{id}/rotate-secret', id=id),
        parse=item_in_data(types.WebhookCreated.from_json),
        is_change=True,
    )


def webhooks_deliveries(
    id: str,
    *,
    limit: int | None = None,
    offset: int | None = None,
    before: str | None = None,
) -> Request[Page[types.WebhookDelivery]]:
    return Request(
        operation='webhooks.deliveries',
        method='GET',
        path=filled('webhooks.deliveries', '/webhooks/{id}/deliveries', id=id),
        query={'limit': limit, 'offset': offset, 'before': before},
        parse=page(types.WebhookDelivery.from_json, 'data', is_in_data=False),
        is_change=False,
    )


def webhooks_redeliver(id: str, delivery_id: str) -> Request[types.WebhookDelivery]:
    return Request(
        operation='webhooks.redeliver',
        method='POST',
        path=filled(
            'webhooks.redeliver',
            '/webhooks/{id}/deliveries/{delivery_id}/redeliver',
            id=id,
            delivery_id=delivery_id,
        ),
        parse=item_in_data(types.WebhookDelivery.from_json),
        is_change=True,
    )


def api_keys_list() -> Request[Page[types.ApiKey]]:
    return Request(
        operation='apiKeys.list',
        method='GET',
        path='/api-keys',
        parse=whole_list(types.ApiKey.from_json),
        is_change=False,
    )


def api_keys_create(
    *,
    name: str,
    scopes: Sequence[types.Scope],
    mode: Literal['live', 'test'] | None = None,
    dialect: Literal['primary', 'classic'] | None = None,
    bounds: Mapping[str, object] | None = None,
    expires_in: int | None = None,
) -> Request[types.ApiKeyCreated]:
    return Request(
        operation='apiKeys.create',
        method='POST',
        path='/api-keys',
        body=given(
            ('name', name),
            ('scopes', scopes),
            ('mode', mode),
            ('dialect', dialect),
            ('bounds', bounds),
            ('expiresIn', expires_in),
        ),
        parse=item_in_data(types.ApiKeyCreated.from_json),
        is_change=True,
    )


def api_keys_revoke(id: str) -> Request[types.Message]:
    return Request(
        operation='apiKeys.revoke',
        method='DELETE',
        path=filled('apiKeys.revoke', '/api-keys/{id}', id=id),
        parse=item(types.Message.from_json),
        is_change=True,
    )
