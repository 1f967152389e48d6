"""Remembers the addresses that a client issued, and the mail that its calls returned."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Protocol

from ._core.forks import renew_after_fork

max_recent = 1000
max_addresses = 10_000
"""Maximum number of issued addresses that are remembered; the oldest is forgotten first."""


class MailRef(Protocol):
    """An email and its address."""

    @property
    def id(self) -> str: ...

    @property
    def address_id(self) -> str: ...


@dataclass(frozen=True)
class Start:
    """Where a wait begins: after an email, a cursor or a time, with mail that is not one of `excepted`."""

    after: str
    excepted: frozenset[str]


class SeenMail:
    """The state of one client, for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: dict[str, str] = {}
        """The newest email that a call returned, by issued address; '' before the first."""
        self._recent: dict[str, None] = {}
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Another thread may have held the lock."""
        self._lock = threading.Lock()

    def issued(self, address_id: str) -> None:
        """The client issued this address."""
        with self._lock:
            self._newest[address_id] = ''
            if len(self._newest) > max_addresses:
                del self._newest[next(iter(self._newest))]

    def removed(self, address_id: str) -> None:
        """The client deleted this address."""
        with self._lock:
            self._newest.pop(address_id, None)

    def add(self, email: MailRef) -> None:
        """A call returned this email: later waits begin after the newest of its address."""
        with self._lock:
            self._recent[email.id] = None
            if len(self._recent) > max_recent:
                del self._recent[next(iter(self._recent))]
            if email.id > self._newest.get(email.address_id, email.id):
                self._newest[email.address_id] = email.id

    def newest_of(self, address_id: str) -> str | None:
        """After which mail a wait begins at an address that this client issued: '' for all; None for other addresses."""
        with self._lock:
            return self._newest.get(address_id)

    def recent(self) -> frozenset[str]:
        """The ids of the last 1,000 emails that calls returned."""
        with self._lock:
            return frozenset(self._recent)
