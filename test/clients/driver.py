"""Carries out cases with the Python SDK: reads one as a line of JSON, writes its outcome as a line, until the input ends."""

from __future__ import annotations

import itertools
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from driver_values import error_to_json, to_arguments, to_json, to_snake, to_value

from mayfly import Hooks, Mayfly, RetryEvent, webhooks
from mayfly._core.clock import Clock, clock

Task = dict[str, Any]


class JumpingClock(Clock):
    """The real time, which jumps over pauses. Random numbers are 1, so that pauses have their maximum."""

    def __init__(self) -> None:
        self._jumped = 0.0

    def now(self) -> float:
        return time.monotonic() + self._jumped

    def random(self) -> float:
        return 1.0

    def sleep(self, seconds: float, ended: threading.Event) -> None:
        self._jumped += seconds


class Recorder:
    """The arguments that the hooks of a client were given."""

    def __init__(self) -> None:
        self.events: list[object] = []
        self.pauses: list[dict[str, float]] = []
        self._attempt_began = 0.0
        self.hooks = Hooks(on_request=self._on_request, on_response=self.events.append, on_retry=self._on_retry)

    def _on_request(self, event: object) -> None:
        self.events.append(event)
        self._attempt_began = clock.now()

    def _on_retry(self, event: RetryEvent) -> None:
        self.events.append(event)
        interval = event.delay + clock.now() - self._attempt_began
        self.pauses.append({'pauseMs': event.delay * 1000, 'intervalMs': interval * 1000})


def run(task: Task, open_clients: list[Mayfly]) -> dict[str, Any]:
    """The client stays open, so that the server sees whether a call leaves connections."""
    recorder = Recorder()
    clock.current = JumpingClock()
    began = clock.now()
    shown: list[object] = []
    outcome: dict[str, Any]
    with environment(task['environment']):
        try:
            mayfly = Mayfly(**to_arguments(task['client']), hooks=recorder.hooks)
            open_clients.append(mayfly)
            shown.append(mayfly)
            outcome = {'result': to_json(run_calls(mayfly, task['calls']))}
        except Exception as error:
            outcome = {'error': error_to_json(error)}
            shown.extend([str(error), vars(error), ''.join(traceback.format_exception(error))])
    texts = [f'{value!r}\n{value}' for value in [*shown, *recorder.events]]
    return {**outcome, 'pauses': recorder.pauses, 'elapsedMs': (clock.now() - began) * 1000, 'shown': '\n'.join(texts)}


def run_calls(mayfly: Mayfly, calls: list[dict[str, Any]]) -> Any:
    result: Any = None
    inbox: Any = None
    for call in calls:
        owner, name = (to_snake(part) for part in (call['method'] + '.').split('.')[:2])
        if owner == 'request':
            parts: dict[str, Any] = call['input']
            result = mayfly.request(
                *call['ids'], params=parts.get('query'), json=parts.get('body'), dialect=parts.get('dialect'),
                options=cast('Any', to_arguments(call['options'] or {})),
            )
        elif (owner, name) == ('webhooks', 'verify'):
            result = verify(**to_arguments(call['input']))
        elif (owner, name) == ('webhooks', 'sign'):
            result = webhooks.sign(**{**to_arguments(call['input']), 'data': call['input']['data']})
        else:
            method = getattr(inbox if owner == 'inbox' else getattr(mayfly, owner), name)
            given = to_arguments(call['input'] or {})
            if call['options']:
                given['options'] = to_arguments(call['options'])
            result = method(*call['ids'], **given)
            if call['maxItems'] is not None:
                result = first_items(result, call['maxItems'])
        if owner == 'inboxes':
            inbox = result
    return result


def verify(body: Any, headers: Any, secret: Any, **options: Any) -> Any:
    return webhooks.verify(to_value(body), headers, secret, **options)


def first_items(listed: Any, count: int) -> list[Any]:
    items: list[Any] = list(itertools.islice(cast('Iterable[Any]', listed), count))
    if hasattr(listed, 'close'):
        listed.close()
    return items


@contextmanager
def environment(variables: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def main() -> None:
    open_clients: list[Mayfly] = []
    for line in sys.stdin:
        while open_clients:
            open_clients.pop().close()
        print(json.dumps(run(json.loads(line), open_clients)), flush=True)
    while open_clients:
        open_clients.pop().close()


main()
