"""Lists in pages, to be awaited or looped over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from typing import Any, Generic, NoReturn, TypeVar

from ._lists import MayflyList, Page, Pages

T = TypeVar('T')
PageAfter = Callable[[MayflyList[T], str], Awaitable[Page[T]]]


class AsyncMayflyList(MayflyList[T]):
    """A page of a list. `async for` over it requests the following pages, too. A plain `for` would block the event loop."""

    def __init__(self, listed: MayflyList[T], page_after: PageAfter[T]) -> None:
        super().__init__(listed.first, listed.request, listed.options, _refuse)
        self._async_page_after = page_after

    def __iter__(self) -> Iterator[T]:
        """:raises TypeError: also for a list of one page, so that a program does not fail only when the list has grown"""
        _refuse()

    async def __aiter__(self) -> AsyncIterator[T]:
        pages = Pages(self.first)
        while True:
            for item in pages.fresh():
                yield item
            last = pages.last_id()
            if last is None:
                return
            pages.add(await self._async_page_after(self, last))


class AsyncList(Generic[T]):
    """`await` gives the first page, `async for` the items of all pages."""

    def __init__(self, first: Callable[[], Awaitable[MayflyList[T]]], page_after: PageAfter[T]) -> None:
        self._first = first
        self._page_after = page_after

    def __await__(self) -> Generator[Any, None, AsyncMayflyList[T]]:
        return self._load().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._load():
            yield item

    async def _load(self) -> AsyncMayflyList[T]:
        return AsyncMayflyList(await self._first(), self._page_after)


def _refuse(*_: object) -> NoReturn:
    raise TypeError('Use `async for` for a list of AsyncMayfly, or `items` for its first page: a plain `for` would block the event loop')
