"""The result of a call, with the details of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from .headers import Headers
from .rate_limit import RateLimit

T = TypeVar('T')


@dataclass(frozen=True)
class ResponseInfo:
    """Status and headers of an answer."""

    status: int
    headers: Headers
    request_id: str | None
    """The `X-Request-Id`, for the server's log."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """The result of a call, with the details of its answer."""

    data: T
    response: ResponseInfo
    rate_limit: RateLimit | None
    """The rate limit after this call. None where no answer had such headers."""
