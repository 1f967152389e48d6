"""Reads bodies of answers, within limits."""

from __future__ import annotations

import json
from typing import Any, cast

from .api_error import clean
from .transport import HttpResponse

max_bytes = 2 * 1024 * 1024
"""Maximum bytes of JSON in an answer; a list has less than 1.2 MB."""
max_email_bytes = 32 * 1024 * 1024
"""Maximum bytes of an answer that is a whole email: enough for the text of 25 MiB of mail, which a server takes by default."""
limits = {
    'emails.get': max_email_bytes,
    'emails.restore': max_email_bytes,
    'emails.update': max_email_bytes,
    'emails.wait': max_email_bytes,
}
"""Maximum bytes of JSON by operation; of others `max_bytes`."""
max_values = 100_000
"""Maximum number of values in an answer: one takes up to 100 bytes of memory and as few as 2 in JSON. A page of a list has 2,000."""
max_depth = 64
"""Maximum nesting of arrays and objects: answers of Mayfly have less than ten levels."""
_max_digits = 400
_piece = 65_536


def read_body(response: HttpResponse, limit: int | None) -> bytes | None:
    """None for more than `limit` bytes; the rest is not read, and the connection is closed."""
    body = bytearray()
    while True:
        piece = response.read(_piece)
        if not piece:
            return bytes(body)
        if limit is not None and len(body) + len(piece) > limit:
            response.close()
            return None
        body += piece


def parse_json(body: bytes) -> Any:
    """
    The value of a body, and None of an empty one. Invalid UTF-8 and lone surrogates are replaced.
    :raises ValueError: when it is not JSON, or nested more deeply than `max_depth`
    """
    text = body.decode('utf-8-sig', 'replace')
    if not text:
        return None
    try:
        value: Any = json.loads(text, parse_int=_parse_int, parse_constant=_refuse)
    except RecursionError:
        raise ValueError('nested too deeply') from None
    return _checked(value, 0, b'\\ud' in body or b'\\uD' in body)


def _checked(value: Any, depth: int, has_surrogates: bool) -> Any:
    if depth > max_depth:
        raise ValueError(f'JSON of more than {max_depth} levels')
    if isinstance(value, dict):
        members = cast('dict[str, Any]', value)
        for name, member in members.items():
            members[name] = _checked(member, depth + 1, has_surrogates)
    elif isinstance(value, list):
        items = cast('list[Any]', value)
        for index, item in enumerate(items):
            items[index] = _checked(item, depth + 1, has_surrogates)
    elif has_surrogates and isinstance(value, str):
        return clean(value)
    return cast(Any, value)


def _parse_int(digits: str) -> int:
    # the time for a number is the square of its length
    if len(digits) > _max_digits:
        raise ValueError('a number of too many digits')
    return int(digits)


def _refuse(name: str) -> Any:
    raise ValueError(f'{name} is not JSON')


def has_more_values(body: bytes, limit: int) -> bool:
    """Whether JSON has more than `limit` values. Each value but the outermost follows a comma or an opening bracket outside of strings."""
    if _count(body, 0, len(body)) <= limit:
        return False
    # without escapes, so that each quote begins or ends a string
    text = body.replace(b'\\\\', b'').replace(b'\\"', b'')
    values = strings = start = 0
    while values <= limit and strings <= 2 * limit + 2:
        quote = text.find(b'"', start)
        values += _count(text, start, quote if quote >= 0 else len(text))
        end = text.find(b'"', quote + 1) if quote >= 0 else -1
        if end < 0:
            return values > limit
        strings += 1
        start = end + 1
    return True


def _count(text: bytes, start: int, end: int) -> int:
    return sum(text.count(mark, start, end) for mark in (b',', b'[', b'{'))
