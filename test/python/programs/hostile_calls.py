"""Makes a call on each path of a hostile server, all at once, and prints the outcome of each as JSON."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

from mayfly import Mayfly

ID = '019ceb92-ea80-752e-bca9-6513269e0d37'

calls: dict[str, Callable[[Mayfly], Any]] = {
    'addresses.list': lambda mayfly: mayfly.addresses.list(),
    'addresses.create': lambda mayfly: mayfly.addresses.create(alias='a'),
    'emails.get': lambda mayfly: mayfly.emails.get(ID),
    'emails.wait': lambda mayfly: mayfly.emails.wait(timeout=0),
    'emails.wait_for': lambda mayfly: mayfly.emails.wait_for(subject='code', timeout=1),
    'emails.raw': lambda mayfly: mayfly.emails.raw(ID),
    'emails.attachment': lambda mayfly: mayfly.emails.attachment(ID, ID),
    'events.subscribe': lambda mayfly: next(mayfly.events.subscribe()),
}


def outcome_of(base_url: str, call: str, timeout: float) -> str:
    with Mayfly('svc_test_key', base_url, timeout=timeout, max_retries=0) as mayfly:
        try:
            calls[call](mayfly)
            return 'success'
        except Exception as error:
            return f'{type(error).__name__}: {error}'


def main(url: str, trials: dict[str, str], timeout: float) -> None:
    outcomes: dict[str, str] = {}

    def run(name: str, call: str) -> None:
        outcomes[name] = outcome_of(f'{url}/{name}', call, timeout)

    threads = [threading.Thread(target=run, args=trial) for trial in trials.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(outcomes))


main(sys.argv[1], json.loads(sys.argv[2]), float(sys.argv[3]))
