"""Errors and limits of answers, without a network. test/clients/cases has the rules that all SDKs share."""

from __future__ import annotations

import json
import pickle
import unittest
from typing import Any

import mayfly
import mayfly._core.errors as errors
from fakes import KEY, FakeResponse, FakeTransport, Reply, connect, get
from mayfly._core.body import has_more_values, max_values
from mayfly._core.request import Request


class Errors(unittest.TestCase):
    def error_of(self, response: Reply, request: Request[object] | None = None) -> errors.ApiError:
        with self.assertRaises(errors.ApiError) as caught:
            connect(FakeTransport([response]), 0).call(request or get(q='secret words'))
        return caught.exception

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
            str(error), 'The body breaks a rule. (things.get: 400 INVALID_REQUEST, request id r1)',
        )
        copied = pickle.loads(pickle.dumps(error))
        self.assertEqual((str(copied), copied.details), (str(error), error.details))

    def test_a_body_that_is_not_json_of_mayfly_is_an_unexpected_answer(self) -> None:
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

    def test_a_stream_is_no_web_page(self) -> None:
        raw = Request[bytes]('emails.raw', 'GET', '/emails/a/raw', bytes, False, accept='*/*')
        with self.assertRaises(errors.UnexpectedAnswerError):
            connect(FakeTransport([FakeResponse(200, b'<html>', {'content-type': 'text/html'})])).open_stream(raw)

    def test_tracebacks_name_errors_as_programs_import_them(self) -> None:
        for name in mayfly.__all__:
            member = getattr(mayfly, name)
            if isinstance(member, type) and issubclass(member, Exception):
                self.assertEqual(f'{member.__module__}.{member.__name__}', f'mayfly.{name}')

    def test_a_client_cannot_be_pickled_and_the_error_says_what_to_do(self) -> None:
        client = mayfly.Mayfly(KEY)
        for value in (client, client.addresses, client.inboxes):
            with self.assertRaisesRegex(errors.MayflyError, r'^A client has connections and cannot be pickled\. Make one in each process'):
                pickle.dumps(value)
        transport = FakeTransport([FakeResponse(200, {'data': []})])
        listed = mayfly.Mayfly(KEY, 'http://mail.test', transport=transport).domains.list()
        with self.assertRaisesRegex(errors.MayflyError, r'^A list cannot be pickled, .*\. Pickle its `items`\.$'):
            pickle.dumps(listed)


if __name__ == '__main__':
    unittest.main()
