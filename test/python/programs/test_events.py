"""The parser of server-sent events, and the subscription that reconnects."""

from __future__ import annotations

import json
import unittest
from typing import Any

from fakes import FakeClock, FakeResponse, FakeTransport, Reply, connect, use_clock
from mayfly._core.deadline import Cancellation
from mayfly._core.errors import AuthenticationError, MayflyError, UnexpectedAnswerError
from mayfly._core.request import Request
from mayfly._event_stream import StreamParser
from mayfly._events import Subscription, subscribe

EVENTS = Request[bytes]('events.stream', 'GET', '/events', bytes, False, accept='text/event-stream')


def block(number: int, kind: str = 'email.received') -> bytes:
    return b'id: %d\nevent: %s\ndata: %s\n\n' % (number, kind.encode(), json.dumps({'type': kind, 'number': number}).encode())


def stream(*blocks: bytes) -> FakeResponse:
    return FakeResponse(200, b''.join(blocks), {'content-type': 'text/event-stream; charset=utf-8'})


def read(value: Any) -> int | None:
    return value['number'] if value['type'] != 'new.kind' else None


class Parser(unittest.TestCase):
    def test_an_event_of_many_short_lines_is_limited(self) -> None:
        parser = StreamParser()
        with self.assertRaisesRegex(MayflyError, 'of more than 262144 characters'):
            for _ in range(10):
                parser.feed(b'data:\n' * 40_000)

    def test_the_pieces_of_a_stream_may_have_any_length(self) -> None:
        text = b'\xef\xbb\xbf: comment\r\nid: 1\r\ndata: a\r\ndata:  \xc3\xa4\r\n\r\nretry: 20\rid: 2\rdata:b\r\r\n\nevent\nid: \x00\n\ndata: cut'
        for size in (1, 2, 3, 7, len(text)):
            parser = StreamParser()
            blocks = [found for start in range(0, len(text), size) for found in parser.feed(text[start:start + size])]
            self.assertEqual([(found.id, found.data, found.retry) for found in blocks], [('1', 'a\n ä', None), ('2', 'b', 0.02)], size)

    def test_an_event_has_a_maximum_length(self) -> None:
        for piece in (b'data: x\n', b'x', b'data: ' + b'x' * 1_000):
            parser = StreamParser()
            with self.assertRaisesRegex(MayflyError, 'of more than 262144 characters'):
                for _ in range(300_000):
                    parser.feed(piece)


class Subscriptions(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = FakeClock()
        self.addCleanup(use_clock(self.clock))

    def open(self, replies: list[Reply], **more: Any) -> Subscription[int]:
        self.transport = FakeTransport(replies, self.clock)
        return subscribe(connect(self.transport), EVENTS, read, **more)

    def test_it_reconnects_after_the_last_event(self) -> None:
        unavailable = FakeResponse(503, b'')
        events = self.open([stream(block(1), block(2)), ConnectionResetError(104, 'reset'), unavailable, stream(b'retry: 5000\n\n', block(3)), stream(block(4))])
        self.assertEqual([next(events) for _ in range(4)], [1, 2, 3, 4])
        self.assertEqual(events.last_event_id, '4')
        self.assertEqual([request.headers.get('last-event-id') for request in self.transport.requests], [None, '2', '2', '2', '3'])
        pauses = [later - earlier for earlier, later in zip(self.transport.times, self.transport.times[1:])]
        self.assertEqual(pauses, [1, 0.5, 1, 5])

    def test_it_continues_after_an_id_and_filters_types(self) -> None:
        replies: list[Reply] = [stream(block(8, 'address.created'), block(9, 'new.kind'), block(10))]
        events = self.open(replies, last_event_id='7', events=['email.received', 'new.kind'])
        self.assertEqual(next(events), 10)
        self.assertEqual(self.transport.requests[0].headers['last-event-id'], '7')
        with self.assertRaisesRegex(MayflyError, 'events is a list of types'):
            self.open([], events='email.received')

    def test_the_end_of_a_loop_closes_the_connection(self) -> None:
        response = stream(block(1), block(2))
        for _ in self.open([response]):
            break
        self.assertTrue(response.is_closed)
        response = stream(block(1), block(2))
        with self.open([response]) as events:
            self.assertEqual(next(events), 1)
        self.assertEqual(list(events), [])
        cancellation = Cancellation()
        events = self.open([stream(block(1))], cancellation=cancellation)
        self.assertEqual(next(events), 1)
        cancellation.cancel()
        self.assertEqual(list(events), [])

    def test_permanent_errors_end_it(self) -> None:
        refused = FakeResponse(401, {'error': 'The key is revoked.', 'code': 'UNAUTHORIZED'})
        with self.assertRaises(AuthenticationError):
            next(self.open([refused]))
        with self.assertRaises(UnexpectedAnswerError):
            next(self.open([FakeResponse(200, b'<html>', {'content-type': 'text/html'})]))
        for data in (b'data: {\n\n', b'data: []\n\n', b'data: {"type": "email.received"}\n\n', b'data: \xff\n\n', b'data: ' + b'[' * 9_000 + b'\n\n'):
            with self.assertRaisesRegex(MayflyError, '^The stream has a message that is not an event of Mayfly$'):
                next(self.open([stream(data)]))


if __name__ == '__main__':
    unittest.main()
