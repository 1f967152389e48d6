"""`mayfly.emails`, to be awaited."""

from __future__ import annotations

from collections.abc import Callable

from ._async_resource import AsyncResource
from ._async_stream import AsyncStream
from ._core.ids import After
from ._core.request import RequestOptions
from ._emails import Emails, EmailWaitResult
from ._file import File
from ._generated.async_resources import AsyncEmailsOperations
from ._generated.types import Email
from ._mail_filters import TextFilter
from ._threads import Threads


class AsyncEmails(AsyncEmailsOperations):
    """Mail that the addresses received or sent. The methods are those of `Emails`, which documents them."""

    def __init__(self, sync: Emails, threads: Threads) -> None:
        super().__init__(sync, threads)
        self._emails = AsyncResource(sync, threads)

    async def raw(self, id: str, *, options: RequestOptions | None = None) -> bytes:
        """Returns the source of an email, byte for byte: see `Emails.raw`."""
        return await self._emails.run(lambda sync: sync.raw(id, options=options))

    async def stream_raw(self, id: str, *, options: RequestOptions | None = None) -> AsyncStream:
        """Returns the source of an email as it arrives, for `async with` and `async for`: see `Emails.stream_raw`."""
        return AsyncStream(self._threads, await self._emails.run(lambda sync: sync.stream_raw(id, options=options)))

    async def attachment(self, email_id: str, attachment_id: str, *, options: RequestOptions | None = None) -> File:
        """Downloads an attachment: see `Emails.attachment`."""
        return await self._emails.run(lambda sync: sync.attachment(email_id, attachment_id, options=options))

    async def stream_attachment(
        self, email_id: str, attachment_id: str, *, options: RequestOptions | None = None,
    ) -> AsyncStream:
        """Returns the bytes of an attachment as they arrive, for `async with` and `async for`: see `Emails.stream_attachment`."""
        stream = await self._emails.run(lambda sync: sync.stream_attachment(email_id, attachment_id, options=options))
        return AsyncStream(self._threads, stream)

    async def wait(
        self, *, address_id: str | None = None, after: After | None = None, from_: str | None = None,
        subject: str | None = None, to: str | None = None, envelope_from: str | None = None, timeout: int | None = None,
        options: RequestOptions | None = None,
    ) -> EmailWaitResult:
        """Waits on the server in a single request: see `Emails.wait`."""
        return await self._emails.run(lambda sync: sync.wait(
            address_id=address_id, after=after, from_=from_, subject=subject, to=to, envelope_from=envelope_from, timeout=timeout,
            options=options,
        ))

    async def wait_for(
        self, *, address_id: str | None = None, after: After | None = None, from_: TextFilter | None = None,
        to: TextFilter | None = None, subject: TextFilter | None = None, body: TextFilter | None = None,
        match: Callable[[Email], object] | None = None, timeout: float | None = None,
    ) -> Email:
        """Waits for an email and returns it whole: see `Emails.wait_for`. `match` is called in another thread."""
        return await self._emails.run(lambda sync: sync.wait_for(
            address_id=address_id, after=after, from_=from_, to=to, subject=subject, body=body, match=match, timeout=timeout,
        ))
