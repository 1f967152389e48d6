"""The errors of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .headers import Headers


class MayflyError(Exception):
    """
    The base class of all errors of this package. Calls may also raise the errors of your hooks.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NetworkError(MayflyError):
    """The server could not be reached, or the connection broke. `__cause__` is the error of the runtime."""


class MayflyTimeoutError(MayflyError, TimeoutError):
    """A call or a wait took longer than its `timeout`. `__cause__` is the error of the last failed attempt, if there was one."""

    def __init__(self, message: str, *, arrived: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.arrived: tuple[Any, ...] = tuple(arrived)
        """The emails that arrived during a wait and did not match, oldest first. Empty for other calls."""


@dataclass(frozen=True)
class ErrorDetail:
    """An invalid member of a request."""

    path: str
    """Where it stands: `body.alias`."""
    message: str


@dataclass(frozen=True)
class ErrorAnswer:
    """The parts of an answer that `ApiError` keeps."""

    status: int
    headers: Headers
    code: str | None = None
    details: tuple[ErrorDetail, ...] = ()
    retry_after: float | None = None


class ApiError(MayflyError):
    """
    The server refused the call or failed. `message` is the server's message. The text of the error has the call too:
    `The address is taken. (addresses.create: 409 CONFLICT, request id 019c…)`.
    """

    def __init__(self, message: str, answer: ErrorAnswer, operation: str = '') -> None:
        super().__init__(message)
        self.status: int = answer.status
        """The HTTP status."""
        self.code: str | None = answer.code
        """The kind of error. None when the answer is not Mayfly's, such as a proxy's 502."""
        self.details: tuple[ErrorDetail, ...] = answer.details
        """The invalid members of the request, with the code `INVALID_REQUEST`. Otherwise empty."""
        self.request_id: str | None = answer.headers.get('x-request-id')
        """The `X-Request-Id` of the answer, for the server's log."""
        self.retry_after: float | None = answer.retry_after
        """Seconds to wait before the next attempt, from `Retry-After` or, with 429, `X-RateLimit-Reset`. None without."""
        self.headers: Mapping[str, str] = answer.headers
        """The headers of the answer, by names in any case."""
        self.operation = operation
        """The call's operation: `addresses.create`. Empty for an error that no answer made."""

    def __str__(self) -> str:
        facts = f'{self.status}{f" {self.code}" if self.code else ""}{f", request id {self.request_id}" if self.request_id else ""}'
        return f'{self.message} ({self.operation}: {facts})' if self.operation else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        answer = ErrorAnswer(self.status, Headers(self.headers.items()), self.code, self.details, self.retry_after)
        return (type(self), (self.message, answer, self.operation))


class InvalidRequestError(ApiError):
    """400 and any other 4xx, such as 405, 413, 415: the request breaks a rule of the API. `details` names the members."""


class AuthenticationError(ApiError):
    """401: the API key is missing, malformed, unknown or revoked."""


class PermissionDeniedError(ApiError):
    """403: the key lacks a scope (`MISSING_SCOPE`), or the plan does not include this (`PLAN_REQUIRED`)."""


class NotFoundError(ApiError):
    """404: the account has no object with this id."""


class ConflictError(ApiError):
    """409: the current state does not allow the change, such as an address that is taken."""


class RateLimitError(ApiError):
    """429: too many requests. `retry_after` says how long to wait."""


class ServerError(ApiError):
    """500 and above: a fault of the server, or of a proxy before it."""


class UnexpectedAnswerError(ApiError):
    """An answer that is not Mayfly's, such as a web page or a redirect. The usual reason is a wrong `base_url`."""
