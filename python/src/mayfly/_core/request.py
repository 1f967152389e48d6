"""A request to be sent, and how its answer is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypedDict, TypeVar

from .hooks import ResponseEvent

T = TypeVar('T')


def _no_query() -> Mapping[str, object]:
    return {}


@dataclass(frozen=True)
class Request(Generic[T]):
    """A request of one operation."""

    operation: str
    """The operation's name in the API: `addresses.create`."""
    method: str
    path: str
    """The path from `/api/v1` on, filled and quoted: `/addresses/019c…`."""
    parse: Callable[[Any], T]
    """Makes the call's result of the decoded JSON body of a success, or of the bytes of a file. None is an empty body."""
    is_change: bool
    """Whether it gets an `Idempotency-Key`."""
    query: Mapping[str, object] = field(default_factory=_no_query)
    """Parameters; None values are left out, and each item of a list is a parameter."""
    body: object = None
    """Ready for JSON, or None."""
    dialect: str | None = 'primary'
    """The types of this package are those of the primary dialect, also with a key of another. None: the dialect of the key."""
    accept: str = 'application/json'
    """Other types: the answer is the bytes of a file."""


class RequestOptions(TypedDict, total=False):
    """The options of a single call: the argument `options` of every method."""

    timeout: float
    """Seconds that the call may take, with all its attempts and its body. Default: the client's."""
    max_retries: int
    """Maximum number of attempts after the first. Default: the client's."""
    idempotency_key: str
    """
    For 24 hours the server carries out a change once for each key, and answers repetitions with the first answer: 1 to 255 visible ASCII
    characters. Default: a random key for each call, shared by its attempts.
    """
    headers: Mapping[str, str]
    """Additional headers."""
    on_response: Callable[[ResponseEvent], object]
    """Called for each answer of this call, as `Hooks.on_response` is for all."""
