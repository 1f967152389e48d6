"""Runs calls in threads, for asyncio."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ._core.errors import MayflyError
from ._core.forks import renew_after_fork

T = TypeVar('T')


@dataclass(frozen=True)
class _Call(Generic[T]):
    run: Callable[[], T]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[T]

    def carry_out(self) -> None:
        if self.future.cancelled():
            return
        try:
            result = self.run()
        except BaseException as error:
            raised = error  # the name `error` ends with this block
            self._deliver(lambda: self.future.done() or self.future.set_exception(raised))
        else:
            self._deliver(lambda: self.future.done() or self.future.set_result(result))

    def _deliver(self, settle: Callable[[], object]) -> None:
        try:
            self.loop.call_soon_threadsafe(settle)
        except RuntimeError:
            pass  # the loop was closed meanwhile: no task waits for the result


class Threads:
    """
    At most `max_threads` threads, started when needed; further calls wait for their turn. They are daemons, unlike those of
    `concurrent.futures`: a program ends without waiting for a call that was cancelled.
    """

    def __init__(self, max_threads: int) -> None:
        """:raises MayflyError: when `max_threads` is not a whole number above 0"""
        if isinstance(max_threads, bool) or not isinstance(max_threads, int) or max_threads < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise MayflyError('max_threads must be a whole number from 1 on')
        self._max = max_threads
        self._is_closed = False
        self._begin()
        renew_after_fork(self)

    def _begin(self) -> None:
        self._calls: queue.SimpleQueue[_Call[object] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._started = 0
        self._free = 0

    def after_fork(self) -> None:
        """A child process has none of the threads of its parent."""
        self._begin()

    async def run(self, call: Callable[[], T], cancel: Callable[[], object]) -> T:
        """
        The result of a call in a thread. A task that is cancelled ends at once; `cancel` ends the call in its thread.
        :raises MayflyError: after `close`
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._add(_Call(call, loop, future))
        try:
            return await future
        except asyncio.CancelledError:
            cancel()
            raise

    def close(self) -> None:
        """Ends the threads, each after its current call."""
        with self._lock:
            self._is_closed = True
            for _ in range(self._started):
                self._calls.put(None)

    def _add(self, call: _Call[T]) -> None:
        with self._lock:
            if self._is_closed:
                raise MayflyError('The client is closed')
            if self._free > 0:
                self._free -= 1
            elif self._started < self._max:
                self._started += 1
                threading.Thread(target=self._work, daemon=True, name='mayfly').start()
            else:
                self._free -= 1  # a thread that gets free takes it from the queue
            self._calls.put(call)  # pyright: ignore[reportArgumentType]

    def _work(self) -> None:
        while call := self._calls.get():
            call.carry_out()
            del call  # its result is not kept until the next call
            with self._lock:
                self._free += 1
