"""Servers that break the rules of HTTP, over sockets of 127.0.0.1: only errors of the package are raised, in time."""

from __future__ import annotations

import socket
import threading
import time
import traceback
import unittest
from typing import Any

from fakes import KEY, get, post
from mayfly._core.connection import CallOptions, Connection
from mayfly._core.deadline import Cancellation
from mayfly._core.errors import MayflyError, MayflyTimeoutError, NetworkError, ServerError, UnexpectedAnswerError
from mayfly._core.request import Request
from raw_server import OK, Act, RawServer, answer, say

TIMEOUT = 0.6
MAX_SECONDS = 20.0


class HostileServers(unittest.TestCase):
    def open(self, act: Act, max_retries: int = 0, timeout: float = TIMEOUT) -> tuple[RawServer, Connection]:
        server = RawServer(act)
        self.addCleanup(server.close)
        connection = Connection(KEY, server.url, timeout, max_retries)
        self.addCleanup(connection.close)
        return server, connection

    def error_of(self, act: Act, request: Request[Any] | None = None, max_retries: int = 0) -> MayflyError:
        _, connection = self.open(act, max_retries)
        began = time.monotonic()
        with self.assertRaises(MayflyError) as caught:
            connection.call(request or get())
        self.assertLess(time.monotonic() - began, MAX_SECONDS)
        self.assertNotIn(KEY, f'{caught.exception} {caught.exception.__cause__!r}')
        return caught.exception

    def test_a_traceback_with_all_variables_has_no_key(self) -> None:
        for data in (b'', b'garbage\r\n', OK, answer(b'{}')):
            _, connection = self.open(say(data))
            try:
                connection.call(post())
                self.fail('it succeeded')
            except MayflyError as error:
                shown = ''.join(traceback.TracebackException.from_exception(error, capture_locals=True).format())
            self.assertIn('Error', shown)
            self.assertNotIn(KEY, shown)

    def test_endless_answers_end_by_the_timeout(self) -> None:
        beginnings: dict[str, tuple[bytes, bytes]] = {
            'nothing': (b'', b''), 'status line': (b'HTTP/1.1 2', b'0'), 'headers': (OK, b'x: y\r\n'), 'header': (OK + b'x: ', b'y'),
            'informational': (b'', b'HTTP/1.1 100 Continue\r\n\r\n'), 'hints': (b'', b'HTTP/1.1 103 Early Hints\r\n\r\n'), 'body': (OK + b'\r\n{', b' '),
            'chunks': (OK + b'transfer-encoding: chunked\r\n\r\n', b'1\r\n \r\n'),
            'trailers': (OK + b'transfer-encoding: chunked\r\n\r\n0\r\n', b'a: b\r\n'),
            'error': (b'HTTP/1.1 500 X\r\n\r\n', b'x'),
        }
        for name, (beginning, piece) in beginnings.items():
            with self.subTest(name):
                server: RawServer

                def act(accepted: socket.socket, _number: int, beginning: bytes = beginning, piece: bytes = piece) -> None:
                    accepted.sendall(beginning)
                    server.trickle(accepted, piece)  # noqa: B023
                server, connection = self.open(act)
                began = time.monotonic()
                with self.assertRaises(MayflyError) as caught:
                    connection.call(get())
                self.assertLess(time.monotonic() - began, MAX_SECONDS)
                if name != 'headers':  # of which 100 are read
                    self.assertIsInstance(caught.exception, MayflyTimeoutError, str(caught.exception))

    def test_early_hints_are_skipped(self) -> None:
        hints = b'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n'
        server, connection = self.open(lambda accepted, _number: accepted.sendall(hints * 3 + answer()))
        for _ in range(2):
            self.assertEqual(connection.call(get()), {'id': 'a'})
        self.assertEqual(server.connections, 1)

    def test_floods_are_not_read(self) -> None:
        for beginning in (OK + b'\r\n', OK + b'content-length: 999999999999\r\n\r\n', OK + b'transfer-encoding: chunked\r\n\r\n7fffffff\r\n'):
            def act(accepted: socket.socket, _number: int, beginning: bytes = beginning) -> None:
                accepted.sendall(beginning)
                for _ in range(1_000):
                    accepted.sendall(b'x' * 65_536)
            self.assertRegex(str(self.error_of(act)), 'of more than 2097152 bytes')

    def test_answers_that_are_not_http_are_network_errors(self) -> None:
        for data in (
            b'garbage\r\n\r\n', b'\x00\xff\x16\x03\x01' * 100, b'HTTP/9.9 200 OK\r\n\r\n', b'HTTP/1.1 abc OK\r\n\r\n', b'HTTP/1.1 2000 OK\r\n\r\n',
            b'SSH-2.0-OpenSSH_9.6\r\n', b'HTTP/1.1 200 ' + b'x' * 70_000, OK + b'x: ' + b'y' * 70_000, OK + b'x: y\r\n' * 200 + b'\r\n',
            KEY.encode() + b'\r\n', OK + b'transfer-encoding: chunked\r\n\r\nzz\r\n', OK + b'transfer-encoding: chunked\r\n\r\n-1\r\nabc',
            OK + b'transfer-encoding: chunked\r\n\r\n5\r\nab', OK + b'content-length: 50\r\n\r\n{"data":', OK, b'HTTP/1.1 200', b'',
        ):
            error = self.error_of(say(data))
            self.assertIsInstance(error, (NetworkError, UnexpectedAnswerError), f'{data[:60]}: {error!r}')

    def test_other_answers_are_unexpected(self) -> None:
        for data in (
            answer(b'\xff\xfe\x00'), answer(b'{"data": '), answer(b'<html>'), answer(b'[]'), answer(b''), answer(b'[' * 500_000),
            answer(b'{}', b'content-encoding: gzip\r\n'), b'HTTP/1.1 204 No Content\r\n\r\n', b'HTTP/1.1 304 Not Modified\r\n\r\n',
            b'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n', OK + b'\xff\xfe: \xff\r\ncontent-length: 2\r\n\r\n{}',
            OK + b'content-length: -5\r\n\r\n{}', OK + b'content-length: 99999999999999999999999\r\ncontent-length: 2\r\n\r\n',
            OK + b'x-ratelimit-limit: 1e9\r\nx-ratelimit-remaining: \xff\r\nx-ratelimit-reset: 999999999999999\r\ncontent-length: 2\r\n\r\n{}',
        ):
            error = self.error_of(say(data))
            self.assertIsInstance(error, (UnexpectedAnswerError, NetworkError), f'{data[-60:]}: {error!r}')

    def test_a_server_that_does_not_read_the_request_ends_by_the_timeout(self) -> None:
        listener = socket.create_server(('127.0.0.1', 0), backlog=0)
        self.addCleanup(listener.close)
        connection = Connection(KEY, f'http://127.0.0.1:{listener.getsockname()[1]}', TIMEOUT, 0)
        self.addCleanup(connection.close)
        began = time.monotonic()
        with self.assertRaises(MayflyTimeoutError):
            connection.call(post({'text': 'x' * 50_000_000}))
        self.assertLess(time.monotonic() - began, MAX_SECONDS)

    def test_a_web_page_of_a_proxy_is_an_error_of_the_server(self) -> None:
        page = b'HTTP/1.1 503 Busy\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>'
        error = self.error_of(say(page))
        self.assertIsInstance(error, ServerError)
        self.assertRegex(str(error), r"answered 503 with text/html, which is not Mayfly's\. Check base_url\. \(things.get: 503\)")

    def test_plain_http_instead_of_tls_is_a_network_error(self) -> None:
        server, _ = self.open(say(b'HTTP/1.1 400 Bad Request\r\n\r\n'))
        connection = Connection(KEY, server.url.replace('http:', 'https:'), TIMEOUT, 0)
        with self.assertRaises((NetworkError, MayflyTimeoutError)):
            connection.call(get())
        connection.close()

    def test_connections_are_kept_and_a_stale_one_is_no_retry(self) -> None:
        def close_second(accepted: socket.socket, number: int) -> None:
            if number == 2:
                accepted.shutdown(socket.SHUT_RDWR)  # after the request: the client cannot know before
            else:
                accepted.sendall(answer())
        server, connection = self.open(close_second)
        for _ in range(3):
            connection.call(post({'a': 1}))
        self.assertEqual((server.connections, len(server.requests)), (3, 5))
        keys = [line for request in server.requests for line in request.lower().split(b'\r\n') if line.startswith(b'idempotency-key')]
        self.assertEqual([keys[1] == keys[2], keys[3] == keys[4], len(set(keys))], [True, True, 3])

    def test_a_kept_connection_that_begins_an_answer_is_not_repeated(self) -> None:
        def break_second(accepted: socket.socket, number: int) -> None:
            accepted.sendall(answer() if number == 1 else b'HTTP/1.1 200')
            if number == 2:
                accepted.shutdown(socket.SHUT_RDWR)
        server, connection = self.open(break_second)
        connection.call(get())
        with self.assertRaises(NetworkError):
            connection.call(get())
        self.assertEqual(len(server.requests), 2)

    def test_many_threads_share_a_connection_pool(self) -> None:
        server, connection = self.open(say(answer(), is_closed=False), timeout=20)
        failures: list[BaseException] = []

        def work() -> None:
            try:
                for _ in range(20):
                    connection.call(get())
            except BaseException as error:
                failures.append(error)
        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertLessEqual(server.connections, 8)
        self.assertEqual(len(server.requests), 160)

    def test_closing_the_client_or_cancelling_ends_a_call_at_once(self) -> None:
        for is_closed in (True, False):
            arrived = threading.Event()

            def act(_accepted: socket.socket, _number: int, arrived: threading.Event = arrived) -> None:
                arrived.set()
            _, connection = self.open(act, timeout=60)
            cancellation = Cancellation()
            options: CallOptions = {'cancellation': cancellation}
            caught: list[BaseException] = []

            def work(connection: Connection = connection, options: CallOptions = options, caught: list[BaseException] = caught) -> None:
                try:
                    connection.call_with_response(get(), options)
                except BaseException as error:
                    caught.append(error)
            thread = threading.Thread(target=work)
            thread.start()
            arrived.wait(10)
            (connection.close if is_closed else cancellation.cancel)()
            thread.join(10)
            self.assertEqual([type(error) for error in caught], [MayflyError])
            self.assertRegex(str(caught[0]), 'the client is closed$' if is_closed else 'was cancelled$')

    def test_a_stream_gives_bytes_as_they_arrive_and_ends_by_its_silence(self) -> None:
        go_on = threading.Event()
        def act(accepted: socket.socket, _number: int) -> None:
            accepted.sendall(b'HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n')
            go_on.wait(10)
        _, connection = self.open(act)
        self.addCleanup(go_on.set)
        with connection.open_stream(get()) as stream:
            self.assertEqual(stream.read(), b'abc')
            with self.assertRaisesRegex(MayflyTimeoutError, r'no byte of the answer arrived within 0\.6 s'):
                stream.read()


if __name__ == '__main__':
    unittest.main()
