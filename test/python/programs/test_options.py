"""Options that cannot be used, without a network. test/clients/cases has the rules that all SDKs share."""

from __future__ import annotations

import asyncio
import unittest
from typing import Any, cast

import mayfly._core.errors as errors
from fakes import KEY, FakeResponse, FakeTransport, connect, get, post
from mayfly import AsyncMayfly, AsyncMayflyList, Domain, Mayfly
from mayfly._core.connection import Connection
from mayfly._core.options import read_api_key, read_base_url
from mayfly._core.request import Request, RequestOptions


class Options(unittest.TestCase):
    def test_a_base_url_may_have_an_ipv6_address_or_a_name_outside_of_ascii(self) -> None:
        for given, wanted in {
            '[::1]': 'http://[::1]', '[::1]:3000': 'http://[::1]:3000', 'HTTP://A.b': 'http://a.b',
            'https://münchen.example': 'https://xn--mnchen-3ya.example',
        }.items():
            self.assertEqual(read_base_url(given), wanted)

    def test_other_base_urls_are_refused_with_the_way_out(self) -> None:
        for given in ('http://', 'http://a.b#x', 'http://a b', 'http://a.b:99999', 'http://[::1', 'http://a.b/\r\nx', '/x'):
            with self.assertRaisesRegex(errors.MayflyError, '^base_url, or MAYFLY_BASE_URL, must be the URL of a server, such as', msg=given):
                read_base_url(given)
        with self.assertRaisesRegex(errors.MayflyError, 'leave them out') as caught:
            read_base_url('http://me:hidden@a.b')
        self.assertNotIn('hidden', str(caught.exception))

    def test_a_key_is_visible_ascii(self) -> None:
        for given in (f'{KEY}\r\nx: y', 'schlüssel', f'Bearer {KEY}'):
            with self.assertRaisesRegex(errors.MayflyError, 'characters that no API key has.*without "Bearer"') as caught:
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

    def test_options_of_another_type_are_refused_by_name(self) -> None:
        refused: list[tuple[dict[str, Any], str]] = [
            ({'api_key': 5}, 'api_key must be a str'), ({'api_key': b'svc_test_a'}, 'api_key must be a str'),
            ({'base_url': 3000}, 'base_url must be a str'), ({'hooks': print}, r'hooks must be a Hooks, such as Hooks\(on_retry=print\)'),
            ({'timeout': 10**400}, 'timeout must be a number of seconds above 0'),
        ]
        for options, message in refused:
            with self.assertRaisesRegex(errors.MayflyError, f'^{message}'):
                cast(Any, Mayfly)(**{'api_key': KEY, **options})
        for max_threads in (0, -1, '5', 1.5, True):
            with self.assertRaisesRegex(errors.MayflyError, '^max_threads must be a whole number from 1 on$'):
                AsyncMayfly(KEY, max_threads=cast(int, max_threads))

    def test_unknown_options_of_a_call_are_refused_with_the_known_ones(self) -> None:
        client = Mayfly(KEY, 'http://mail.test', transport=FakeTransport([]))
        refused = {'timout': ' Did you mean timeout[?]', 'idempotencyKey': ' Did you mean idempotency_key[?]', 'cancellation': ' Known are .*max_retries.*'}
        for name, hint in refused.items():
            with self.assertRaisesRegex(errors.MayflyError, f'^addresses.list: unknown option {name}[.]{hint}'):
                client.addresses.list(options=cast(RequestOptions, {name: None}))
        for given in (5, 'timeout', [('timeout', 5)]):
            with self.assertRaisesRegex(errors.MayflyError, "^addresses.list: the options must be a dict, such as {'timeout': 5}$"):
                client.addresses.list(options=cast(RequestOptions, given))
        for headers in ([('a', 'b')], 'a: b', 5):
            with self.assertRaisesRegex(errors.MayflyError, "^addresses.list: headers must be a dict of texts, such as {'X-Trace': '1'}$"):
                client.addresses.list(options={'headers': cast('dict[str, str]', headers)})
        with self.assertRaisesRegex(errors.MayflyError, 'the header 5 is not'):
            client.addresses.list(options={'headers': cast('dict[str, str]', {5: 'a'})})

    def test_a_plain_loop_over_a_list_of_the_client_for_asyncio_is_refused_from_the_first_page_on(self) -> None:
        async def listed() -> AsyncMayflyList[Domain]:
            async with AsyncMayfly(KEY, 'http://mail.test', transport=FakeTransport([FakeResponse(200, {'data': []})])) as client:
                return await client.domains.list()
        found = asyncio.run(listed())
        self.assertEqual(list(found.items), [])
        with self.assertRaisesRegex(TypeError, '^Use `async for`'):
            list(found)

    def test_headers_that_end_or_delimit_a_request_are_refused(self) -> None:
        transport = FakeTransport([])
        for name in ('Content-Length', 'transfer-encoding', 'Connection', 'Upgrade', 'Expect', 'TE', 'Trailer', 'Keep-Alive'):
            with self.assertRaisesRegex(errors.MayflyError, f"the header '{name.lower()}' is set by the client; leave it out"):
                connect(transport).call(post({'a': 1}), {'headers': {name: '5'}})
        self.assertEqual(transport.requests, [])

    def test_arguments_of_another_type_are_refused_by_name(self) -> None:
        client = Mayfly(KEY, 'http://mail.test', transport=FakeTransport([]))
        with self.assertRaisesRegex(errors.MayflyError, '^emails.list: is_deleted must be True, False or None$'):
            client.emails.list(is_deleted=cast(bool, 'false'))
        with self.assertRaisesRegex(errors.MayflyError, '^emails.wait_for: match must be a function that takes an email$'):
            client.emails.wait_for(match=cast(Any, 'a'))
        with self.assertRaisesRegex(errors.MayflyError, '^events.subscribe: unknown event email.recieved. Did you mean email.received[?] Known are email.received, '):
            client.events.subscribe(events=cast(Any, ['email.recieved']))
        with self.assertRaisesRegex(errors.MayflyError, '^events.subscribe: last_event_id must be a str$'):
            client.events.subscribe(last_event_id=cast(str, 5))
        with self.assertRaisesRegex(errors.MayflyError, '^addresses.get: id must be an id, not an email address$'):
            client.addresses.get('shop@mail.localhost')


if __name__ == '__main__':
    unittest.main()
