"""The base of the classes that have the methods of a resource."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ._core.options import check_call_options
from ._lists import MayflyList, Page

if TYPE_CHECKING:
    from ._core.answer import Answer
    from ._core.connection import CallOptions, Connection
    from ._core.deadline import Cancellation
    from ._core.request import Request, RequestOptions

T = TypeVar('T')
Self = TypeVar('Self', bound='Resource')


class Resource:
    """The methods of a resource, for one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cancellation: Cancellation | None = None

    def cancelled_by(self: Self, cancellation: Cancellation) -> Self:
        """The same methods, whose calls another thread can end. For the client with `await`."""
        bound = copy.copy(self)
        bound._cancellation = cancellation
        return bound

    def page_after(self, listed: MayflyList[T], last_id: str) -> Page[T]:
        """The page of a list that begins after an item."""
        query = {**listed.request.query, 'offset': None, 'before': last_id}
        return self._call(replace(listed.request, query=query), listed.options)

    def _call(self, request: Request[T], options: RequestOptions | None) -> T:
        return self._answer(request, options).data

    def _answer(self, request: Request[T], options: RequestOptions | None) -> Answer[T]:
        """The result with the headers of its answer."""
        return self._connection.call_with_response(request, self._with_cancellation(options, request.operation))

    def _list(self, request: Request[Page[T]], options: RequestOptions | None) -> MayflyList[T]:
        return MayflyList(self._call(request, options), request, options, self.page_after)

    def _with_cancellation(self, options: RequestOptions | None, operation: str) -> CallOptions:
        """:raises MayflyError: when `options` is not a dict, or has a member that no call takes"""
        check_call_options(options, operation)
        given: CallOptions = {**(options or {})}
        if self._cancellation:
            given['cancellation'] = self._cancellation
        return given
