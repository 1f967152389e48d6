"""Follows the stream of events, and reconnects."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from ._core.body import parse_json
from ._core.clock import clock
from ._core.connection import CallOptions, Connection
from ._core.deadline import Cancellation
from ._core.errors import MayflyError
from ._core.request import Request
from ._core.retry import is_transient, min_pause
from ._event_stream import StreamParser

T = TypeVar('T')

silence = 45.0
"""The connection is closed after these seconds without a byte: the server sends a comment every 15 seconds."""
max_pause = 30.0
first_pause = 1.0


@dataclass
class _State(Generic[T]):
    """Not a part of `Subscription`, so that the end of a loop frees it at once, which closes the connection."""

    connection: Connection
    request: Request[Any]
    read: Callable[[Any], T | None]
    types: Sequence[str] | None
    last_event_id: str | None
    cancellation: Cancellation


class Subscription(Generic[T]):
    """
    The events of the account in their order: iterate over it. Lost connections are reopened without losing or repeating an event. It ends
    with `close()`, at the end of a `with` block, or when a loop over it is left and it has no other reference.
    """

    def __init__(self, state: _State[T]) -> None:
        self._state = state
        self._events = _follow(state)

    @property
    def last_event_id(self) -> str | None:
        """The `last_event_id` with which a later subscription continues after the newest event of this one."""
        return self._state.last_event_id

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        if self._state.cancellation.ended.is_set():
            self.close()
            raise StopIteration
        try:
            return next(self._events)
        except MayflyError:
            if self._state.cancellation.ended.is_set():
                raise StopIteration from None
            raise

    def close(self) -> None:
        """Closes the connection, and ends a loop over the events in another thread."""
        self._state.cancellation.cancel()
        try:
            self._events.close()
        except ValueError:
            pass  # another thread is in it, and ends it

    def __enter__(self) -> Subscription[T]:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def subscribe(
    connection: Connection, request: Request[Any], read: Callable[[Any], T | None], *,
    last_event_id: str | None = None, events: Sequence[str] | None = None, cancellation: Cancellation | None = None,
) -> Subscription[T]:
    """
    :param request: of the operation `events.stream`
    :param read: makes an event of parsed JSON; None for a type that this version does not know
    :param last_event_id: begin after this event; '0' is before all events that the server keeps. Default: only new events
    :param events: only events of these types. Default: all
    """
    if isinstance(events, str):
        raise MayflyError("events.subscribe: events is a list of types, such as ['email.received']")
    return Subscription(_State(connection, request, read, events, last_event_id, cancellation or Cancellation()))


def _follow(state: _State[T]) -> Generator[T, None, None]:
    pause = first_pause
    while True:
        options: CallOptions = {
            'timeout': float('inf'), 'attempt_timeout': state.connection.timeout, 'endless_retries': True,
            'cancellation': state.cancellation,
        }
        if state.last_event_id is not None:
            options['headers'] = {'last-event-id': state.last_event_id}
        stream = state.connection.open_stream(state.request, options)
        stream.read_timeout = silence
        parser = StreamParser()
        try:
            for piece in stream:
                for block in parser.feed(piece):
                    state.last_event_id = block.id if block.id is not None else state.last_event_id
                    pause = block.retry if block.retry is not None else pause
                    event = None if block.data is None else _read(block.data, state)
                    if event is not None:
                        yield event
        except MayflyError as error:
            if not is_transient(error):
                raise
        finally:
            stream.close()
        # with jitter, so that the clients of a restarted server do not return all at once
        clock.sleep(max(min_pause, min(max_pause, pause) * (0.75 + clock.random() / 4)), state.cancellation.ended)


def _read(text: str, state: _State[T]) -> T | None:
    """None for an event of a type that was not asked for. :raises MayflyError: when it is not an event of Mayfly"""
    try:
        value = parse_json(text.encode('utf-8', 'replace'))
        kind = value['type']
        if not isinstance(kind, str):
            raise TypeError
        return state.read(value) if state.types is None or kind in state.types else None
    except Exception:
        # without its cause, whose message repeats a part of the text
        raise MayflyError('The stream has a message that is not an event of Mayfly') from None
