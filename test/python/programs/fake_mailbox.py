"""A mailbox whose test decides which email becomes visible when, over the fake clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone

from fakes import FakeClock
from mayfly._core.connection import CallOptions
from mayfly._core.errors import NotFoundError, ErrorAnswer
from mayfly._core.headers import Headers
from mayfly._seen_mail import SeenMail
from mayfly._wait_input import WaitClient, WaitResult

ADDRESS = '019ceb92-ea80-752e-bca9-6513269e0d37'
START_MS = 1_773_478_830_000


def id_at(ms: float, number: int) -> str:
    """A UUIDv7 of a time."""
    digits = f'{int(ms):012x}'
    return f'{digits[:8]}-{digits[8:]}-7{number:03x}-8000-000000000001'


@dataclass(frozen=True)
class FakeLink:
    text: str
    url: str


@dataclass(frozen=True)
class FakeEmail:
    id: str
    address_id: str = ADDRESS
    from_: str = 'shop@example.org'
    from_name: str = 'Shop'
    to: str = 'a@mail.test'
    subject: str = 'Hello'
    body_text: str = ''
    body_html: str = ''
    is_truncated: bool = False
    recipients_total: int = 1
    codes: tuple[str, ...] = ()
    links: tuple[FakeLink, ...] = ()


@dataclass(frozen=True)
class FakePage:
    items: list[FakeEmail]
    has_more: bool
    cursor: str
    server_time: datetime | None


@dataclass
class FakeMailbox:
    """`whole` emails differ from the listed ones where `listed` has another."""

    clock: FakeClock
    emails: list[FakeEmail] = field(default_factory=lambda: list[FakeEmail]())
    listed: dict[str, FakeEmail] = field(default_factory=lambda: dict[str, FakeEmail]())
    calls: list[str] = field(default_factory=lambda: list[str]())
    plan: list[tuple[float, Callable[[], object]]] = field(default_factory=lambda: list[tuple[float, Callable[[], object]]]())
    seen: SeenMail = field(default_factory=SeenMail)
    has_time: bool = True
    fail: Callable[[str], Exception | None] = lambda _name: None

    def publish(self, at: float | None = None, **members: object) -> FakeEmail:
        """Makes an email visible. :param at: time of its arrival in seconds"""
        ms = START_MS + (self.clock.time if at is None else at) * 1000
        email = FakeEmail(id_at(ms, len(self.emails) + 1), **members)  # pyright: ignore[reportArgumentType]
        self.emails.append(email)
        return email

    def later(self, at: float, run: Callable[[], object]) -> None:
        self.plan.append((at, run))
        self.plan.sort(key=lambda step: step[0])

    def advance(self, until: float) -> None:
        while self.plan and self.plan[0][0] <= self.clock.time:
            self.plan.pop(0)[1]()
        if self.plan and self.plan[0][0] <= until:
            at, run = self.plan.pop(0)
            self.clock.time = max(self.clock.time, at)
            run()
        else:
            self.clock.time = max(self.clock.time, until)

    def client(self) -> WaitClient[FakeEmail, FakeEmail]:
        return WaitClient(self.list, self.get, self.wait, self.seen, 30.0, 30.0)

    def record(self, call: str) -> None:
        self.calls.append(call)
        error = self.fail(call.split()[0])
        if error:
            raise error

    def number_of(self, id: str) -> int:
        """The number of an email in the order in which they became visible; 0 for other ids."""
        return next((number for number, email in enumerate(self.emails, 1) if email.id == id), 0)

    def after(self, after: str, address_id: str | None) -> list[FakeEmail]:
        """Emails after a cursor, or after an email; after other ids, those that arrived later."""
        number = int(after[3:]) if after.startswith('c1-') else self.number_of(after)
        is_known = number > 0 or after == 'c1-0'
        return [
            email for email in self.emails
            if address_id in (None, email.address_id) and (self.number_of(email.id) > number if is_known else email.id > after)
        ]

    def list(self, address_id: str | None, after: str | None, before: str | None, limit: int, options: CallOptions) -> FakePage:
        self.record(f'list {limit}')
        found = [
            self.listed.get(email.id, email) for email in sorted(self.after(after or '', address_id), key=lambda email: email.id, reverse=True)
            if email.id < (before or '~')
        ]
        now = datetime.fromtimestamp(START_MS / 1000 + self.clock.time, timezone.utc)
        return FakePage(found[:limit], len(found) > limit, f'c1-{len(self.emails)}', now if self.has_time else None)

    def get(self, id: str, options: CallOptions) -> FakeEmail:
        self.record(f'get {id}')
        for email in self.emails:
            if email.id == id:
                return email
        raise NotFoundError('Email not found.', ErrorAnswer(404, Headers(), 'NOT_FOUND'))

    def wait(
        self, address_id: str | None, after: str, from_: str | None, to: str | None, subject: str | None, timeout: int, options: CallOptions,
    ) -> WaitResult[FakeEmail]:
        """Waits as the server does."""
        self.record(f'wait {from_} {subject} {timeout}')
        until = self.clock.time + min(timeout, options.get('timeout', 0))
        while True:
            for email in self.after(after, address_id):
                if (
                    (subject or '').lower() in email.subject.lower() and to in (None, email.to)
                    and ((from_ or '').lower() in email.from_.lower() or (from_ or '').lower() in email.from_name.lower())
                ):
                    return WaitResult(email, f'c1-{self.number_of(email.id)}')
            if self.clock.time >= until:
                return WaitResult(None, f'c1-{len(self.emails)}')
            self.advance(until)
