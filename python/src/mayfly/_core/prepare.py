"""Makes the HTTP request of an operation."""

from __future__ import annotations

import json
import re
import secrets
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast
from urllib.parse import urlencode

from .dates import format_time
from .errors import MayflyError
from .request import Request
from .transport import HttpRequest

user_agent = 'mayfly-python'
framing = frozenset({'connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'})
"""Headers that delimit a request on its connection: other values would be request smuggling on a kept connection."""
_name = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_value = re.compile(r'[\x20-\x7e\x80-\xff\t]*')
_path = re.compile(r"/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*")


def prepare(
    request: Request[Any], base_url: str, api_key: str, idempotency_key: str | None, headers: Mapping[str, str],
) -> HttpRequest:
    """:raises MayflyError: when a parameter or a header cannot be sent"""
    if not _path.fullmatch(request.path):
        raise MayflyError(f'{request.operation}: the path of the request has characters that must be quoted')
    unnamed = next((name for name in headers if not isinstance(name, str)), None)  # pyright: ignore[reportUnnecessaryIsInstance]
    if unnamed is not None:
        raise MayflyError(f'{request.operation}: the request cannot be made: the header {unnamed!r} is not named by a text')
    own = {name.lower(): value for name, value in headers.items()}
    for name in own:
        if name in framing:
            raise MayflyError(f'{request.operation}: the request cannot be made: the header {name!r} is set by the client; leave it out')
    sent = {'accept': request.accept, 'user-agent': user_agent, **own}
    sent['authorization'] = f'Bearer {api_key}'
    if request.dialect is not None:
        sent['x-mayfly-dialect'] = request.dialect
    if request.is_change:
        sent['idempotency-key'] = idempotency_key or sent.get('idempotency-key') or secrets.token_hex(16)
    body = None
    if request.body is not None:
        sent['content-type'] = 'application/json'
        body = _encode(request)
    for name, value in sent.items():
        if not _name.fullmatch(name) or not isinstance(value, str) or not _value.fullmatch(value):  # pyright: ignore[reportUnnecessaryIsInstance]
            # without the value, which may be a secret
            raise MayflyError(f'{request.operation}: the request cannot be made: the header {name!r} is not a text of one line')
    pairs = [
        (name, _to_text(item)) for name, value in request.query.items()
        for item in (cast('list[object]', value) if isinstance(value, list) else [value]) if item is not None
    ]
    query = urlencode(pairs, encoding='utf-8', errors='replace')
    return HttpRequest(request.method, f'{base_url}/api/v1{request.path}{"?" if query else ""}{query}', sent, body)


def _encode(request: Request[Any]) -> bytes:
    try:
        return json.dumps(request.body, ensure_ascii=False, allow_nan=False, default=_to_base64).encode('utf-8')
    except (TypeError, ValueError, RecursionError) as error:
        raise MayflyError(f'{request.operation}: the request cannot be made: its body is not JSON: {error}') from error


def _to_base64(value: object) -> str:
    """The content of an attachment."""
    if isinstance(value, bytes):
        return b64encode(value).decode('ascii')
    raise TypeError(f'Object of type {type(value).__name__} is not JSON serializable')


def _to_text(value: object) -> str:
    if isinstance(value, bool):
        return 'true' if value else 'false'
    return format_time(value) if isinstance(value, datetime) else str(value)
