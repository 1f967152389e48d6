"""When a call has to end."""

from __future__ import annotations

import threading
from collections.abc import Callable

from .clock import clock


class DeadlineExceeded(Exception):
    """The time of an attempt is up. Callers of the package never see it."""


class Cancelled(Exception):
    """The call was cancelled, or its client closed. Callers of the package never see it."""


class Deadline:
    """The time at which an attempt ends. Streams move it before each read."""

    def __init__(self, seconds: float) -> None:
        self.at = clock.now() + seconds

    def remaining(self) -> float:
        """:raises DeadlineExceeded: when no time is left"""
        left = self.at - clock.now()
        if left <= 0:
            raise DeadlineExceeded
        return left

    def move(self, seconds: float) -> None:
        self.at = clock.now() + seconds


class Cancellation:
    """Ends calls from another thread: their sockets are shut down, and their pauses end."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self._lock = threading.Lock()
        self._closers: dict[int, Callable[[], object]] = {}

    def after_fork(self) -> None:
        """In a child process the calls of the parent are none: to shut down their sockets would end them in the parent."""
        self._lock = threading.Lock()
        self._closers = {}

    def cancel(self) -> None:
        with self._lock:
            self.ended.set()
            closers = list(self._closers.values())
        for close in closers:
            close()

    def check(self) -> None:
        """:raises Cancelled: after `cancel`"""
        if self.ended.is_set():
            raise Cancelled

    def add(self, key: object, close: Callable[[], object]) -> None:
        """`close` is called by `cancel`, until `remove` is called with the same key. :raises Cancelled: after `cancel`"""
        with self._lock:
            self.check()
            self._closers[id(key)] = close

    def remove(self, key: object) -> None:
        with self._lock:
            self._closers.pop(id(key), None)
