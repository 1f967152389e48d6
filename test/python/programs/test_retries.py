"""Retries, time-outs and hooks of a connection, without a network. test/clients/cases has the rules that all SDKs share."""

from __future__ import annotations

import unittest
from typing import Any

import mayfly._core.errors as errors
from fakes import KEY, FakeClock, FakeResponse, FakeTransport, Reply, connect, get, use_clock
from mayfly._core.connection import CallOptions
from mayfly._core.deadline import Cancellation
from mayfly._core.hooks import Hooks
from mayfly._core.request import Request, RequestOptions


def failure(status: int, headers: dict[str, str] | None = None) -> FakeResponse:
    return FakeResponse(status, {'error': f'It is {status}.', 'code': 'INTERNAL_ERROR'}, headers)


def lost() -> ConnectionResetError:
    return ConnectionResetError(104, 'Connection reset by peer')


class Retries(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = FakeClock()
        self.addCleanup(use_clock(self.clock))

    def call(
        self, replies: list[Reply], options: RequestOptions | None = None, request: Request[object] | None = None, max_retries: int = 2,
    ) -> FakeTransport:
        self.transport = FakeTransport(replies, self.clock)
        self.clock.time = 0.0
        connect(self.transport, max_retries).call(request or get(), options)
        return self.transport

    def error_of(self, replies: list[Reply], options: RequestOptions | None = None, max_retries: int = 2) -> errors.MayflyError:
        with self.assertRaises(errors.MayflyError) as caught:
            self.call(replies, options, max_retries=max_retries)
        return caught.exception

    def test_half_of_a_pause_is_random(self) -> None:
        self.clock.value = 0
        self.assertEqual(self.call([failure(503), failure(503)]).times, [0, 0.25, 0.75])

    def test_a_malformed_retry_after_is_ignored(self) -> None:
        for malformed in ('-1', 'nan', 'inf', 'soon', '9' * 400, 'Sat, 99 Mar 2026 09:00:03 GMT'):
            self.assertEqual(self.call([failure(503, {'retry-after': malformed})]).times, [0, 0.5], malformed)

    def test_the_last_attempt_begins_shortly_before_the_timeout(self) -> None:
        self.error_of([lost() for _ in range(9)], {'timeout': 1, 'max_retries': 9})
        self.assertEqual(self.transport.times, [0, 0.5, 0.75])

    def test_the_timeout_limits_all_attempts_and_has_the_last_error_as_its_cause(self) -> None:
        error = self.error_of([failure(503), 'silence'], {'timeout': 2})
        self.assertIs(type(error), errors.MayflyTimeoutError)
        self.assertIsInstance(error, TimeoutError)
        self.assertEqual(str(error), 'things.get got no answer from http://mail.test:3000 within 2 s')
        self.assertIsInstance(error.__cause__, errors.ServerError)
        self.assertEqual(self.clock.time, 2)

    def test_hooks_are_called_without_the_key(self) -> None:
        seen: list[Any] = []
        hooks = Hooks(seen.append, seen.append, seen.append)
        transport = FakeTransport([failure(503, {'x-request-id': 'r'})], self.clock)
        connect(transport, hooks=hooks).call(get(), {'on_response': seen.append})
        self.assertEqual([type(event).__name__ for event in seen], [
            'RequestEvent', 'ResponseEvent', 'ResponseEvent', 'RetryEvent', 'RequestEvent', 'ResponseEvent', 'ResponseEvent',
        ])
        self.assertEqual((seen[1].status, seen[1].request_id, seen[3].delay, seen[4].attempt), (503, 'r', 0.5, 2))
        self.assertNotIn(KEY, repr(seen))

    def test_errors_of_hooks_end_the_call(self) -> None:
        def fail(_event: object) -> None:
            raise OSError('of the hook')
        transport = FakeTransport([])
        for hooks in (Hooks(on_request=fail), Hooks(on_response=fail)):
            with self.assertRaisesRegex(OSError, 'of the hook'):
                connect(transport, hooks=hooks).call(get())

    def test_a_cancelled_call_raises_an_error_of_the_package(self) -> None:
        cancellation = Cancellation()
        cancellation.cancel()
        options: CallOptions = {'cancellation': cancellation}
        error = self.error_of([failure(503)], options)
        self.assertEqual(str(error), 'things.get was cancelled')
        connection = connect(FakeTransport([]))
        connection.close()
        with self.assertRaisesRegex(errors.MayflyError, 'the client is closed$'):
            connection.call(get())


if __name__ == '__main__':
    unittest.main()
