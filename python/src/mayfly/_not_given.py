"""The value of arguments that are left out, where None has a meaning of its own."""

from __future__ import annotations

from enum import Enum


class NotGiven(Enum):
    """The type of `NOT_GIVEN`."""

    NOT_GIVEN = 'NOT_GIVEN'

    def __repr__(self) -> str:
        return 'NOT_GIVEN'

    def __bool__(self) -> bool:
        return False


NOT_GIVEN = NotGiven.NOT_GIVEN
"""The argument is left out; the value on the server stays as it is. None sets it to null."""
