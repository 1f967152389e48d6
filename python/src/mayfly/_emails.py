"""`mayfly.emails`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ._core.answer import Answer
from ._core.files import read_filename
from ._core.ids import After
from ._core.options import check_timeout
from ._core.request import Request, RequestOptions
from ._generated import operations
from ._generated.resources import EmailsOperations
from ._generated.types import Email, EmailSummary
from ._file import File
from ._lists import Page
from ._mail_filters import Filters, TextFilter
from ._wait_for import wait_for
from ._wait_input import WaitClient, WaitInput, WaitResult

if TYPE_CHECKING:
    from ._core.connection import CallOptions, Connection
    from ._core.stream import StreamResponse
    from ._seen_mail import SeenMail

T = TypeVar('T')
server_wait = 30
"""Seconds that the server waits where a call names no `timeout`."""

EmailWaitResult = WaitResult[Email]
"""The result of `emails.wait`: the email, or None, and the `cursor` for the next call."""


class Emails(EmailsOperations):
    """Mail that the addresses received or sent."""

    def __init__(self, connection: Connection, seen: SeenMail, wait_timeout: float) -> None:
        super().__init__(connection)
        self._seen = seen
        self._wait_timeout = check_timeout(wait_timeout, 'wait_timeout')

    def raw(self, id: str, *, options: RequestOptions | None = None) -> bytes:
        """
        Returns the source of an email, byte for byte.

        :raises NotFoundError: when the account has no such email
        """
        return self._call(operations.emails_raw(id), options)

    def stream_raw(self, id: str, *, options: RequestOptions | None = None) -> StreamResponse:
        """
        Returns the source of an email as it arrives: a context manager, and an iterable of bytes. `timeout` limits the time until the
        answer begins, then the time without a byte.

        :raises NotFoundError: when the account has no such email
        """
        return self._connection.open_stream(operations.emails_raw(id), self._with_cancellation(options, 'emails.raw'))

    def attachment(self, email_id: str, attachment_id: str, *, options: RequestOptions | None = None) -> File:
        """
        Downloads an attachment, byte for byte, with the name and the type that the mail gives it.

        :raises NotFoundError: when the account has no such email or attachment
        """
        answer = self._answer(operations.emails_attachment(email_id, attachment_id), options)
        headers = answer.response.headers
        name = read_filename(headers.get('content-disposition')) or attachment_id
        return File(name, headers.get('content-type', 'application/octet-stream'), answer.data)

    def stream_attachment(self, email_id: str, attachment_id: str, *, options: RequestOptions | None = None) -> StreamResponse:
        """
        Returns the bytes of an attachment as they arrive, see `stream_raw`.

        :raises NotFoundError: when the account has no such email or attachment
        """
        request = operations.emails_attachment(email_id, attachment_id)
        return self._connection.open_stream(request, self._with_cancellation(options, request.operation))

    def wait(
        self, *, address_id: str | None = None, after: After | None = None, from_: str | None = None,
        subject: str | None = None, to: str | None = None, envelope_from: str | None = None, timeout: int | None = None,
        options: RequestOptions | None = None,
    ) -> EmailWaitResult:
        """
        Waits on the server in a single request. Most callers want `wait_for`, which repeats it and continues after the last email.

        :param address_id: Only mail of this address.
        :param after: Only mail that arrived later. Default: later than the call.
        :param from_: Only mail whose sender has this text, in any case.
        :param subject: Only mail whose subject has this text, in any case.
        :param to: Only mail with this recipient in its envelope: a whole address, or `*@domain`.
        :param envelope_from: Only mail with this sender in its envelope, in the form of `to`.
        :param timeout: Seconds that the server waits, 0 to 60, default 30. The `timeout` of the client is added for the request.
        :raises NotFoundError: when the account has no such address
        """
        given = self._with_cancellation(options, 'emails.wait')
        if 'timeout' not in given:
            given['timeout'] = (server_wait if timeout is None else timeout) + self._connection.timeout
        result = self._wait_once(address_id, after, from_, to, subject, timeout, given, envelope_from)
        if result.email:
            self._seen.add(result.email)
        return result

    def wait_for(
        self, *, address_id: str | None = None, after: After | None = None, from_: TextFilter | None = None,
        to: TextFilter | None = None, subject: TextFilter | None = None, body: TextFilter | None = None,
        match: Callable[[Email], object] | None = None, timeout: float | None = None,
    ) -> Email:
        """
        Waits for an email and returns it whole, with its codes and links. The wait begins at the call, or for an address that this client
        issued, after the mail that earlier calls returned: its mail also counts when it came before this call.

        :param address_id: Only mail of this address.
        :param after: Only mail that arrived later than this email, its id, a `cursor`, or a time of the server's clock with its zone.
        :param from_: The sender's address or name has this text, in any case, or matches this expression.
        :param to: A recipient of the envelope: a whole address, `*@domain`, other text in the address, or an expression.
        :param subject: As `from_`, for the subject.
        :param body: As `from_`, for the text or the HTML.
        :param match: Called with each email that passes the other filters; true for the wanted one.
        :param timeout: Seconds. Default: `wait_timeout` of the client.
        :raises MayflyTimeoutError: after `timeout`; its message lists the mail that arrived instead
        :raises NotFoundError: when the account has no such address
        """
        return wait_for(self._wait_client(), WaitInput(
            address_id=address_id, after=after, filters=Filters(from_=from_, to=to, subject=subject, body=body), match=match,
            timeout=timeout, cancellation=self._cancellation,
        ))

    def wait_with(self, given: WaitInput[Email]) -> Email:
        """`wait_for` of a part of a mail, such as its code: for inboxes."""
        return wait_for(self._wait_client(), replace(given, cancellation=self._cancellation))

    def _wait_client(self) -> WaitClient[Email, EmailSummary]:
        def list_page(
            address_id: str | None, after: str | None, before: str | None, limit: int, options: CallOptions,
        ) -> Page[EmailSummary]:
            request = operations.emails_list(address_id=address_id, type='received', after=after, before=before, limit=limit)
            return self._connection.call(request, options)

        def get(id: str, options: CallOptions) -> Email:
            return self._connection.call(operations.emails_get(id), options)

        return WaitClient(list_page, get, self._wait_once, self._seen, self._connection.timeout, self._wait_timeout)

    def _wait_once(
        self, address_id: str | None, after: After | None, from_: str | None, to: str | None, subject: str | None, timeout: int | None,
        options: CallOptions, envelope_from: str | None = None,
    ) -> WaitResult[Email]:
        """Without a record of the mail that is returned."""
        request = operations.emails_wait(
            address_id=address_id, after=after, from_=from_, to=to, envelope_from=envelope_from, subject=subject, timeout=timeout,
        )

        def parse(body: Any) -> Email | None:
            return None if body is None else request.parse(body)

        answer = self._connection.call_with_response(replace(request, parse=parse), options)
        cursor = answer.response.headers.get('x-mayfly-cursor') or (answer.data.id if answer.data else None)
        if cursor is None:
            raise self._connection.to_unexpected(request, answer.response)
        return WaitResult(answer.data, cursor)

    def _answer(self, request: Request[T], options: RequestOptions | None) -> Answer[T]:
        """Records the mail that the caller has seen: `wait_for` begins after it."""
        answer = super()._answer(request, options)
        data: Any = answer.data
        if request.operation == 'emails.list':
            page: Page[EmailSummary] = data
            for email in page.items:
                self._seen.add(email)
        elif request.operation == 'emails.get':
            self._seen.add(data)
        return answer
