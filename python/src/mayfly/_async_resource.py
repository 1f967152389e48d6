"""The base of the classes that have the methods of a resource, to be awaited."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from ._async_lists import AsyncList
from ._core.deadline import Cancellation
from ._lists import MayflyList
from ._resource import Resource
from ._threads import Threads

T = TypeVar('T')
R = TypeVar('R', bound=Resource)


class AsyncResource(Generic[R]):
    """Runs the methods of a resource in threads."""

    def __init__(self, sync: R, threads: Threads) -> None:
        self._sync = sync
        self._threads = threads

    async def run(self, call: Callable[[R], T]) -> T:
        """Calls a method in a thread. The call ends when the task is cancelled."""
        cancellation = Cancellation()
        sync = self._sync.cancelled_by(cancellation)
        return await self._threads.run(lambda: call(sync), cancellation.cancel)

    def _list(self, call: Callable[[R], MayflyList[T]]) -> AsyncList[T]:
        return AsyncList(
            lambda: self.run(call),
            lambda listed, last_id: self.run(lambda sync: sync.page_after(listed, last_id)),
        )
