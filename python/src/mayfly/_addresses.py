"""`mayfly.addresses`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ._core.answer import Answer
from ._core.request import Request, RequestOptions
from ._generated.resources import AddressesOperations
from ._generated.types import AddressCreated

if TYPE_CHECKING:
    from ._core.connection import Connection
    from ._seen_mail import SeenMail

T = TypeVar('T')


class Addresses(AddressesOperations):
    """Temporary addresses, each with a lifetime."""

    def __init__(self, connection: Connection, seen: SeenMail) -> None:
        super().__init__(connection)
        self._seen = seen

    def _answer(self, request: Request[T], options: RequestOptions | None) -> Answer[T]:
        """Records the addresses of this client: `emails.wait_for` begins with their first mail."""
        answer = super()._answer(request, options)
        data: Any = answer.data
        if isinstance(data, AddressCreated):
            self._seen.issued(data.id)
        elif request.operation == 'addresses.delete':
            self._seen.removed(data.id)
        return answer
