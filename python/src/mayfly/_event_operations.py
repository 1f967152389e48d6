"""`mayfly.events`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._core.options import check_text
from ._core.unknown_names import unknown_name
from ._events import Subscription, subscribe
from ._generated import operations
from ._generated.types import EventName, KnownEvent, events_by_type
from ._resource import Resource

MayflyEvent = KnownEvent
"""An event of `events.subscribe`. Those of types that this version does not know are left out."""


class Events(Resource):
    """The live stream of the account's events."""

    def subscribe(self, *, last_event_id: str | None = None, events: Sequence[EventName] | None = None) -> Subscription[MayflyEvent]:
        """
        Follows the events of the account in their order. Lost connections are reopened without losing or repeating an event. The
        subscription begins with the loop over it, and ends with the loop, with `close()`, or with a `with` block.

        :param last_event_id: Begin after this event; `'0'` is before all events that the server keeps. Default: only new events.
        :param events: Only events of these types. Default: all.
        :raises MayflyError: for a type that this version does not know
        :raises AuthenticationError: when the key is revoked, and other errors that are not transient
        :raises InvalidRequestError: when `last_event_id` is not an id of this server
        """
        check_text(last_event_id, 'events.subscribe: last_event_id')
        for name in () if events is None or isinstance(events, str) else events:
            if name not in events_by_type:
                raise unknown_name(str(name), events_by_type, 'events.subscribe: unknown event', is_listed=True)
        return subscribe(
            self._connection, operations.events_stream(), read_event,
            last_event_id=last_event_id, events=events, cancellation=self._cancellation,
        )


def read_event(value: Any) -> MayflyEvent | None:
    """None for an event of a type that this version does not know."""
    kind = events_by_type.get(value['type'])
    return kind.from_json(value) if kind else None
