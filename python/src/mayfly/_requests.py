"""Parts of requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ._core.errors import MayflyError
from ._core.ids import After, require_id, to_cursor
from ._not_given import NOT_GIVEN


def filled(operation: str, path: str, **ids: str) -> str:
    """:raises MayflyError: for an id that would make a request of another path"""
    return path.format_map({name: require_id(value, f'{operation}: {name}') for name, value in ids.items()})


def optional_id(value: str | None, label: str) -> str | None:
    return None if value is None else require_id(value, label)


def optional_cursor(after: After | None, operation: str) -> str | None:
    return None if after is None else to_cursor(after, operation)


def flag(value: bool | None, label: str) -> str | None:
    """A truth value as it stands in a query. :raises MayflyError: for another type, such as the text `false`"""
    if value is not None and not isinstance(value, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise MayflyError(f'{label} must be True, False or None')
    return None if value is None else 'true' if value else 'false'


def given(*members: tuple[str, object], nullable: Sequence[tuple[str, object]] = ()) -> dict[str, Any]:
    """
    The members of a body that were given. None leaves a member out, unless null is a value of it.
    :param nullable: members in which None stands for null, and `NOT_GIVEN` leaves them out
    """
    kept = [(name, value) for name, value in members if value is not None]
    kept += [(name, value) for name, value in nullable if value is not NOT_GIVEN]
    return {name: _to_json(value) for name, value in kept}


def _to_json(value: object) -> object:
    """Lists may be given as any sequence or set."""
    return list(cast('Sequence[object]', value)) if isinstance(value, (tuple, set, frozenset)) else value
