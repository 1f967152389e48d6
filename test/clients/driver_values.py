"""Turns names and values of cases into those of Python, and results into those of the API."""

from __future__ import annotations

import base64
import keyword
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from typing import Any, cast

from mayfly import ApiError, File, Inbox, MayflyList, MayflyTimeoutError
from mayfly._core.dates import format_time, parse_time

error_names = {'MayflyTimeoutError': 'TimeoutError', 'PermissionDeniedError': 'PermissionError'}
"""Errors whose names in the TypeScript SDK differ."""

list_members = ('items', 'total', 'limit', 'offset', 'has_more', 'cursor')


def to_arguments(members: Mapping[str, Any]) -> dict[str, Any]:
    """`timeoutMs` is `timeout`, in seconds; `from` is `from_`."""
    return dict(_to_argument(name, value) for name, value in members.items())


def _to_argument(name: str, value: Any) -> tuple[str, Any]:
    if name.endswith('Ms'):
        return to_snake(name.removesuffix('Ms')), value / 1000
    snake = to_snake(name.removesuffix('Seconds'))
    return f'{snake}_' if keyword.iskeyword(snake) else snake, to_value(value)


def to_snake(name: str) -> str:
    return re.sub('[A-Z]', lambda found: f'_{found[0].lower()}', name)


def to_camel(name: str) -> str:
    return re.sub('_([a-z])', lambda found: found[1].upper(), name.removesuffix('_'))


def to_value(value: Any) -> Any:
    """Makes the values that JSON has not."""
    if not isinstance(value, dict):
        return value
    members = cast('dict[str, Any]', value)
    if 'expression' in members:
        return re.compile(members['expression'], re.IGNORECASE if 'i' in members.get('flags', '') else 0)
    if 'date' in members:
        return parse_time(members['date'])
    if 'base64' in members:
        return base64.b64decode(members['base64'])
    return members


def to_json(result: Any) -> Any:
    """A result as the JSON of the API."""
    if isinstance(result, bytes):
        return {'text': result.decode()}
    if isinstance(result, File):
        return {'text': result.content.decode()}
    if isinstance(result, MayflyList):
        listed = cast('MayflyList[Any]', result)
        return {to_camel(name): _member_to_json(getattr(listed, name)) for name in list_members}
    if isinstance(result, Inbox):
        return {'id': result.id, 'address': result.address, 'expiresAt': format_time(result.expires_at)}
    return _member_to_json(result)


def _member_to_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, Mapping):
        return {name: _member_to_json(member) for name, member in cast('Mapping[str, Any]', value).items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_member_to_json(item) for item in cast('Sequence[Any]', value)]
    if is_dataclass(value):
        members = {field.name: getattr(value, field.name) for field in fields(value)}
        extra = members.pop('extra', {})
        return {**{to_camel(name): _member_to_json(member) for name, member in members.items()}, **extra}
    return value


def error_to_json(error: Exception) -> dict[str, Any]:
    shown: dict[str, Any] = {'class': _name_of(error), 'message': str(error)}
    if error.__cause__:
        shown['cause'] = _name_of(error.__cause__)
    if isinstance(error, ApiError):
        shown.update(
            status=error.status, code=error.code, requestId=error.request_id,
            retryAfterMs=None if error.retry_after is None else error.retry_after * 1000,
            details=[{'path': detail.path, 'message': detail.message} for detail in error.details],
        )
    if isinstance(error, MayflyTimeoutError):
        shown['arrived'] = [email.subject for email in error.arrived]
    return shown


def _name_of(error: BaseException) -> str:
    name = type(error).__name__
    return error_names.get(name, name)
