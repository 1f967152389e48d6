"""The rate limit, from the headers of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone


@dataclass(frozen=True)
class RateLimit:
    limit: int
    """Requests allowed in a window."""
    remaining: int
    """Requests left in this window."""
    reset_at: datetime
    """When the next window begins, on the server's clock, with UTC."""


def read_rate_limit(headers: Mapping[str, str]) -> RateLimit | None:
    """None when the answer has no such headers, or they are not numbers."""
    try:
        limit, remaining, reset = (_read_number(headers[f'x-ratelimit-{name}']) for name in ('limit', 'remaining', 'reset'))
        return RateLimit(limit, remaining, datetime.fromtimestamp(reset, timezone.utc))
    except (KeyError, ValueError, OverflowError, OSError):
        return None


def _read_number(text: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise ValueError
    return int(digits)
