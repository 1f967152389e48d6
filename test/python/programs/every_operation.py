"""
Calls every operation once, with `Mayfly` or with `AsyncMayfly`, and checks the answers. Prints the operationId of each. A line `? …` asks
the test for an action, and the program goes on when it reads a line.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta, timezone
from typing import Any, cast

from mayfly import AsyncMayfly, InvalidRequestError, Mayfly, NotFoundError

id_pattern = re.compile(r'[0-9a-f-]{36}')


class Awaitable:
    """The sync client behind the methods of the other: `await` gives the result of a call at once."""

    def __init__(self, target: Any) -> None:
        self._target = target

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        return _to_call(value) if callable(value) else Awaitable(value)


def _to_call(method: Any) -> Any:
    def call(*given: Any, **named: Any) -> _Result:
        return _Result(lambda: method(*given, **named))
    return call


class _Result:
    def __init__(self, call: Any) -> None:
        self._call = call

    def __await__(self) -> Any:
        async def get() -> Any:
            return self._call()
        return get().__await__()

    async def __aiter__(self) -> AsyncIterator[Any]:
        for item in self._call():
            yield item


def ask(action: str, *values: str) -> None:
    print('?', json.dumps([action, *values]), flush=True)
    assert sys.stdin.readline(), 'the test ended'


def done(operation: str) -> None:
    print(operation, flush=True)


async def run(mayfly: AsyncMayfly, test: AsyncMayfly) -> None:
    address = await mayfly.addresses.create(alias='Checkout-Test', expires_in=86_400)
    assert (address.address, address.alias, address.is_active) == ('checkout-test@mail.localhost', 'checkout-test', True)
    assert address.expires_at - address.created_at == timedelta(days=1) and address.forwarding is None
    done('addresses.create')

    ask('deliver', address.address)
    email = await mayfly.emails.wait_for(address_id=address.id, from_='example shop', subject=re.compile('confirmation code'))
    assert (email.address_id, email.type, email.from_, email.from_name) == (address.id, 'received', 'no-reply@shop.example', 'Example Shop')
    assert email.codes[0] == '482913' and email.links[0].url == 'https://shop.example/confirm?t=Zk3v9'
    assert email.links[0].text == 'confirm your address' and email.received_at.tzinfo is timezone.utc
    while email.authentication is None:  # the results come some time after the mail
        await asyncio.sleep(0.05)
        email = await mayfly.emails.get(email.id)

    listed = await mayfly.addresses.list(status='active', limit=20, offset=0)
    assert (listed.limit, listed.offset, listed.has_more, listed.total) == (20, 0, False, len(listed.items))
    assert address.id in [item.id async for item in mayfly.addresses.list(limit=1)]
    done('addresses.list')

    read = await mayfly.addresses.get(address.id)
    assert read.id == address.id and read.email_count >= 1 and isinstance(read.last_email_at, datetime)
    done('addresses.get')

    body = await mayfly.request('GET', f'/addresses/{address.id}', dialect='classic')
    assert (body['success'], body['data']['id'], body['data']['email']) == (True, f'addr_{address.id}', address.address)
    try:
        await mayfly.request('POST', '/addresses', json={'alias': 'ab'}, dialect='classic')
        raise AssertionError('an alias of two characters')
    except InvalidRequestError as error:
        assert (error.code, error.details[0].path) == ('INVALID_REQUEST', 'body.alias')

    try:
        await mayfly.request('GET', '/addresses?limit=5', params={'limit': 6})
        raise AssertionError('one of two parameters is lost')
    except InvalidRequestError as error:
        assert error.details[0].path == 'query.limit'

    waited = await mayfly.emails.wait(address_id=address.id, after=datetime.fromtimestamp(0, timezone.utc), from_='SHOP', timeout=1)
    assert waited.email == email and waited.cursor.startswith('c1-')
    done('emails.wait')

    async for event in mayfly.events.subscribe(last_event_id='0', events=['email.received']):
        assert event.type == 'email.received', event
        assert (event.data.from_, event.data.subject) == ('no-reply@shop.example', '482913 is your confirmation code')
        assert event.created_at.timestamp() * 1000 == event.timestamp
        break
    done('events.stream')

    mails = await mayfly.emails.list(address_id=address.id, type='received', is_deleted=False, limit=50)
    summary = next(item for item in mails.items if item.id == email.id)
    assert mails.cursor and summary.has_attachments and not summary.is_truncated and summary.received_at == email.received_at
    assert 'Your confirmation code is 482913' in summary.preview
    done('emails.list')

    whole = await mayfly.emails.get(email.id)
    assert whole == email and whole.headers['Subject'] == '482913 is your confirmation code' and whole.size > 500
    done('emails.get')

    source = await mayfly.emails.raw(email.id)
    assert len(source) == whole.size and b'482913' in source
    done('emails.raw')

    checks = await mayfly.emails.checks(email.id, links=False)
    assert (checks.text.result, checks.links.links[0].url) == ('pass', email.links[0].url) and checks.clients.support['gmail-webmail']
    done('emails.checks')

    attachment = email.attachments[0]
    assert (attachment.filename, attachment.content_type, attachment.size, attachment.is_inline) == ('terms.txt', 'text/plain', 31, False)
    file = await mayfly.emails.attachment(email.id, attachment.id)
    assert (file.name, file.size, file.content) == ('terms.txt', 31, b'Terms and conditions apply.\r\n\r\n')
    done('emails.attachment')

    assert (await mayfly.emails.update(email.id, is_read=True)).id == email.id
    done('emails.update')

    sent = await mayfly.emails.send(from_address_id=address.id, to='support@shop.example', subject='Where is it?', body='Order 1042.')
    assert id_pattern.fullmatch(sent.id)
    file = {'filename': 'invoice.bin', 'content': bytes(range(256))}
    reply = await mayfly.emails.send(in_reply_to_id=email.id, cc=['eve@shop.example'], body='Thank you.', attachments=[file])
    assert id_pattern.fullmatch(reply.id)
    assert email.id in [item.id for item in (await mayfly.emails.list(thread_id=whole.thread_id)).items]
    assert (whole.in_reply_to, whole.references) == (None, [])
    done('emails.send')

    await domains(mayfly)
    await forwarding(mayfly, address.id)
    await webhooks(mayfly)
    await api_keys(mayfly)

    counters = await mayfly.analytics.get()
    assert counters.total_addresses >= 1 and counters.total_emails_received >= 1
    done('analytics.get')

    days = (await mayfly.analytics.daily(days=2)).items
    assert type(days[1].day) is date and days[1].day - days[0].day == timedelta(days=1) and days[1].received >= 1
    done('analytics.daily')

    logs = await mayfly.audit_logs.list(limit=20, offset=0)
    assert logs.limit == 20 and isinstance(logs.items[0].created_at, datetime)
    done('auditLogs.list')

    test_address = await test.addresses.create()
    created = await test.test.create_email(to=test_address.address, raw=source.decode())
    received = await test.emails.get(created.id)
    assert (received.subject, received.codes, received.links) == (email.subject, email.codes, email.links)
    done('test.createEmail')

    report = await mayfly.emails.bounce(email.id, status='5.2.2')
    assert (report.outcome, bool(report.email_id)) == ('captured', True)
    done('emails.bounce')
    assert (await mayfly.emails.complain(email.id)).to == report.to
    done('emails.complain')
    try:
        await mayfly.emails.forward(email.id, forward_to_id=address.id)
    except NotFoundError:
        pass  # of the server: that is the id of no forwarding address
    done('emails.forward')

    deleted = await mayfly.emails.delete(email.id)
    assert (deleted.id, deleted.deleted) == (email.id, True)
    done('emails.delete')
    assert (await mayfly.emails.restore(email.id)).id == email.id
    done('emails.restore')
    assert (await mayfly.emails.change_all(action='markRead', address_id=address.id)).changed >= 0
    done('emails.changeAll')

    changed = await mayfly.addresses.update(address.id, allowed_senders=['@Shop.example'], blocked_senders=None)
    assert (changed.allowed_senders, changed.blocked_senders) == (['@shop.example'], [])
    done('addresses.update')

    login = await mayfly.addresses.create_smtp_login(address.id)
    assert (login.username, (login.password or '')[:5]) == (address.address, 'smtp_')
    done('addresses.createSmtpLogin')
    tried = (await mayfly.addresses.activity(address.id, limit=5)).items
    assert all((entry.code == 250) == (entry.email_id is not None) for entry in tried)
    done('addresses.activity')
    faults = await mayfly.addresses.set_smtp_faults(address.id, steps=[{'at': 'rcpt', 'code': 451, 'times': 2}])
    assert (faults.steps[0].at, faults.steps[0].enhanced, faults.steps[0].times) == ('rcpt', '4.0.0', 2)
    done('addresses.setSmtpFaults')
    assert (await mayfly.addresses.get_smtp_faults(address.id)).steps[0].at == 'rcpt'  # the mock shows its example
    done('addresses.getSmtpFaults')
    assert (await mayfly.addresses.clear_smtp_faults(address.id)).message
    done('addresses.clearSmtpFaults')
    assert (await mayfly.addresses.delete_smtp_login(address.id)).message
    done('addresses.deleteSmtpLogin')

    assert (await mayfly.addresses.delete(address.id)).deleted
    done('addresses.delete')


async def api_keys(mayfly: AsyncMayfly) -> None:
    created = await mayfly.api_keys.create(name='agent', scopes=['emails:read'], bounds={'aliasPrefix': 'agent-', 'maxAddresses': 5}, expires_in=3600)
    assert created.bounds and (created.bounds.alias_prefix, created.bounds.max_addresses) == ('agent-', 5)
    assert created.key and created.expires_at
    done('apiKeys.create')
    assert any(key.name for key in (await mayfly.api_keys.list()).items)
    done('apiKeys.list')
    assert (await mayfly.api_keys.revoke(created.id)).message
    done('apiKeys.revoke')


async def domains(mayfly: AsyncMayfly) -> None:
    domain = await mayfly.domains.create(domain='qa.example.com')
    assert (domain.domain, domain.status) == ('qa.example.com', 'pending')
    assert (domain.dns_records.mx.type, domain.dns_records.mx.priority) == ('MX', 10)
    assert domain.dns_records.txt.value.startswith('mayfly-verify=')
    done('domains.create')
    domains = await mayfly.domains.list()
    assert domains.total == len(domains.items) and domains.items[0].domain == 'qa.example.com'
    done('domains.list')
    id = domains.items[0].id
    checked = await mayfly.domains.verify(id)
    assert checked.domain == 'qa.example.com' and 'qa.example.com' in checked.message
    done('domains.verify')
    assert (await mayfly.domains.update(id, catch_all_id=None)).catch_all_id is None
    done('domains.update')
    assert (await mayfly.domains.delete(id)).message
    done('domains.delete')


async def forwarding(mayfly: AsyncMayfly, address_id: str) -> None:
    await mayfly.forwarding_addresses.create(email='ada@example.com')
    ask('agree', 'ada@example.com')
    created = await mayfly.forwarding_addresses.create(email='grace@example.com')
    assert (created.email, created.is_verified) == ('grace@example.com', False)
    done('forwardingAddresses.create')
    listed = await mayfly.forwarding_addresses.list(limit=20)
    grace, ada = listed.items
    assert (grace.email, grace.verified_at) == ('grace@example.com', None)
    assert ada.is_verified and ada.verified_at
    done('forwardingAddresses.list')
    assert (await mayfly.forwarding_addresses.get(ada.id)).email == 'ada@example.com'
    done('forwardingAddresses.get')
    assert 'grace@example.com' in (await mayfly.forwarding_addresses.resend_verification(grace.id)).message
    done('forwardingAddresses.resendVerification')
    rule = await mayfly.forwarding_rules.update(address_id, forward_to_id=ada.id, filter_sender='@shop.example', is_active=True)
    assert (rule.forward_to_id, rule.filter_sender, rule.filter_subject, rule.is_active) == (ada.id, '@shop.example', None, True)
    done('forwardingRules.update')
    assert await mayfly.forwarding_rules.get(address_id) == rule
    done('forwardingRules.get')
    assert (await mayfly.forwarding_addresses.delete(grace.id)).message
    done('forwardingAddresses.delete')


async def webhooks(mayfly: AsyncMayfly) -> None:
    created = await mayfly.webhooks.create(url='https://hooks.example.com/mayfly', events=['email.received', 'address.expired'], form='a')
    assert created.secret and created.secret.startswith('whsec_') and created.secret not in repr(created)
    assert list(created.events) == ['email.received', 'address.expired']
    done('webhooks.create')
    webhook = (await mayfly.webhooks.list()).items[0]
    assert (webhook.url, webhook.is_active, webhook.disabled_at) == ('https://hooks.example.com/mayfly', True, None)
    done('webhooks.list')
    assert (await mayfly.webhooks.get(webhook.id)).is_active
    done('webhooks.get')
    tested = await mayfly.webhooks.test(webhook.id)
    assert (tested.attempt, tested.status, tested.event) == (1, 'pending', 'email.received')
    done('webhooks.test')
    deliveries = await mayfly.webhooks.deliveries(webhook.id, limit=20)
    assert deliveries.total == len(deliveries.items) and deliveries.items[0].event_id
    done('webhooks.deliveries')
    assert (await mayfly.webhooks.redeliver(webhook.id, deliveries.items[0].id)).attempt == 1
    done('webhooks.redeliver')
    rotated = await mayfly.webhooks.rotate_secret(webhook.id)
    assert rotated.secret and rotated.secret.startswith('whsec_')
    done('webhooks.rotateSecret')
    assert (await mayfly.webhooks.update(webhook.id, is_active=True, form='b')).form == 'b'
    done('webhooks.update')
    assert (await mayfly.webhooks.delete(webhook.id)).message
    done('webhooks.delete')


async def main(kind: str) -> None:
    key, test_key = os.environ['MAYFLY_API_KEY'], os.environ['TEST_KEY']
    if kind == 'async':
        async with AsyncMayfly(key) as mayfly, AsyncMayfly(test_key) as test:
            await run(mayfly, test)
    else:
        with Mayfly(key) as mayfly, Mayfly(test_key) as test:
            await run(cast(AsyncMayfly, Awaitable(mayfly)), cast(AsyncMayfly, Awaitable(test)))


if __name__ == '__main__':
    asyncio.run(main(sys.argv[1]))
