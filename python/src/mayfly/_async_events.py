"""`mayfly.events`, for asyncio."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Generic, TypeVar

from ._event_operations import Events, MayflyEvent
from ._events import Subscription
from ._generated.types import EventName
from ._threads import Threads

T = TypeVar('T')


class AsyncSubscription(Generic[T]):
    """
    The events of the account in their order: `async for` gives them, `async with` closes the connection at the end of the block. A task that
    is cancelled while it awaits an event ends the subscription; another one continues with its `last_event_id`.
    """

    def __init__(self, sync: Subscription[T], threads: Threads) -> None:
        self._sync = sync
        self._threads = threads

    @property
    def last_event_id(self) -> str | None:
        """The `last_event_id` with which a later subscription continues after the newest event of this one."""
        return self._sync.last_event_id

    def __aiter__(self) -> AsyncSubscription[T]:
        return self

    async def __anext__(self) -> T:
        found = await self._threads.run(lambda: next(self._sync, None), self._sync.close)
        if found is None:
            raise StopAsyncIteration
        return found

    async def aclose(self) -> None:
        """Closes the connection, and ends a loop over the events in another task."""
        self._sync.close()

    async def __aenter__(self) -> AsyncSubscription[T]:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._sync.close()


class AsyncEvents:
    """The live stream of the account's events."""

    def __init__(self, sync: Events, threads: Threads) -> None:
        self._sync = sync
        self._threads = threads

    def subscribe(
        self, *, last_event_id: str | None = None, events: Sequence[EventName] | None = None,
    ) -> AsyncSubscription[MayflyEvent]:
        """Follows the events of the account in their order: see `Events.subscribe`."""
        return AsyncSubscription(self._sync.subscribe(last_event_id=last_event_id, events=events), self._threads)
