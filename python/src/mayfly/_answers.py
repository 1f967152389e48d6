"""Reads the bodies of answers. Each function returns one that raises ValueError for a body which is not Mayfly's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from ._lists import Page
from ._reader import Reader, members_of

T = TypeVar('T')
Parse = Callable[[Any], T]


def item(parse: Parse[T], *, with_message: bool = False) -> Parse[T]:
    """An object that is the whole body. `with_message`: its members stand in `data`, beside a message."""
    if not with_message:
        return parse
    return lambda body: parse({**_data(body), 'message': members_of(body, 'The answer').get('message')})


def item_in_data(parse: Parse[T]) -> Parse[T]:
    """An object in `data`."""
    return lambda body: parse(_data(body))


def page(parse: Parse[T], items: str, *, is_in_data: bool) -> Parse[Page[T]]:
    """A page of a list, with its items in a member of this name."""

    def read(body: Any) -> Page[T]:
        members = _data(body) if is_in_data else members_of(body, 'The answer')
        reader = Reader(members, 'page')
        if not isinstance(members.get(items), list):
            raise ValueError(f'{items} is not a list')
        found = reader.items(items, parse)
        total, offset = reader.integer('total'), reader.integer('offset')
        has_more = reader.optional_flag('hasMore')  # older servers lack it
        return Page(
            items=found, total=total, limit=reader.integer('limit'), offset=offset,
            has_more=offset + len(found) < total if has_more is None else has_more, cursor=reader.optional_text('cursor'),
            server_time=reader.optional_time('serverTime'),
        )

    return read


def whole_list(parse: Parse[T]) -> Parse[Page[T]]:
    """A list without pages, in `data`."""

    def read(body: Any) -> Page[T]:
        data = members_of(body, 'The answer').get('data')
        if not isinstance(data, list):
            raise ValueError('data is not a list')
        found = [parse(value) for value in cast('list[Any]', data)]
        return Page(items=found, total=len(found), limit=len(found), offset=0, has_more=False, cursor=None, server_time=None)

    return read


def _data(body: Any) -> dict[str, Any]:
    return members_of(members_of(body, 'The answer').get('data'), 'data')
