"""The options of a client."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import cast
from urllib.parse import urlsplit

from .errors import MayflyError
from .hooks import Hooks
from .request import RequestOptions
from .unknown_names import unknown_name

default_base_url = 'http://localhost:3000'
_this_machine = re.compile(r'(localhost|127(\.\d+){3}|\[::1\])([:/]|$)', re.IGNORECASE)


def check_text(value: object, name: str) -> None:
    """:raises MayflyError: unless it is a text or None"""
    if value is not None and not isinstance(value, str):
        raise MayflyError(f'{name} must be a str')


def read_api_key(api_key: str | None) -> str:
    """:raises MayflyError: when there is no key, or the key cannot be sent in a header"""
    check_text(api_key, 'api_key')
    key = (api_key if api_key is not None else os.environ.get('MAYFLY_API_KEY', '')).strip()
    if not key:
        raise MayflyError("Mayfly() needs an api_key, such as Mayfly(api_key='svc_test_…'), or the variable MAYFLY_API_KEY")
    if not re.fullmatch(r'[\x21-\x7e]+', key):
        raise MayflyError('The api_key has characters that no API key has. Give the key alone, without "Bearer".')
    return key


def read_base_url(base_url: str | None) -> str:
    """
    Accepts `localhost:3000`, a slash at the end and a copied `/api/v1`. Another host without a protocol is refused: http would send it
    the key in plain text.
    :raises MayflyError: when it is not the URL of a server
    """
    check_text(base_url, 'base_url')
    given = (base_url if base_url is not None else os.environ.get('MAYFLY_BASE_URL', '') or default_base_url).strip()
    text = f'http://{given}' if _this_machine.match(given) else given
    try:
        if not re.fullmatch(r'[^\x00-\x20]+', text):
            raise ValueError  # `urlsplit` removes line breaks
        url = urlsplit(text)
        port = url.port
        host = url.hostname
        if url.scheme not in ('http', 'https') or not host or url.query or url.fragment or '?' in text or '#' in text or port == 0:
            raise ValueError
        if url.username is not None or url.password is not None:
            raise MayflyError('base_url, or MAYFLY_BASE_URL, has a user name or a password, which Mayfly does not use: leave them out')
        if not re.fullmatch(r'[A-Za-z0-9._~-]+|[0-9A-Fa-f:.]+', host.encode('idna').decode() if ':' not in host else host):
            raise ValueError
        if not re.fullmatch(r'[\x21-\x7e]*', url.path):
            raise ValueError
        name = f'[{host}]' if ':' in host else host.encode('idna').decode()
        path = re.sub(r'/*(/api/v1)?/*$', '', url.path)
        return f'{url.scheme}://{name}{"" if port is None else f":{port}"}{path}'
    except (ValueError, UnicodeError):
        raise MayflyError(
            'base_url, or MAYFLY_BASE_URL, must be the URL of a server, such as http://localhost:3000 or https://mail.example.com',
        ) from None


def check_hooks(hooks: Hooks | None) -> Hooks:
    """:raises MayflyError: unless `hooks` is a `Hooks` or None"""
    if hooks is not None and not isinstance(hooks, Hooks):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise MayflyError('hooks must be a Hooks, such as Hooks(on_retry=print)')
    return hooks or Hooks()


def check_call_options(options: object, operation: str) -> None:
    """:raises MayflyError: when `options` is not a dict, or has a member that no call takes"""
    if options is None:
        return
    if not isinstance(options, Mapping):
        raise MayflyError(f"{operation}: the options must be a dict, such as {{'timeout': 5}}")
    given = cast('Mapping[object, object]', options)
    known = RequestOptions.__annotations__
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        raise unknown_name(str(unknown), known, f'{operation}: unknown option')
    if not isinstance(given.get('headers', {}), Mapping):
        raise MayflyError(f"{operation}: headers must be a dict of texts, such as {{'X-Trace': '1'}}")


def check_timeout(timeout: float, name: str = 'timeout') -> float:
    """:raises MayflyError: unless it is a number above 0; infinity is allowed"""
    try:
        if isinstance(timeout, (int, float)) and not isinstance(timeout, bool) and float(timeout) > 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            return float(timeout)
    except OverflowError:
        pass  # a whole number of more than 308 digits
    raise MayflyError(f'{name} must be a number of seconds above 0')


def check_retries(max_retries: float) -> float:
    """:raises MayflyError: unless `max_retries` is a number from 0 on"""
    if isinstance(max_retries, bool) or not isinstance(max_retries, (int, float)) or not max_retries >= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise MayflyError('max_retries must be a number from 0 on')
    return max_retries
