"""Clients in child processes of `os.fork`, which gunicorn, celery and multiprocessing use."""

from __future__ import annotations

import asyncio
import os
import select
import threading
import unittest
from collections.abc import Callable
from typing import Any, cast

from fakes import KEY
from mayfly import AsyncMayfly, Mayfly
from raw_server import RawServer, answer

LIST = answer(b'{"data": []}')
MAX_SECONDS = 10.0


def in_child(run: Callable[[], object]) -> str:
    """The text of what `run` returns, or of its error, in a child process; `no answer` when it hangs."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = str(run())
        except BaseException as error:
            text = repr(error)
        os.write(writable, text.encode())
        os._exit(0)
    os.close(writable)
    try:
        is_done = bool(select.select([readable], [], [], MAX_SECONDS)[0])
        return os.read(readable, 10_000).decode() if is_done else 'no answer'
    finally:
        os.close(readable)
        if not os.waitpid(child, os.WNOHANG)[0]:
            os.kill(child, 9)
            os.waitpid(child, 0)


@unittest.skipUnless(hasattr(os, 'fork'), 'this system has no fork')
class Forks(unittest.TestCase):
    def setUp(self) -> None:
        self.server = RawServer(lambda accepted, _number: accepted.sendall(LIST))
        self.addCleanup(self.server.close)
        self.client = Mayfly(KEY, self.server.url, timeout=5)
        self.addCleanup(self.client.close)

    def test_a_child_opens_connections_of_its_own(self) -> None:
        self.client.domains.list()
        self.assertEqual(in_child(lambda: self.client.domains.list().total), '0')
        self.assertEqual(self.client.domains.list().total, 0)
        self.assertEqual((self.server.connections, len(self.server.requests)), (2, 3))

    def test_a_lock_that_another_thread_holds_does_not_block_a_child(self) -> None:
        client = cast(Any, self.client)
        for lock in (client._connection._transport._pool._lock, client._connection._closing._lock, client.emails._seen._lock):
            with lock:
                self.assertEqual(in_child(lambda: self.client.domains.list().total), '0')

    def test_a_child_that_closes_the_client_ends_no_call_of_its_parent(self) -> None:
        arrived, go_on = threading.Event(), threading.Event()

        def act(accepted: Any, _number: int) -> None:
            arrived.set()
            go_on.wait(MAX_SECONDS)
            accepted.sendall(LIST)
        server = RawServer(act)
        self.addCleanup(server.close)
        client = Mayfly(KEY, server.url, timeout=MAX_SECONDS, max_retries=0)
        self.addCleanup(client.close)
        results: list[object] = []

        def work() -> None:
            try:
                results.append(client.domains.list().total)
            except BaseException as error:
                results.append(error)
        thread = threading.Thread(target=work)
        thread.start()
        arrived.wait(MAX_SECONDS)
        self.assertEqual(in_child(client.close), 'None')
        go_on.set()
        thread.join()
        self.assertEqual(results, [0])

    def test_a_child_starts_threads_of_its_own_for_asyncio(self) -> None:
        client = AsyncMayfly(KEY, self.server.url, timeout=5, max_threads=1)
        self.assertEqual(asyncio.run(total_of(client)), 0)
        self.assertEqual(in_child(lambda: asyncio.run(total_of(client))), '0')
        self.assertEqual(asyncio.run(total_of(client)), 0)
        asyncio.run(client.aclose())

    def test_a_call_that_fails_in_a_child_leaves_the_client_of_its_parent_usable(self) -> None:
        self.assertRegex(in_child(lambda: self.client.addresses.get('a')), '^UnexpectedAnswerError')
        self.assertEqual(self.client.domains.list().total, 0)

    def test_children_of_children_are_served(self) -> None:
        self.client.domains.list()
        self.assertEqual(in_child(lambda: in_child(lambda: self.client.domains.list().total)), '0')


async def total_of(client: AsyncMayfly) -> int:
    return (await client.domains.list()).total


if __name__ == '__main__':
    unittest.main()
