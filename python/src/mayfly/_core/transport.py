"""Sends a request and returns the beginning of its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .deadline import Cancellation, Deadline
from .headers import Headers


@dataclass(frozen=True)
class HttpRequest:
    """A request as it is sent."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    """With the API key."""
    body: bytes | None = field(default=None, repr=False)


class HttpResponse(Protocol):
    """An answer whose body is not read yet."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Headers: ...

    def read(self, max_bytes: int) -> bytes:
        """The next bytes of the body as they arrive, at least one; b'' at its end."""
        ...

    def close(self) -> None:
        """Ends the answer. A connection with an unread body is closed."""
        ...


class Transport(Protocol):
    """Sends requests. A test may replace it."""

    def send(self, request: HttpRequest, deadline: Deadline, cancellation: Cancellation) -> HttpResponse:
        """
        `deadline` limits the beginning of the answer and each of its reads; it may be moved between reads.
        :raises OSError, http.client.HTTPException: when the connection fails
        :raises DeadlineExceeded, Cancelled:
        """
        ...

    def close(self) -> None:
        """Closes the connections without a request."""
        ...
