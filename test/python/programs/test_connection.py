"""Retries, errors, options and limits of a connection, without a network."""

from __future__ import annotations

import json
import os
import pickle
import unittest
from typing import Any, cast

import mayfly._core.errors as errors
from fakes import KEY, FakeClock, FakeResponse, FakeTransport, Reply, connect, get, post, use_clock
from mayfly._core.body import has_more_values, max_values
from mayfly._core.connection import CallOptions, Connection
from mayfly._core.deadline import Cancellation
from mayfly._core.hooks import Hooks
from mayfly._core.options import read_api_key, read_base_url
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

    def test_transient_errors_are_retried_twice_with_growing_pauses(self) -> None:
        for status in (408, 429, 500, 502, 503, 504):
            self.assertEqual(self.call([failure(status), failure(status)]).times, [0, 0.5, 1.5], status)
            error = self.error_of([failure(status) for _ in range(3)])
            self.assertEqual(cast(errors.ApiError, error).status, status)
            self.assertEqual(self.transport.times, [0, 0.5, 1.5])
        self.assertEqual(self.call([lost(), lost()]).times, [0, 0.5, 1.5])
        self.assertIs(type(self.error_of([lost(), lost(), lost()])), errors.NetworkError)

    def test_other_errors_are_not_retried(self) -> None:
        for status in (301, 400, 401, 403, 404, 405, 409, 413, 415, 501, 505, 507):
            self.error_of([failure(status)])
            self.assertEqual(len(self.transport.requests), 1, status)

    def test_pauses_have_a_maximum_of_8_seconds_and_a_random_half(self) -> None:
        sent = self.call([failure(503) for _ in range(7)], {'max_retries': 7, 'timeout': 60})
        self.assertEqual(sent.times, [0, 0.5, 1.5, 3.5, 7.5, 15.5, 23.5, 31.5])
        self.clock.value = 0
        self.assertEqual(self.call([failure(503), failure(503)]).times, [0, 0.25, 0.75])

    def test_pauses_follow_the_headers_but_are_half_a_second_at_least(self) -> None:
        self.assertEqual(self.call([failure(429, {'retry-after': '7'}), failure(503, {'retry-after': '0.75'})]).times, [0, 7, 7.75])
        self.assertEqual(self.call([failure(503, {'retry-after': '0'})]).times, [0, 0.5])
        window = {
            'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1773478812',
            'date': 'Sat, 14 Mar 2026 09:00:00 GMT',
        }
        self.assertEqual(self.call([failure(429, window)]).times, [0, 12])
        dated = {'retry-after': 'Sat, 14 Mar 2026 09:00:03 GMT', 'date': 'Sat, 14 Mar 2026 09:00:00 GMT'}
        self.assertEqual(self.call([failure(503, dated)]).times, [0, 3])
        for malformed in ('-1', 'nan', 'inf', 'soon', '9' * 400, 'Sat, 99 Mar 2026 09:00:03 GMT'):
            self.assertEqual(self.call([failure(503, {'retry-after': malformed})]).times, [0, 0.5], malformed)

    def test_a_pause_beyond_the_timeout_ends_the_call_at_once(self) -> None:
        error = self.error_of([failure(429, {'retry-after': '31'})])
        self.assertIsInstance(error, errors.RateLimitError)
        self.assertEqual((cast(errors.RateLimitError, error).retry_after, self.clock.time), (31, 0))

    def test_the_last_attempt_begins_shortly_before_the_timeout(self) -> None:
        self.error_of([lost() for _ in range(9)], {'timeout': 1, 'max_retries': 9})
        self.assertEqual(self.transport.times, [0, 0.5, 0.75])

    def test_the_timeout_limits_all_attempts_and_has_the_last_error_as_its_cause(self) -> None:
        error = self.error_of([failure(503), 'silence'], {'timeout': 2})
        self.assertIs(type(error), errors.MayflyTimeoutError)
        self.assertIsInstance(error, TimeoutError)
        self.assertEqual(str(error), 'things.get (GET http://mail.test:3000/api/v1/things) got no answer within 2 s')
        self.assertIsInstance(error.__cause__, errors.ServerError)
        self.assertEqual(self.clock.time, 2)

    def test_one_idempotency_key_serves_all_attempts(self) -> None:
        keys = [request.headers.get('idempotency-key') for request in self.call([lost(), failure(500)], request=post({'a': 1})).requests]
        self.assertEqual(len(set(keys)), 1)
        self.assertRegex(str(keys[0]), r'^[0-9a-f]{32}$')
        again = self.call([], request=post()).requests[0].headers
        self.assertNotEqual(again['idempotency-key'], keys[0])
        self.assertNotIn('content-type', again)
        own = self.call([], {'idempotency_key': 'mine', 'headers': {'Authorization': 'Bearer other'}}, post()).requests[0].headers
        self.assertEqual((own['idempotency-key'], own['authorization']), ('mine', f'Bearer {KEY}'))
        self.assertNotIn('idempotency-key', self.call([]).requests[0].headers)

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
        self.assertEqual(str(error), 'things.get (GET http://mail.test:3000/api/v1/things) was cancelled')
        connection = connect(FakeTransport([]))
        connection.close()
        with self.assertRaisesRegex(errors.MayflyError, 'the client is closed$'):
            connection.call(get())


class Errors(unittest.TestCase):
    def error_of(self, response: Reply, request: Request[object] | None = None) -> errors.ApiError:
        with self.assertRaises(errors.ApiError) as caught:
            connect(FakeTransport([response]), 0).call(request or get(q='secret words'))
        return caught.exception

    def test_each_status_has_its_class(self) -> None:
        classes = {
            400: 'InvalidRequestError', 401: 'AuthenticationError', 403: 'PermissionDeniedError', 404: 'NotFoundError', 405: 'InvalidRequestError',
            409: 'ConflictError', 429: 'RateLimitError', 500: 'ServerError', 503: 'ServerError', 302: 'UnexpectedAnswerError', 199: 'UnexpectedAnswerError',
        }
        for status, name in classes.items():
            self.assertEqual(type(self.error_of(failure(status))).__name__, name)

    def test_an_error_has_the_parts_of_the_answer_and_names_the_request(self) -> None:
        body = {
            'error': 'The body breaks a rule.', 'code': 'INVALID_REQUEST',
            'details': [{'path': 'body.alias', 'message': 'must be a string'}, {'path': 1}, None],
        }
        error = self.error_of(FakeResponse(400, body, {'x-request-id': 'r1'}))
        self.assertEqual((error.message, error.code, error.request_id, error.status), (body['error'], 'INVALID_REQUEST', 'r1', 400))
        self.assertEqual(error.details, (errors.ErrorDetail('body.alias', 'must be a string'),))
        self.assertEqual(error.headers['X-Request-ID'], 'r1')
        self.assertEqual(
            str(error), 'The body breaks a rule. (GET http://mail.test:3000/api/v1/things: 400, INVALID_REQUEST, request id r1)',
        )
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copied), copied.details), (str(error), error.details))

    def test_answers_of_other_programs_say_so(self) -> None:
        page = FakeResponse(502, b'<html>\xff</html>', {'content-type': 'text/html; charset=utf-8'})
        error = self.error_of(page)
        self.assertIsInstance(error, errors.ServerError)
        self.assertEqual(error.message, "http://mail.test:3000 answered 502 with text/html, which is not Mayfly's. Check base_url.")
        self.assertIsNone(error.code)
        bodies: list[bytes] = [
            b'<html></html>', b'', b'{"data": 1', b'[]', b'null', b'{"data2": 1}', b'\xff\xfe', b'[' * 100_000, b'{"data":' * 65 + b'1' + b'}' * 65,
            b'{"data": NaN}', b'{"data": ' + b'9' * 5_000 + b'}', b'"' * 1_000_000, b'{"data": "' + b'\\' * 999_999,
        ]
        for body in bodies:
            self.assertIsInstance(self.error_of(FakeResponse(200, body)), errors.UnexpectedAnswerError, body[:20])

    def test_a_longer_answer_is_not_read(self) -> None:
        error = self.error_of(FakeResponse(200, b'"' + b'x' * 2_100_000))
        self.assertRegex(error.message, 'of more than 2097152 bytes, which are not read')
        self.assertRegex(self.error_of(FakeResponse(200, b'[' + b'1,' * 100_001)).message, 'of more than 100000 values')
        email = Request[object]('emails.get', 'GET', '/emails/a', lambda body: body['data'], False)
        self.assertEqual(len(str(connect(FakeTransport([FakeResponse(200, {'data': 'x' * 3_000_000})])).call(email))), 3_000_000)
        self.assertIsInstance(self.error_of(FakeResponse(500, b'{"error":"' + b'x' * 3_000_000)), errors.ServerError)

    def test_values_are_counted_outside_of_strings(self) -> None:
        strings = json.dumps({'text': ',[{\\"' * 100_000}).encode()
        self.assertFalse(has_more_values(strings, max_values))
        self.assertFalse(has_more_values(json.dumps([1] * max_values).encode(), max_values))
        self.assertTrue(has_more_values(json.dumps([1] * (max_values + 1)).encode(), max_values))
        self.assertTrue(has_more_values(b'["",' + b'"",' * max_values, max_values))

    def test_texts_can_be_printed(self) -> None:
        answer = FakeResponse(200, b'{"data": {"a": "\\ud800 \xff", "b": "\\ud83d\\ude00"}}')
        data: Any = connect(FakeTransport([answer])).call(get())
        self.assertEqual(data, {'a': '? \ufffd', 'b': '\U0001f600'})
        error = self.error_of(FakeResponse(400, b'{"error": "\\udfff", "code": "A"}'))
        str(error).encode()

    def test_no_error_has_the_key(self) -> None:
        escaped = ''.join(f'%{ord(character):02X}' for character in KEY)
        body = {'error': f'{KEY} {KEY.upper()} {escaped}', 'code': KEY, 'details': [{'path': KEY, 'message': KEY}]}
        error = self.error_of(FakeResponse(400, body, {'x-request-id': KEY, 'x-other': KEY}))
        shown = f'{error!r} {error} {error.headers.items()} {vars(error)} {error.details}'
        for form in (KEY, KEY.upper(), escaped):
            self.assertNotIn(form, shown)
        with self.assertRaises(errors.NetworkError) as caught:
            connect(FakeTransport([OSError(5, f'no {KEY}')]), 0).call(get())
        self.assertNotIn(KEY, f'{caught.exception!r} {caught.exception.__cause__!r}')
        self.assertNotIn(KEY, repr(connect(FakeTransport([]))))

    def test_a_connection_that_cannot_be_made_names_the_server(self) -> None:
        with self.assertRaises(errors.NetworkError) as caught:
            connect(FakeTransport([ConnectionRefusedError(111, 'Connection refused')]), 0).call(get())
        self.assertEqual(
            str(caught.exception), 'things.get (GET http://mail.test:3000/api/v1/things): '
            'could not reach http://mail.test:3000: Connection refused. Is the server running?',
        )
        self.assertIsInstance(caught.exception.__cause__, ConnectionRefusedError)

    def test_files_and_streams_are_no_web_pages(self) -> None:
        raw = Request[bytes]('emails.raw', 'GET', '/emails/a/raw', bytes, False, accept='*/*')
        web_page = {'content-type': 'text/html'}
        with self.assertRaises(errors.UnexpectedAnswerError):
            connect(FakeTransport([FakeResponse(200, b'<html>', web_page)])).call(raw)
        mail = FakeResponse(200, b'\xff\x00', {'content-type': 'message/rfc822'})
        self.assertEqual(connect(FakeTransport([mail])).call(raw), b'\xff\x00')
        with self.assertRaises(errors.UnexpectedAnswerError):
            connect(FakeTransport([FakeResponse(200, b'<html>', web_page)])).open_stream(raw)


class Options(unittest.TestCase):
    def test_a_base_url_is_accepted_as_people_paste_it(self) -> None:
        for given, wanted in {
            'localhost:3000': 'http://localhost:3000', '127.0.0.1:3000/': 'http://127.0.0.1:3000', '[::1]': 'http://[::1]',
            ' https://mail.example.com/api/v1/ ': 'https://mail.example.com', 'https://a.b/mayfly//': 'https://a.b/mayfly',
            'http://a.b/mayfly/api/v1': 'http://a.b/mayfly', '[::1]:3000': 'http://[::1]:3000', 'HTTP://A.b': 'http://a.b',
            'https://münchen.example': 'https://xn--mnchen-3ya.example',
        }.items():
            self.assertEqual(read_base_url(given), wanted)

    def test_other_base_urls_are_refused_with_the_way_out(self) -> None:
        for given in ('ftp://a.b', 'http://', 'http://a.b?x=1', 'http://a.b#x', 'http://a b', 'http://a.b:99999', 'http://[::1', 'http://a.b/\r\nx', '/x', 'a.b'):
            with self.assertRaisesRegex(errors.MayflyError, '^base_url, or MAYFLY_BASE_URL, must be the URL of a server, such as', msg=given):
                read_base_url(given)
        with self.assertRaisesRegex(errors.MayflyError, 'leave them out') as caught:
            read_base_url('http://me:hidden@a.b')
        self.assertNotIn('hidden', str(caught.exception))

    def test_a_key_is_necessary(self) -> None:
        os.environ.pop('MAYFLY_API_KEY', None)
        with self.assertRaisesRegex(errors.MayflyError, 'MAYFLY_API_KEY'):
            read_api_key(None)
        self.assertEqual(read_api_key(f' {KEY}\n'), KEY)
        for given in (f'{KEY}\r\nx: y', 'schlüssel'):
            with self.assertRaisesRegex(errors.MayflyError, 'characters that no API key has') as caught:
                read_api_key(given)
            self.assertNotIn(given, str(caught.exception))

    def test_wrong_numbers_are_refused(self) -> None:
        for timeout in (0, -1, float('nan'), True, '5', None):
            with self.assertRaisesRegex(errors.MayflyError, 'timeout must be a number of seconds above 0'):
                Connection(KEY, timeout=cast(float, timeout))
        for max_retries in (-1, float('nan'), '5', None):
            with self.assertRaisesRegex(errors.MayflyError, 'max_retries must be a number from 0 on'):
                Connection(KEY, max_retries=cast(int, max_retries))

    def test_requests_that_cannot_be_sent_are_refused(self) -> None:
        connection = connect(FakeTransport([]))
        refused: list[tuple[Request[object], RequestOptions]] = [
            (get(), {'headers': {'x': 'a\r\nb'}}), (get(), {'headers': {'x\n': 'a'}}), (get(), {'headers': {'x': '\u20ac'}}),
            (post(), {'idempotency_key': 'a\nb'}), (post({1, 2}), {}), (post(float('nan')), {}), (get('/a b'), {}), (get('/a?b'), {}),
        ]
        for request, options in refused:
            with self.assertRaises(errors.MayflyError):
                connection.call(request, options)

    def test_queries_are_encoded(self) -> None:
        transport = FakeTransport([])
        connect(transport).call(get(a='ä &=', b=None, c=True, d=0))
        self.assertEqual(transport.requests[0].url, 'http://mail.test:3000/api/v1/things?a=%C3%A4+%26%3D&c=true&d=0')


if __name__ == '__main__':
    unittest.main()
