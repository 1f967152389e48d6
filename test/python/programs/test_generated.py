"""Lists, answers of other versions, and arguments of the generated methods, without a network."""

from __future__ import annotations

import asyncio
import json
import unittest
from datetime import datetime, timezone
from typing import Any
from urllib.parse import parse_qs, urlsplit

from fakes import KEY, FakeResponse, FakeTransport, Reply
from mayfly import AsyncMayfly, Mayfly, MayflyError, UnexpectedAnswerError

rule = {'id': None, 'forwardToId': None, 'forwardToEmail': None, 'filterSender': None, 'filterSubject': None, 'isActive': False}


def log(id: str) -> dict[str, Any]:
    return {
        'id': id, 'action': 'addresses.list', 'method': 'GET', 'path': '/api/v1/addresses', 'status': 200, 'resourceId': None,
        'apiKeyId': None, 'sessionId': None, 'ipAddress': '127.0.0.1', 'userAgent': None, 'createdAt': '2026-03-14T09:02:11.482Z', 'count': 1,
    }


def page(*ids: str, total: int = 5, has_more: bool | None = None) -> FakeResponse:
    body: dict[str, Any] = {'data': [log(id) for id in ids], 'total': total, 'limit': 2, 'offset': 0}
    return FakeResponse(200, body if has_more is None else {**body, 'hasMore': has_more})


def open_client(*replies: Reply) -> tuple[Mayfly, FakeTransport]:
    transport = FakeTransport(list(replies))
    return Mayfly(KEY, 'http://mail.test:3000', transport=transport), transport


def queries(transport: FakeTransport) -> list[dict[str, list[str]]]:
    return [parse_qs(urlsplit(request.url).query) for request in transport.requests]


class Lists(unittest.TestCase):
    def test_requests_the_following_pages_in_a_loop(self) -> None:
        mayfly, transport = open_client(page('a', 'b', has_more=True), page('c', 'd', has_more=True), page('e', has_more=False))
        listed = mayfly.audit_logs.list(limit=2, offset=0)
        self.assertEqual((listed.total, len(listed.items), listed.has_more), (5, 2, True))
        self.assertEqual([item.id for item in listed], ['a', 'b', 'c', 'd', 'e'])
        self.assertEqual(queries(transport), [
            {'limit': ['2'], 'offset': ['0']}, {'limit': ['2'], 'before': ['b']}, {'limit': ['2'], 'before': ['d']},
        ])

    def test_can_be_looped_over_again(self) -> None:
        mayfly, _ = open_client(page('a', 'b', has_more=True), page('c', has_more=False), page('c', has_more=False))
        listed = mayfly.audit_logs.list()
        self.assertEqual([[item.id for item in listed] for _ in range(2)], [['a', 'b', 'c'], ['a', 'b', 'c']])

    def test_ends_where_a_server_sends_the_same_page_again(self) -> None:
        mayfly, transport = open_client(page('a', 'b', has_more=True), page('a', 'b', has_more=True))
        self.assertEqual([item.id for item in mayfly.audit_logs.list()], ['a', 'b'])
        self.assertEqual(len(transport.requests), 2)

    def test_knows_its_end_by_the_total_of_an_older_server(self) -> None:
        mayfly, transport = open_client(page('a', 'b', total=2))
        self.assertEqual([item.id for item in mayfly.audit_logs.list()], ['a', 'b'])
        self.assertEqual(len(transport.requests), 1)

    def test_has_the_same_items_with_await(self) -> None:
        async def collect() -> list[str]:
            replies: list[Reply] = [page('a', 'b', has_more=True), page('c', has_more=False)]
            async with AsyncMayfly(KEY, 'http://mail.test:3000', transport=FakeTransport(replies)) as mayfly:
                listed = await mayfly.audit_logs.list()
                with self.assertRaises(TypeError):
                    list(listed)
                return [item.id async for item in listed]
        self.assertEqual(asyncio.run(collect()), ['a', 'b', 'c'])


class Answers(unittest.TestCase):
    def test_keep_members_and_values_of_a_newer_server(self) -> None:
        webhook = {
            'id': 'w', 'url': 'https://hooks.example.com', 'events': ['email.bounced'], 'form': 'c', 'dialect': 'primary',
            'createdAt': '2026-03-14T09:02:11Z', 'color': 'red',
        }
        mayfly, _ = open_client(FakeResponse(200, {'data': {**webhook, 'secret': 'whsec_c2VjcmV0'}}))
        created = mayfly.webhooks.rotate_secret('w')
        self.assertEqual((created.events, created.form, created.extra), (['email.bounced'], 'c', {'color': 'red'}))
        self.assertEqual(created.created_at, datetime(2026, 3, 14, 9, 2, 11, tzinfo=timezone.utc))
        self.assertNotIn('whsec_', repr(created))

    def test_are_refused_without_a_member_or_with_another_type(self) -> None:
        for broken in ({'id': 7}, {'status': '200'}, {'createdAt': 'yesterday'}, {'count': True}, {'path': None}):
            mayfly, _ = open_client(FakeResponse(200, {'data': [{**log('a'), **broken}], 'total': 1, 'limit': 2, 'offset': 0}))
            with self.assertRaises(UnexpectedAnswerError, msg=str(broken)):
                mayfly.audit_logs.list()


class Arguments(unittest.TestCase):
    def test_none_is_null_where_null_is_a_value(self) -> None:
        mayfly, transport = open_client(FakeResponse(200, {'data': rule}), FakeResponse(200, {'data': rule}))
        mayfly.forwarding_rules.update('a', forward_to_id=None)
        mayfly.forwarding_rules.update('a', is_active=False)
        self.assertEqual([json.loads(request.body or b'') for request in transport.requests], [{'forwardToId': None}, {'isActive': False}])

    def test_ids_of_another_path_are_refused(self) -> None:
        mayfly, transport = open_client()
        for id in ('../emails', '', 'a/b', 'a?b', 'ä'):
            with self.assertRaisesRegex(MayflyError, 'addresses.get: id is missing or malformed'):
                mayfly.addresses.get(id)
        with self.assertRaisesRegex(MayflyError, 'emails.attachment: attachment_id is missing'):
            mayfly.emails.attachment('a', '..')
        self.assertEqual(transport.requests, [])


if __name__ == '__main__':
    unittest.main()
