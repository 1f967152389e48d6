"""The arguments of a wait, and the operations that it uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from ._core.connection import CallOptions
from ._core.deadline import Cancellation
from ._core.ids import After
from ._mail_filters import FilteredMail, Filters, ListedMail, Wanted
from ._seen_mail import SeenMail

E = TypeVar('E', bound=FilteredMail)
S = TypeVar('S', bound=ListedMail)
E_co = TypeVar('E_co', bound=FilteredMail, covariant=True)
S_co = TypeVar('S_co', bound=ListedMail, covariant=True)


class MailPage(Protocol[S_co]):
    """A page of a list of emails."""

    @property
    def items(self) -> Sequence[S_co]: ...

    @property
    def has_more(self) -> bool: ...

    @property
    def cursor(self) -> str | None: ...

    @property
    def server_time(self) -> datetime | None: ...


@dataclass(frozen=True)
class WaitResult(Generic[E_co]):
    """The result of `emails.wait`."""

    email: E_co | None
    """None when no email matched in time."""
    cursor: str
    """The `after` of the next wait: mail that the server is still parsing comes after it."""


@dataclass(frozen=True)
class WaitClient(Generic[E, S]):
    """The operations and the state of a client that a wait uses. None of the three tells `seen` about mail."""

    list: Callable[[str | None, str | None, str | None, int, CallOptions], MailPage[S]]
    """Called with address_id, after, before, limit: one page of received mail, newest first."""
    get: Callable[[str, CallOptions], E]
    wait: Callable[[str | None, str, str | None, str | None, str | None, int, CallOptions], WaitResult[E]]
    """Called with address_id, after, from_, to, subject, timeout in seconds."""
    seen: SeenMail
    timeout: float
    """Seconds for one request."""
    wait_timeout: float
    """Seconds for a wait without a time-out of its own."""


@dataclass(frozen=True)
class WaitInput(Generic[E]):
    """The arguments of `emails.wait_for`."""

    address_id: str | None = None
    mailbox: str | None = None
    """The address of `address_id`, for the text of the time-out."""
    after: After | None = None
    filters: Filters = Filters()
    match: Callable[[E], object] | None = None
    wanted: Wanted | None = None
    timeout: float | None = None
    cancellation: Cancellation | None = None
