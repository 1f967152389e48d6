"""Ids, and positions in the order of arrival."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Protocol

from .errors import MayflyError


class HasId(Protocol):
    @property
    def id(self) -> str: ...


After = str | datetime | HasId
"""A position in the order of arrival: an email, its id, a `cursor` of `emails.list`, or a time on the server's clock."""


def require_id(value: object, label: str) -> str:
    """
    Refuses an id that would make a request of another path, such as one with a slash.
    :param label: of the parameter, for the error: `emails.get: id`
    """
    if isinstance(value, str) and '@' in value:
        raise MayflyError(f'{label} must be an id, not an email address')
    if not isinstance(value, str) or not re.fullmatch(r'[A-Za-z0-9_-]+', value):
        raise MayflyError(f'{label} is missing or malformed')
    return value


def to_cursor(after: After, operation: str) -> str:
    """:raises MayflyError: when `after` is not a position"""
    label = f'{operation}: after'
    if isinstance(after, datetime):
        if after.tzinfo is None:
            raise MayflyError(f'{label} is a time without a time zone: take datetime.now(timezone.utc)')
        ms = int(after.timestamp() * 1000)
        if not 0 <= ms < 2**48:
            raise MayflyError(f'{label} is a time before 1970')
        return first_id_at(ms)
    return require_id(after if isinstance(after, str) else getattr(after, 'id', None), label)


def first_id_at(ms: float) -> str:
    """The smallest UUIDv7 of a millisecond since 1970: every id made in that millisecond or later is larger."""
    digits = f'{int(max(0, ms)):012x}'
    return f'{digits[:8]}-{digits[8:]}-7000-8000-000000000000'


def to_utc(value: datetime) -> datetime:
    return value.astimezone(timezone.utc)
