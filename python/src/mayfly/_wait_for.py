"""Waits for an email that matches."""

from __future__ import annotations

import math
import re
from typing import Generic, TypeVar

from ._core.clock import clock
from ._core.connection import CallOptions
from ._core.deadline import Cancellation
from ._core.errors import MayflyError, MayflyTimeoutError, NotFoundError, RateLimitError, UnexpectedAnswerError
from ._core.ids import first_id_at, require_id, to_cursor
from ._core.options import check_timeout
from ._core.retry import backoff, is_transient
from ._mail_filters import FilteredMail, ListedMail, TextFilter, describe_timeout, is_truncated, matches, whole_address
from ._seen_mail import SeenMail, Start
from ._wait_input import WaitClient, WaitInput

E = TypeVar('E', bound=FilteredMail)
S = TypeVar('S', bound=ListedMail)

max_wait_seconds = 25
"""Maximum duration of one request: proxies end longer ones."""
max_listed = 10_000
"""Maximum number of emails that are listed: of a longer backlog, the emails are requested one by one."""
max_page_bytes = 640 * 1024
"""Maximum bytes of JSON in a page of such a list. A page of 100 emails has less than 550 kB."""
last_list_timeout = 1.0
"""Seconds for the last list, whose emails the time-out describes."""
max_server_filter = 255


def wait_for(client: WaitClient[E, S], given: WaitInput[E]) -> E:
    """
    Sends `emails.wait` again and again until an email matches, and returns the oldest that does. Transient errors are retried.
    :raises MayflyTimeoutError: with the mail that arrived instead
    """
    given.filters.check('emails.wait_for')
    timeout = check_timeout(client.wait_timeout if given.timeout is None else given.timeout)
    if given.match is not None and not callable(given.match):
        raise MayflyError('emails.wait_for: match must be a function that takes an email')
    return _Wait(client, given, timeout).run()


class _Wait(Generic[E, S]):
    def __init__(self, client: WaitClient[E, S], given: WaitInput[E], timeout: float) -> None:
        self.client = client
        self.given = given
        self.timeout = timeout
        self.began = clock.now()
        self.end = timeout
        self.is_last = False
        self.has_match_raised = False
        self.failure: Exception | None = None
        """The error of an email that could not be read, or of the last list."""
        self.start = _choose_start(client.seen, given)
        self.arrived: list[S] | None = None
        self.listed: str | None = None
        """All mail up to this cursor was listed."""
        self.refused: set[str] = set()
        """Whole emails that do not match."""
        self.lacking: set[str] = set()
        """Those of them that lack the wanted part alone."""
        self.cancellation = given.cancellation or Cancellation()

    def run(self) -> E:
        filters = self.given.filters
        # the server matches text in sender and subject, and whole recipients: for other filters the backlog is listed, in place of one request
        # for each email
        is_listed = (
            any(isinstance(value, re.Pattern) for value in (filters.from_, filters.subject)) or filters.to != whole_address(filters.to) or filters.body
        )
        found: E | None = None
        try:
            found = self.find_listed(self.start) if self.start and is_listed else None
            found = self.wait_on_server() if found is None else found
        except Exception as error:
            if self.is_final(error) or isinstance(error, RateLimitError):
                raise
        return self.find_at_end() if found is None else found

    def is_final(self, error: Exception) -> bool:
        """Whether an error ends the wait."""
        return self.has_match_raised or not is_transient(error)

    def elapsed(self) -> float:
        return clock.now() - self.began

    def remaining(self, attempt_timeout: float | None = None) -> CallOptions:
        """Options of a request, which may take all of the remaining time."""
        options: CallOptions = {
            'timeout': max(0.001, self.end - self.elapsed()),
            'attempt_timeout': self.client.timeout if attempt_timeout is None else attempt_timeout,
            'cancellation': self.cancellation,
        }
        if self.is_last:
            options['max_retries'] = 0
        else:
            options['endless_retries'] = True
        return options

    def is_awaited(self, email: E) -> bool:
        """Whether a whole email is the one that the caller waits for."""
        if email.id in self.refused:
            return False
        is_near = matches(email, self.given.filters)
        is_lacking = is_near and self.given.wanted is not None and self.given.wanted.find(email) is None
        if is_near and not is_lacking and self.call_match(email):
            return True
        self.refused.add(email.id)
        if is_lacking:
            self.lacking.add(email.id)
        return False

    def call_match(self, email: E) -> bool:
        try:
            return self.given.match is None or bool(self.given.match(email))
        except Exception:
            self.has_match_raised = True
            raise

    def wait_on_server(self) -> E | None:
        given = self.given
        start = self.start = self.start or self.start_now()
        checked = set(start.excepted)
        cursor = self.listed or start.after or first_id_at(0)
        repeats = 0
        while self.elapsed() < self.end:
            requested = self.elapsed()
            timeout = min(max_wait_seconds, math.ceil(min(self.end - requested, max_wait_seconds)))
            email: E | None = None
            try:
                result = self.client.wait(
                    given.address_id, cursor, _server_filter(given.filters.from_), whole_address(given.filters.to),
                    _server_filter(given.filters.subject), timeout, self.remaining(timeout + self.client.timeout),
                )
                email, following = result.email, result.cursor
            except UnexpectedAnswerError as error:
                # an answer that is invalid or too long is skipped: otherwise one such email would end all waits at its address
                following = error.headers.get('x-mayfly-cursor')
                if not following:
                    raise
                self.failure = error
            repeats = repeats + 1 if following == cursor else 0
            cursor = following
            if email is not None and email.id not in checked:
                checked.add(email.id)
                if not self.is_awaited(email):
                    continue
                self.client.seen.add(email)
                return email
            # nothing came, although the server may have answered at once
            if repeats > 0:
                self.pause(min(self.end - self.elapsed(), backoff(repeats) - (self.elapsed() - requested)))
        return None

    def find_listed(self, start: Start) -> E | None:
        """Lists the mail from `start` on and returns the oldest match."""
        filters = self.given.filters
        found = self.list_since(start.after)
        self.arrived = None if found is None else [item for item in found if item.id not in start.excepted]
        for item in self.arrived or []:
            if item.id in self.refused or not (is_truncated(item, filters) or matches(item, filters)):
                continue
            try:
                email = self.client.get(item.id, self.remaining())
            except NotFoundError:
                continue  # deleted since the list was made
            except UnexpectedAnswerError as error:
                self.failure = error
                continue
            if self.is_awaited(email):
                self.client.seen.add(email)
                return email
        return None

    def find_at_end(self) -> E:
        """After the time-out: lists the mail once more, and reports what did not match."""
        given = self.given
        self.is_last = True
        self.end = self.elapsed() + last_list_timeout
        try:
            self.start = self.start or self.start_now()
            email = self.find_listed(self.start)
            if email is not None:
                return email
        except Exception as error:
            if self.is_final(error):
                raise
            self.failure = error
        text = describe_timeout(
            given.filters, given.address_id, given.mailbox, given.wanted, self.timeout, self.arrived, self.lacking, self.failure,
        )
        raise MayflyTimeoutError(text, arrived=self.arrived or []) from self.failure

    def start_now(self) -> Start:
        """The time of the call, or a little before."""
        page = self.client.list(self.given.address_id, None, None, 1, self.remaining())
        if page.server_time is None:
            raise MayflyError('emails.list: the answer has no serverTime: the server is older than this package')
        return Start(first_id_at((page.server_time.timestamp() - self.elapsed()) * 1000), self.client.seen.recent())

    def list_since(self, after: str) -> list[S] | None:
        """All mail after a position, oldest first; None for more than `max_listed` emails. Later mail follows from `listed`."""
        emails: dict[str, S] = {}
        before: str | None = None
        cursor: str | None = None
        self.listed = None
        while True:
            options: CallOptions = {**self.remaining(), 'max_bytes': max_page_bytes}
            page = self.client.list(self.given.address_id, after or None, before, 100, options)
            cursor = cursor or page.cursor
            fresh = [item for item in page.items if item.id not in emails]
            emails.update((item.id, item) for item in fresh)
            if len(emails) > max_listed:
                return None
            # a server that does not support `before` returns the same page again
            if not fresh or not page.has_more:
                self.listed = cursor
                return sorted(emails.values(), key=lambda item: item.id)
            before = page.items[-1].id

    def pause(self, seconds: float) -> None:
        clock.sleep(max(0.0, seconds), self.cancellation.ended)


def _choose_start(seen: SeenMail, given: WaitInput[E]) -> Start | None:
    """None where the wait begins with the call."""
    if given.address_id is not None:
        require_id(given.address_id, 'emails.wait_for: address_id')
    if given.after is not None:
        return Start(to_cursor(given.after, 'emails.wait_for'), frozenset())
    newest = None if given.address_id is None else seen.newest_of(given.address_id)
    return None if newest is None else Start(newest, seen.recent())


def _server_filter(wanted: TextFilter | None) -> str | None:
    """The filter that the server takes: a text of up to 255 characters."""
    return wanted if isinstance(wanted, str) and 0 < len(wanted) <= max_server_filter else None
