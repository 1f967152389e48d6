"""Times in answers."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

_pattern = re.compile(r'(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d))?', re.ASCII)


def parse_time(value: object) -> datetime:
    """
    Reads an ISO 8601 date or date-time; a date is its midnight. Python 3.10's `fromisoformat` knows no `Z`.
    :raises ValueError: for anything else
    """
    found = _pattern.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise ValueError('not a time')
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    micros = int((fraction or '0').ljust(6, '0')[:6])
    time = datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0), int(second or 0), micros, timezone.utc)
    if zone in (None, 'Z'):
        return time
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:6]))
    return time - offset if zone[0] == '+' else time + offset


def format_time(value: datetime) -> str:
    """The form of the API: `2026-03-14T09:00:00.000Z`. A time without a zone is local, as everywhere in Python."""
    return value.astimezone(timezone.utc).isoformat(timespec='milliseconds').replace('+00:00', 'Z')
