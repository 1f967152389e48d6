"""Reads JSON objects of answers, and says which member is at fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypeVar, cast

from ._core.dates import parse_time

T = TypeVar('T')
Constant = TypeVar('Constant', bound='str | bool')


def no_members() -> Mapping[str, Any]:
    return {}


def members_of(value: Any, name: str) -> dict[str, Any]:
    """:raises ValueError: when it is not an object"""
    if not isinstance(value, dict):
        raise ValueError(f'{name} is not an object')
    return cast('dict[str, Any]', value)


class Reader:
    """
    Reads the members of one object. An older server may lack a member that this version knows: then lists are empty, and what may be
    None is None. Anything else that is missing, and each value of another type, is a ValueError.
    """

    def __init__(self, value: Any, name: str) -> None:
        self._members = members_of(value, name)
        self._name = name
        self._known: set[str] = set()

    def extra(self) -> Mapping[str, Any]:
        """The members that were not read."""
        return {name: value for name, value in self._members.items() if name not in self._known}

    def text(self, name: str) -> str:
        return self._of_type(name, str)

    def optional_text(self, name: str) -> str | None:
        return self._optional(name, self.text)

    def flag(self, name: str) -> bool:
        return self._of_type(name, bool)

    def optional_flag(self, name: str) -> bool | None:
        return self._optional(name, self.flag)

    def integer(self, name: str) -> int:
        value = self._of_type(name, int)
        if isinstance(value, bool):
            raise self._fault(name)
        return value

    def optional_integer(self, name: str) -> int | None:
        return self._optional(name, self.integer)

    def constant(self, name: str, expected: Constant) -> Constant:
        if self._value(name) != expected:
            raise self._fault(name)
        return expected

    def time(self, name: str) -> datetime:
        try:
            return parse_time(self._value(name))
        except (ValueError, OverflowError):
            raise self._fault(name) from None

    def optional_time(self, name: str) -> datetime | None:
        return self._optional(name, self.time)

    def day(self, name: str) -> date:
        return self.time(name).date()

    def item(self, name: str, parse: Callable[[Any], T]) -> T:
        return parse(self._value(name))

    def optional_item(self, name: str, parse: Callable[[Any], T]) -> T | None:
        return self._optional(name, lambda _: self.item(name, parse))

    def items(self, name: str, parse: Callable[[Any], T]) -> Sequence[T]:
        return [parse(value) for value in self._sequence(name)]

    def optional_items(self, name: str, parse: Callable[[Any], T]) -> Sequence[T] | None:
        return self._optional(name, lambda name: self.items(name, parse))

    def texts(self, name: str) -> Sequence[str]:
        values = self._sequence(name)
        if not all(isinstance(value, str) for value in values):
            raise self._fault(name)
        return values

    def optional_texts(self, name: str) -> Sequence[str] | None:
        return self._optional(name, self.texts)

    def texts_by_name(self, name: str) -> Mapping[str, str]:
        values = members_of(self._value(name) or {}, f'{self._name}.{name}')
        if not all(isinstance(value, str) for value in values.values()):
            raise self._fault(name)
        return values

    def optional_texts_by_name(self, name: str) -> Mapping[str, str] | None:
        return self._optional(name, self.texts_by_name)

    def _value(self, name: str) -> Any:
        self._known.add(name)
        return self._members.get(name)

    def _of_type(self, name: str, kind: type[T]) -> T:
        value = self._value(name)
        if not isinstance(value, kind):
            raise self._fault(name)
        return value

    def _optional(self, name: str, read: Callable[[str], T]) -> T | None:
        return None if self._value(name) is None else read(name)

    def _sequence(self, name: str) -> list[Any]:
        value = self._value(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self._fault(name)
        return cast('list[Any]', value)

    def _fault(self, name: str) -> ValueError:
        return ValueError(f'{self._name}.{name} is missing or of another type')
