"""Remembers the addresses that a client issued, and the mail that its calls returned."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from ._core.forks import renew_after_fork

max_recent = 1000
max_positions = 10_000
"""Maximum number of issued addresses that are remembered; the oldest is forgotten first."""


class MailRef(Protocol):
    """An email and its address."""

    @property
    def id(self) -> str: ...

    @property
    def address_id(self) -> str: ...


@dataclass
class Start:
    """Where a wait begins: with mail later than `after` that is not one of `skipped`."""

    after: str
    skipped: set[str]


def _no_ids() -> list[str]:
    return []


@dataclass
class _Position:
    """How much mail of an address the caller has seen."""

    newest: str = ''
    """The newest email that a call returned; '' before the first."""
    after: str = ''
    skipped: list[str] = field(default_factory=_no_ids)
    """Emails later than `after` that a call returned or a wait skipped."""


class SeenMail:
    """The state of one client, for all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._positions: dict[str, _Position] = {}
        self._recent: dict[str, None] = {}
        renew_after_fork(self)

    def after_fork(self) -> None:
        """Another thread may have held the lock."""
        self._lock = threading.Lock()

    def issued(self, address_id: str) -> None:
        """The client issued this address."""
        with self._lock:
            self._positions[address_id] = _Position()
            if len(self._positions) > max_positions:
                del self._positions[next(iter(self._positions))]

    def removed(self, address_id: str) -> None:
        """The client deleted this address."""
        with self._lock:
            self._positions.pop(address_id, None)

    def add(self, email: MailRef, settled: str | None = None, skipped_mail: Iterable[MailRef] = ()) -> None:
        """
        A call returned this email. Later waits begin after it, and skip all earlier mail up to `settled` (default: the email's id). Mail
        between `settled` and this email may still be in the server's parser: later waits return it, except for that in `skipped_mail`.
        """
        with self._lock:
            self._recent[email.id] = None
            if len(self._recent) > max_recent:
                del self._recent[next(iter(self._recent))]
            position = self._positions.get(email.address_id)
            if not position:
                return
            skipped = [other.id for other in skipped_mail if other.address_id == email.address_id and other.id < email.id]
            if email.id > position.newest:
                position.newest = email.id
                position.after = max(position.after, min(email.id if settled is None else settled, email.id))
            position.skipped = [other for other in (*position.skipped, *skipped, email.id) if other > position.after]

    def start_of(self, address_id: str) -> Start | None:
        """Where a wait begins at an address that this client issued; None for other addresses."""
        with self._lock:
            position = self._positions.get(address_id)
            return Start(position.after, set(position.skipped)) if position else None

    def recent(self) -> set[str]:
        """The ids of the last 1,000 emails that calls returned."""
        with self._lock:
            return set(self._recent)
