"""Prints the public names of the package: the resources of both clients with their methods and arguments, the errors and the exports."""

from __future__ import annotations

import inspect
import json
from typing import Any

import mayfly
from mayfly import AsyncMayfly, Inbox, Mayfly, MayflyError


def public(target: object) -> list[str]:
    return [name for name in dir(target) if not name.startswith('_')]


def arguments(method: Any) -> list[str]:
    return [name for name in inspect.signature(method).parameters if name != 'self']


def methods(target: object, left_out: tuple[str, ...] = ()) -> dict[str, list[str]]:
    found = [name for name in public(target) if name not in left_out and callable(getattr(target, name))]
    return {name: arguments(getattr(target, name)) for name in found}


def resources(client: object, internal: tuple[str, ...]) -> dict[str, dict[str, list[str]]]:
    found = {name: getattr(client, name) for name in public(client)}
    return {name: methods(value, internal) for name, value in found.items() if type(value).__module__.startswith('mayfly.')}


def classes(base: type) -> list[str]:
    return [base.__name__, *(name for child in base.__subclasses__() for name in classes(child))]


sync = Mayfly(api_key='svc_test_any')
aio = AsyncMayfly(api_key='svc_test_any')
print(json.dumps({
    'sync': resources(sync, ('cancelled_by', 'page_after', 'wait_with')),
    'async': resources(aio, ('run',)),
    'client': arguments(Mayfly),
    'request': [arguments(client.request) for client in (sync, aio)],
    'inbox': methods(Inbox),
    'async_inbox': methods(mayfly.AsyncInbox),
    'errors': classes(MayflyError),
    'webhooks': {name: arguments(getattr(mayfly.webhooks, name)) for name in ('sign', 'verify')},
    'all': mayfly.__all__,
    'repr': [repr(sync), repr(aio)],
}))
