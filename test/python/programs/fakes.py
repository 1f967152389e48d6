"""A clock that jumps, and a transport with prepared answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timezone

from mayfly._core.clock import Clock, clock
from mayfly._core.connection import Connection
from mayfly._core.deadline import Cancellation, Deadline, DeadlineExceeded
from mayfly._core.headers import Headers
from mayfly._core.hooks import Hooks
from mayfly._core.request import Request
from mayfly._core.transport import HttpRequest

KEY = 'svc_test_0123456789abcdefghij'


class FakeClock(Clock):
    """Each pause ends at once, and moves the time."""

    def __init__(self, random: float = 1.0) -> None:
        self.time = 0.0
        self.value = random

    def now(self) -> float:
        return self.time

    def today(self) -> datetime:
        return datetime.fromtimestamp(1_773_478_800 + self.time, timezone.utc)

    def random(self) -> float:
        return self.value

    def sleep(self, seconds: float, ended: threading.Event) -> None:
        self.time += seconds


def use_clock(fake: Clock) -> Callable[[], None]:
    """Returns a function that restores the real clock."""
    real = clock.current
    clock.current = fake

    def restore() -> None:
        clock.current = real
    return restore


class FakeResponse:
    """An answer in memory."""

    def __init__(self, status: int, body: object = None, headers: Mapping[str, str] | None = None) -> None:
        self.status = status
        given = {'content-type': 'application/json', **(headers or {})}
        self.headers = Headers((name, value) for name, value in given.items() if value)
        self._left = body if isinstance(body, bytes) else b'' if body is None else json.dumps(body).encode()
        self.is_closed = False

    def read(self, max_bytes: int) -> bytes:
        piece, self._left = self._left[:max_bytes], self._left[max_bytes:]
        return piece

    def close(self) -> None:
        self.is_closed = True


Reply = FakeResponse | Exception | str


class FakeTransport:
    """Gives the replies in their order; `silence` is one that never comes."""

    def __init__(self, replies: list[Reply], fake: FakeClock | None = None) -> None:
        self.replies = replies
        self.clock = fake
        self.requests: list[HttpRequest] = []
        self.times: list[float] = []

    def send(self, request: HttpRequest, deadline: Deadline, cancellation: Cancellation) -> FakeResponse:
        self.requests.append(request)
        self.times.append(self.clock.time if self.clock else 0.0)
        reply = self.replies.pop(0) if self.replies else FakeResponse(200, {'data': {'id': 'a'}})
        if isinstance(reply, FakeResponse):
            return reply
        if isinstance(reply, Exception):
            raise reply
        assert self.clock
        self.clock.time = max(self.clock.time, deadline.at)
        raise DeadlineExceeded

    def close(self) -> None:
        pass


def connect(transport: FakeTransport, max_retries: int = 2, timeout: float = 30.0, hooks: Hooks | None = None) -> Connection:
    return Connection(KEY, 'http://mail.test:3000', timeout, max_retries, hooks, transport)


def get(path: str = '/things', **query: object) -> Request[object]:
    return Request('things.get', 'GET', path, lambda body: body['data'], False, query)


def post(body: object = None) -> Request[object]:
    return Request('things.create', 'POST', '/things', lambda answer: answer['data'], True, {}, body)
