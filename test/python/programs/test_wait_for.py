"""Waits for mail, over a mailbox and a clock in memory."""

from __future__ import annotations

import re
import unittest
from datetime import datetime, timezone
from typing import Any, cast

from fake_mailbox import ADDRESS, START_MS, FakeEmail, FakeLink, FakeMailbox, id_at
from fakes import FakeClock, use_clock
from mayfly._core.errors import (
    AuthenticationError, ErrorAnswer, MayflyError, MayflyTimeoutError, NetworkError, RateLimitError, ServerError,
)
from mayfly._core.headers import Headers
from mayfly._mail_filters import Filters
from mayfly._seen_mail import SeenMail
from mayfly._wait_for import wait_for
from mayfly._wait_input import WaitInput
from mayfly._wanted import wanted_code, wanted_link


class Waits(unittest.TestCase):
    def setUp(self) -> None:
        self.clock = FakeClock()
        self.addCleanup(use_clock(self.clock))
        self.mailbox = FakeMailbox(self.clock)

    def wait(self, filters: Filters = Filters(), address_id: str | None = ADDRESS, **more: Any) -> FakeEmail:
        return wait_for(self.mailbox.client(), WaitInput[FakeEmail](address_id=address_id, filters=filters, **more))

    def error_of(self, filters: Filters = Filters(), **more: Any) -> MayflyTimeoutError:
        with self.assertRaises(MayflyTimeoutError) as caught:
            self.wait(filters, **more)
        return caught.exception

    def test_mail_before_the_call_counts_at_an_address_of_this_client_alone(self) -> None:
        earlier = self.mailbox.publish(at=-5)
        self.mailbox.later(3, lambda: self.mailbox.publish(subject='new'))
        self.assertEqual(self.wait().subject, 'new')
        self.assertEqual(self.clock.time, 3)
        self.mailbox.seen = SeenMail()  # of another client
        self.mailbox.seen.issued(ADDRESS)
        self.assertEqual(self.wait(), earlier)
        self.assertEqual(self.wait().subject, 'new')
        self.assertRegex(str(self.error_of(timeout=1)), r'^Waited 1.0 s for an email with address_id "019c.*"\. No other mail arrived\.$')

    def test_a_wait_begins_after_the_mail_that_calls_returned(self) -> None:
        self.mailbox.seen.issued(ADDRESS)
        first, second = self.mailbox.publish(), self.mailbox.publish()
        self.mailbox.seen.add(first)
        self.assertEqual(self.wait(), second)

    def test_after_is_an_email_an_id_or_a_time(self) -> None:
        first, second = self.mailbox.publish(at=-5), self.mailbox.publish(at=-2)
        self.assertEqual(self.wait(after=first), second)
        self.assertEqual(self.wait(after=first.id), second)
        self.assertEqual(self.wait(after=datetime.fromtimestamp((START_MS - 9_000) / 1000, timezone.utc)), first)
        for after, text in ((datetime(2026, 3, 14), 'without a time zone'), ('../x', 'malformed'), (5, 'malformed')):
            with self.assertRaisesRegex(MayflyError, f'emails.wait_for: after .*{text}'):
                self.wait(after=after)

    def test_the_server_compares_text_and_the_client_expressions(self) -> None:
        self.mailbox.seen.issued(ADDRESS)
        for subject in ('Welcome', 'Your code', 'Bye'):
            self.mailbox.publish(subject=subject)
        self.assertEqual(self.wait(Filters(subject='CODE')).subject, 'Your code')
        self.assertEqual(self.mailbox.calls, ['wait None CODE 25'])
        self.mailbox.calls.clear()
        self.assertEqual(self.wait(Filters(from_='shop', subject=re.compile('b.e', re.IGNORECASE))).subject, 'Bye')
        self.assertEqual([call.split()[0] for call in self.mailbox.calls], ['list', 'get'])

    def test_other_filters_compare_the_whole_email(self) -> None:
        self.mailbox.seen.issued(ADDRESS)
        truncated = self.mailbox.publish(body_text='long text with the code 482913')
        self.mailbox.listed[truncated.id] = FakeEmail(truncated.id, body_text='long', is_truncated=True)
        tagged = self.mailbox.publish(to='a+tag@mail.test', body_html='<b>482913</b>')
        self.assertEqual(self.wait(Filters(body='Code 4829')), truncated)
        self.assertEqual(self.wait(Filters(to='+TAG', body=re.compile(r'<b>\d{6}'))), tagged)

    def test_match_is_called_once_for_each_email_and_its_errors_end_the_wait(self) -> None:
        self.mailbox.seen.issued(ADDRESS)
        for subject in ('one', 'two', 'three'):
            self.mailbox.publish(subject=subject)
        called: list[str] = []

        def match(email: FakeEmail) -> bool:
            called.append(email.subject)
            return email.subject == 'three'
        self.assertEqual(self.wait(match=match).subject, 'three')
        self.assertEqual(called, ['one', 'two', 'three'])
        for error in (KeyError('mine'), NetworkError('mine')):
            def fail(_email: FakeEmail, error: Exception = error) -> bool:
                raise error
            with self.assertRaises(type(error)) as caught:
                self.wait(match=fail, after=id_at(0, 0))
            self.assertIs(caught.exception, error)

    def test_a_code_or_a_link_is_never_missing(self) -> None:
        self.mailbox.seen.issued(ADDRESS)
        self.mailbox.publish(subject='Welcome', links=(FakeLink('Home', 'https://shop.test/'),))
        wanted = wanted_code()
        error = self.error_of(Filters(from_='shop'), wanted=wanted)
        self.assertEqual(str(error), (
            f'Waited 30.0 s for an email with a code, from_ "shop", address_id "{ADDRESS}".'
            ' 1 mail came, without a code: "Welcome" from shop@example.org.'
        ))
        self.mailbox.publish(subject='Code', codes=('482913', '1'), links=(FakeLink('Confirm now', 'https://shop.test/confirm'),))
        self.assertEqual(wanted.find(self.wait(wanted=wanted)), '482913')
        for link in (wanted_link('CONFIRM', None), wanted_link(None, re.compile('/confirm$')), wanted_link(None, None)):
            url = link.find(self.wait(wanted=link, after=id_at(0, 0)))
            self.assertEqual(url, 'https://shop.test/' if link.missing == 'a link' else 'https://shop.test/confirm')
        error = self.error_of(wanted=wanted_link('reset', None), after=id_at(0, 0), timeout=2)
        self.assertRegex(str(error), 'with a link, text "reset", .* 2 mails came, without such a link: "Welcome" from')

    def test_the_timeout_lists_the_mail_that_arrived_instead(self) -> None:
        for number in range(7):
            self.mailbox.later(1 + number, lambda number=number: self.mailbox.publish(subject=f'mail {number}', from_=''))
        error = self.error_of(Filters(subject='code', from_=re.compile('x$')), timeout=10)
        self.assertEqual([email.subject for email in error.arrived], [f'mail {number}' for number in range(7)])
        self.assertRegex(str(error), (
            r'^Waited 10.0 s for an email with from_ /x\$/, subject "code", address_id "[0-9a-f-]+"\. Other mail arrived: '
            r'"mail 0" from an unknown sender, .*"mail 4" from an unknown sender, and 2 more\.$'
        ))
        self.assertEqual(self.clock.time, 10)

    def test_requests_last_25_seconds_at_most(self) -> None:
        self.error_of(timeout=60)
        waits = [call for call in self.mailbox.calls if call.startswith('wait')]
        self.assertEqual(waits[:2], ['wait None None 25', 'wait None None 25'])
        self.assertLessEqual(len(waits), 4)

    def test_transient_errors_are_reported_at_the_end_and_others_at_once(self) -> None:
        self.mailbox.seen.issued(ADDRESS)
        failures: list[tuple[Exception, bool]] = [
            (NetworkError('gone'), True), (ServerError('Busy.', ErrorAnswer(503, Headers())), True),
            (RateLimitError('Slow.', ErrorAnswer(429, Headers())), False), (AuthenticationError('No.', ErrorAnswer(401, Headers())), False),
        ]
        for failure, is_transient in failures:
            self.mailbox.fail = lambda name, failure=failure: failure
            with self.assertRaises(MayflyError) as caught:
                self.wait()
            if is_transient:
                self.assertRegex(str(caught.exception), f'^Waited 30.0 s .* The last request failed: {failure}')
                self.assertIs(caught.exception.__cause__, failure)
            else:
                self.assertIs(caught.exception, failure)

    def test_a_mail_that_was_in_the_parser_is_returned_by_the_next_wait(self) -> None:
        self.mailbox.seen.issued(ADDRESS)
        slow = id_at(START_MS, 1)
        quick = FakeEmail(id_at(START_MS, 2), subject='quick')
        self.mailbox.emails.append(quick)
        self.assertEqual(self.wait(), quick)
        self.mailbox.emails.append(FakeEmail(slow, subject='slow'))
        self.assertEqual(self.wait().subject, 'slow')
        self.error_of(timeout=1)

    def test_an_answer_without_the_time_of_the_server_is_refused(self) -> None:
        self.mailbox.has_time = False
        with self.assertRaisesRegex(MayflyError, 'the server is older than this package'):
            self.wait()

    def test_wrong_arguments_are_refused(self) -> None:
        wrong: list[dict[str, Any]] = [
            {'address_id': ''}, {'address_id': 'a/b'}, {'timeout': 0}, {'timeout': -1}, {'filters': Filters(subject=cast(str, 5))},
            {'filters': Filters(body=cast(str, re.compile(b'x')))}, {'address_id': 5},
        ]
        for given in wrong:
            with self.assertRaisesRegex(MayflyError, 'emails.wait_for: |timeout must'):
                self.wait(**given)
        with self.assertRaisesRegex(MayflyError, r'inbox\.wait_for_link: text must be a str or a re\.Pattern of str'):
            wanted_link(cast(str, 5), None)


if __name__ == '__main__':
    unittest.main()
