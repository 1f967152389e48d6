"""Signatures of webhooks: those of this package, and those that the TypeScript SDK made in `WEBHOOK_DELIVERIES`."""

from __future__ import annotations

import json
import os
import unittest
from datetime import datetime, timedelta, timezone
from typing import Any, cast

from mayfly import webhooks
from mayfly._core.errors import MayflyError
from mayfly.webhooks import WebhookVerificationError, sign, verify

SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
OTHER = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
NOW = datetime(2026, 3, 14, 9, 0, tzinfo=timezone.utc)
DATA = {'emailId': '019ceb98-68c0-76ca-83c8-90c1d3ac94af', 'addressId': '019ceb92-ea80-752e-bca9-6513269e0d37'}


class Webhooks(unittest.TestCase):
    def setUp(self) -> None:
        self.delivery = sign('email.deleted', DATA, SECRET, now=NOW)
        self.headers = self.delivery.headers

    def only(self, prefix: str) -> dict[str, str]:
        return {name: value for name, value in self.headers.items() if name.lower().startswith(prefix)}

    def test_a_delivery_is_verified_by_the_headers_of_either_form(self) -> None:
        form_a = sign('email.deleted', DATA, SECRET, now=NOW, form='a')
        for body, headers in ((self.delivery.body, self.headers), (self.delivery.body, self.only('webhook')), (form_a.body, form_a.headers)):
            event = verify(body, headers, SECRET, now=NOW)
            assert event.type == 'email.deleted'
            self.assertEqual((event.data.email_id, event.created_at), (DATA['emailId'], NOW))

    def test_headers_and_bodies_have_the_types_of_frameworks(self) -> None:
        body = self.delivery.body
        pairs = list(self.only('webhook').items())
        environment = {f'HTTP_{name.upper().replace("-", "_")}': value for name, value in pairs}
        listed = {name.upper(): [value] for name, value in pairs}
        raw: Any = [(name.encode(), value.encode()) for name, value in pairs]
        for headers in (environment, listed, raw):
            for given in (body, body.decode(), bytearray(body), memoryview(body)):
                self.assertEqual(verify(given, headers, SECRET, now=NOW).type, 'email.deleted')

    def test_changed_deliveries_are_refused(self) -> None:
        body = self.delivery.body
        form_a = sign('email.deleted', DATA, SECRET, now=NOW, form='a')
        old = form_a.headers | {'X-Service-Timestamp': str(int(NOW.timestamp() * 1000) - 301_000)}
        refused: list[tuple[bytes, dict[str, str], str, datetime]] = [
            (body + b' ', self.headers, SECRET, NOW), (body, self.headers, OTHER, NOW), (body, {}, SECRET, NOW),
            (body, {**self.headers, 'webhook-id': 'x'}, SECRET, NOW), (body, {**self.headers, 'webhook-timestamp': 'soon'}, SECRET, NOW),
            (body, {**self.headers, 'webhook-signature': 'v1,\u20ac'}, SECRET, NOW), (body, {**self.headers, 'webhook-signature': 'v2,x'}, SECRET, NOW),
            (body, self.headers, SECRET, NOW + timedelta(seconds=301)), (body, self.headers, SECRET, NOW - timedelta(seconds=301)),
            (form_a.body, old, SECRET, NOW), (body, self.only('x-service'), SECRET, NOW),
        ]
        for given, headers, secret, now in refused:
            with self.assertRaises(WebhookVerificationError) as caught:
                verify(given, headers, secret, now=now)
            self.assertNotIn(secret, str(caught.exception))
        self.assertEqual(verify(body, self.headers, SECRET, now=NOW + timedelta(seconds=301), tolerance=302).type, 'email.deleted')

    def test_a_rotation_has_two_secrets(self) -> None:
        delivery = sign('email.deleted', DATA, [OTHER, SECRET], now=NOW)
        for secret in (OTHER, SECRET, [OTHER], [SECRET, OTHER]):
            self.assertEqual(verify(delivery.body, delivery.headers, secret, now=NOW).type, 'email.deleted')

    def test_mistakes_of_the_receiver_are_named(self) -> None:
        wrong: list[tuple[Any, Any, Any, str]] = [
            ({'type': 'x'}, self.headers, SECRET, 'not the parsed JSON'), (b'', self.headers, '', 'needs the secret of the webhook'),
            (b'', self.headers, 'whsec_?', 'a secret has 8 to 200 characters'), (b'', self.headers, None, 'needs the secret'),
            (b'', self.headers, [], 'needs the secret'), (b'', self.headers, b'x', 'a secret has'), (b'', 5, SECRET, 'needs the headers of the request'),
        ]
        for body, headers, secret, text in wrong:
            with self.assertRaisesRegex(MayflyError, text) as caught:
                verify(body, headers, secret)
            self.assertNotIsInstance(caught.exception, WebhookVerificationError)
        with self.assertRaisesRegex(MayflyError, 'tolerance must be 0 seconds or more'):
            verify(b'', self.headers, SECRET, tolerance=-1)
        with self.assertRaisesRegex(MayflyError, r'webhooks\.sign: data is not JSON'):
            sign('email.deleted', {'x': {1}}, SECRET)

    def test_signed_bodies_that_are_no_events_are_refused(self) -> None:
        for data in ({'emailId': 5}, {}):
            delivery = sign('email.deleted', data, SECRET, now=NOW)
            with self.assertRaisesRegex(WebhookVerificationError, 'not an event of Mayfly'):
                verify(delivery.body, delivery.headers, SECRET, now=NOW)

    def test_events_of_newer_servers_are_returned(self) -> None:
        delivery = sign('email.snoozed', {'a': 1}, SECRET, now=NOW, id='e1')
        event: Any = verify(delivery.body, delivery.headers, SECRET, now=NOW)
        self.assertIsInstance(event, webhooks.UnknownEvent)
        self.assertEqual((event.id, event.type, event.data, event.created_at), ('e1', 'email.snoozed', {'a': 1}, NOW))

    def test_deliveries_of_the_typescript_sdk_are_verified(self) -> None:
        deliveries = cast('list[Any]', json.loads(os.environ.get('WEBHOOK_DELIVERIES', '[]')))
        for delivery in deliveries:
            event = verify(delivery['body'], delivery['headers'], delivery['secret'])
            self.assertEqual(event.type, delivery['type'])


if __name__ == '__main__':
    unittest.main()
