"""Open connections without a request, kept for the next one."""

from __future__ import annotations

import threading

from .forks import renew_after_fork
from .sockets import DeadlineSocket

max_kept = 10


class Pool:
    """Keeps up to `max_kept` connections; the newest is used first. For all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[DeadlineSocket] = []
        self._is_closed = False
        renew_after_fork(self)

    def after_fork(self) -> None:
        """A child process must not write to the connections of its parent: it closes its descriptors of them."""
        self._lock = threading.Lock()
        kept, self._kept = self._kept, []
        for inherited in kept:
            inherited.dispose()

    def take(self) -> DeadlineSocket | None:
        """A connection that the server has not closed; None when there is none."""
        while True:
            with self._lock:
                kept = self._kept.pop() if self._kept else None
            if kept is None or not kept.is_stale():
                return kept
            kept.dispose()

    def keep(self, unused: DeadlineSocket) -> None:
        with self._lock:
            if not self._is_closed and len(self._kept) < max_kept and not unused.is_inherited():
                self._kept.append(unused)
                return
        unused.dispose()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            kept, self._kept = self._kept, []
        for unused in kept:
            unused.dispose()
