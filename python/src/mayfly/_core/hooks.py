"""Functions that a client calls for its requests: for logs and measurements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class RequestEvent:
    """A request that is sent."""

    operation: str
    """The operation's name in the API: `addresses.create`. Of `Mayfly.request`, method and path: `POST /addresses`."""
    method: str
    url: str
    attempt: int
    """1 for the first attempt."""


@dataclass(frozen=True)
class ResponseEvent(RequestEvent):
    """The headers of an answer have arrived, whatever its status."""

    status: int
    duration: float
    """Seconds since the request was sent."""
    request_id: str | None
    """The `X-Request-Id` of the answer, for the server's log."""


@dataclass(frozen=True)
class RetryEvent(RequestEvent):
    """An attempt failed, and is followed by another."""

    error: Exception
    """The error of the failed attempt."""
    delay: float
    """Seconds until the next attempt."""


@dataclass(frozen=True)
class Hooks:
    """
    Functions that a client calls for its requests. Their parameters have no key and no body. The call raises the errors that they raise.
    """

    on_request: Callable[[RequestEvent], object] | None = None
    on_response: Callable[[ResponseEvent], object] | None = None
    on_retry: Callable[[RetryEvent], object] | None = None
