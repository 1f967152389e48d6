"""Lists in pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from ._core.errors import MayflyError
from ._core.request import Request, RequestOptions

T = TypeVar('T')


@dataclass(frozen=True)
class Page(Generic[T]):
    """One page of a list, as the server sent it."""

    items: Sequence[T]
    total: int
    limit: int
    offset: int
    has_more: bool
    cursor: str | None
    server_time: datetime | None


class MayflyList(Generic[T]):
    """
    A page of a list. A loop over it requests the following pages, too. Items that are deleted or added meanwhile cause no gaps and no
    duplicates.
    """

    def __init__(
        self, first: Page[T], request: Request[Page[T]], options: RequestOptions | None,
        page_after: Callable[[MayflyList[T], str], Page[T]],
    ) -> None:
        self.items: Sequence[T] = first.items
        """The items of this page."""
        self.total: int = first.total
        """The number of items on all pages."""
        self.limit: int = first.limit
        """The size of a page."""
        self.offset: int = first.offset
        """The number of items that were skipped."""
        self.has_more: bool = first.has_more
        """Whether items follow after this page."""
        self.cursor: str | None = first.cursor
        """The position in the order of arrival, of lists of mail: the argument `after` of later calls. None for other lists."""
        self.first = first
        """This page."""
        self.request = request
        """The request of this page, for the following ones."""
        self.options = options
        self._page_after = page_after

    def __iter__(self) -> Iterator[T]:
        pages = Pages(self.first)
        while True:
            yield from pages.fresh()
            last = pages.last_id()
            if last is None:
                return
            pages.add(self._page_after(self, last))

    def __reduce__(self) -> str:
        raise MayflyError('A list cannot be pickled, since a loop over it requests the following pages. Pickle its `items`.')

    def __repr__(self) -> str:
        return f'<MayflyList of {len(self.items)} of {self.total} items>'


class Pages(Generic[T]):
    """The state of a loop over all pages, without the requests."""

    def __init__(self, first: Page[T]) -> None:
        self.current = first
        self._seen: set[str] = set()
        self._had_fresh = False

    def fresh(self) -> list[T]:
        """The items of the current page that no earlier page had: a server that does not support `before` sends the same page again."""
        items = [item for item in self.current.items if _id(item) not in self._seen]
        self._seen.update(_id(item) for item in items)
        self._had_fresh = bool(items)
        return items

    def last_id(self) -> str | None:
        """The id after which the next page begins. None after the last page."""
        return _id(self.current.items[-1]) if self._had_fresh and self.current.has_more else None

    def add(self, page: Page[T]) -> None:
        self.current = page


def _id(item: object) -> str:
    return str(getattr(item, 'id', id(item)))
