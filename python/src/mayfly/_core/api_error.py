"""Makes the error of a failed or unexpected answer."""

from __future__ import annotations

import json
import re
from email.utils import parsedate_to_datetime
from typing import Any, cast

from .clock import clock
from .errors import (
    ApiError, AuthenticationError, ConflictError, ErrorAnswer, ErrorDetail, InvalidRequestError, NotFoundError,
    PermissionDeniedError, RateLimitError, ServerError, UnexpectedAnswerError,
)
from .headers import Headers
from .masking import Mask
from .rate_limit import read_rate_limit

_error_classes: dict[int, type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}

_https_hint = re.compile('HTTP request.*HTTPS (port|server)', re.IGNORECASE)
"""Servers with TLS answer a request in plain HTTP with a 400 whose text names HTTPS."""
max_details = 100


def to_api_error(
    status: int, headers: Headers, body: bytes, operation: str, base_url: str, mask: Mask, fault: str | None = None,
) -> ApiError:
    """
    The API key is masked where the answer repeats it.
    :param body: b'' where it was not read
    :param operation: of the call, for the text of the error
    :param fault: end of the message for an answer that is not an error of Mayfly
    """
    error, code, details = _read_error_body(body)
    if error is None:
        kind = headers.get('content-type', '').partition(';')[0].strip() or 'no content type'
        hint = 'Use https:// in base_url.' if _https_hint.search(body.decode('utf-8', 'replace')) else 'Check base_url.'
        fault = fault or f"which is not Mayfly's. {hint}"
        error = f'{base_url} answered {status} with {kind}, {fault}'
    masked = Headers((name, mask(value)) for name, value in headers.items())
    answer = ErrorAnswer(
        status, masked, mask(code) if code else None,
        tuple(ErrorDetail(mask(path), mask(message)) for path, message in details), _read_retry_after(status, headers),
    )
    return _class_of(status)(mask(error), answer, operation)


def _class_of(status: int) -> type[ApiError]:
    if status in _error_classes:
        return _error_classes[status]
    return ServerError if status >= 500 else InvalidRequestError if status >= 400 else UnexpectedAnswerError


def _read_error_body(body: bytes) -> tuple[str | None, str | None, list[tuple[str, str]]]:
    try:
        value: Any = json.loads(body.decode('utf-8-sig', 'replace'))
    except (ValueError, RecursionError):
        return None, None, []  # not JSON, so not an answer of Mayfly
    members = cast('dict[str, Any]', value) if isinstance(value, dict) else {}
    if members.get('success') is False and isinstance(members.get('error'), dict):  # of the classic dialect
        members = {**members['error'], 'error': members['error'].get('message')}
    error, code, details = members.get('error'), members.get('code'), members.get('details')
    if not isinstance(error, str) or not isinstance(code, str):
        return None, None, []
    items = cast('list[Any]', details)[:max_details] if isinstance(details, list) else []
    return clean(error), clean(code), [found for item in items for found in _read_detail(item)]


def _read_detail(item: Any) -> list[tuple[str, str]]:
    if not isinstance(item, dict):
        return []
    detail = cast('dict[str, Any]', item)
    path, message = detail.get('path'), detail.get('message')
    return [(clean(path), clean(message))] if isinstance(path, str) and isinstance(message, str) else []


def clean(text: str) -> str:
    """Replaces lone surrogates, which cannot be printed."""
    return text.encode('utf-8', 'replace').decode('utf-8')


def _read_retry_after(status: int, headers: Headers) -> float | None:
    """Reads `Retry-After`, which is in seconds or an HTTP date, or for a 429 the end of the window. In seconds."""
    value = headers.get('retry-after', '').strip()
    try:
        seconds = float(value)
        if 0 <= seconds < float('inf'):
            return seconds
    except ValueError:
        pass  # a date, or nothing
    limit = read_rate_limit(headers) if status == 429 else None
    end = _read_date(value) or (limit.reset_at.timestamp() if limit else None)
    if end is None:
        return None
    # relative to the server's clock if the answer has a `Date`
    return max(0.0, end - (_read_date(headers.get('date', '')) or clock.today().timestamp()))


def _read_date(value: str) -> float | None:
    try:
        return parsedate_to_datetime(value).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError, OSError):
        return None
