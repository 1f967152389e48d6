"""Temporary addresses with methods for their mail, for asyncio."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Literal, TypeVar

from ._async_lists import AsyncList
from ._core.deadline import Cancellation
from ._core.ids import After
from ._core.request import RequestOptions
from ._generated.types import Address, AddressCreated, Email, EmailSummary, SmtpLogin
from ._inboxes import Inbox, find_address
from ._mail_filters import TextFilter
from ._threads import Threads

if TYPE_CHECKING:
    from ._addresses import Addresses
    from ._async_emails import AsyncEmails
    from ._emails import Emails

T = TypeVar('T')


class AsyncInbox:
    """
    A temporary address with methods for its mail. The end of an `async with` block deletes both; without it, `await inbox.delete()` does.
    The methods are those of `Inbox`, which documents them.
    """

    def __init__(
        self, address: Address | AddressCreated, addresses: Addresses, emails: Emails, async_emails: AsyncEmails, threads: Threads,
    ) -> None:
        self.id: str = address.id
        """Id of the address."""
        self.address: str = address.address
        """The full email address."""
        self.expires_at: datetime = address.expires_at
        """When its lifetime ends."""
        self.smtp: SmtpLogin | None = address.smtp if isinstance(address, AddressCreated) else None
        """Its SMTP login, with the password; None unless `inboxes.create` made one by `smtp_login`."""
        self._source = address
        self._addresses = addresses
        self._emails = emails
        self._async_emails = async_emails
        self._threads = threads

    async def wait_for(
        self, *, after: After | None = None, from_: TextFilter | None = None, to: TextFilter | None = None,
        subject: TextFilter | None = None, body: TextFilter | None = None, match: Callable[[Email], object] | None = None,
        timeout: float | None = None,
    ) -> Email:
        """Waits for mail of this inbox and returns it whole: see `Inbox.wait_for`."""
        return await self._run(lambda inbox: inbox.wait_for(
            after=after, from_=from_, to=to, subject=subject, body=body, match=match, timeout=timeout,
        ))

    async def wait_for_code(
        self, *, after: After | None = None, from_: TextFilter | None = None, to: TextFilter | None = None,
        subject: TextFilter | None = None, body: TextFilter | None = None, match: Callable[[Email], object] | None = None,
        timeout: float | None = None,
    ) -> str:
        """Waits for mail that has a one-time code, and returns the code: see `Inbox.wait_for_code`."""
        return await self._run(lambda inbox: inbox.wait_for_code(
            after=after, from_=from_, to=to, subject=subject, body=body, match=match, timeout=timeout,
        ))

    async def wait_for_link(
        self, *, text: TextFilter | None = None, url: TextFilter | None = None, after: After | None = None,
        from_: TextFilter | None = None, to: TextFilter | None = None, subject: TextFilter | None = None,
        body: TextFilter | None = None, match: Callable[[Email], object] | None = None, timeout: float | None = None,
    ) -> str:
        """Waits for mail that has such a link, and returns its URL: see `Inbox.wait_for_link`."""
        return await self._run(lambda inbox: inbox.wait_for_link(
            text=text, url=url, after=after, from_=from_, to=to, subject=subject, body=body, match=match, timeout=timeout,
        ))

    def list(
        self, *, type: Literal['received', 'sent'] | None = None, is_deleted: bool | None = None, after: After | None = None,
        q: str | None = None, limit: int | None = None, offset: int | None = None, before: str | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncList[EmailSummary]:
        """Lists the mail of this inbox, newest first: see `emails.list`."""
        return self._async_emails.list(
            address_id=self.id, type=type, is_deleted=is_deleted, after=after, q=q, limit=limit, offset=offset, before=before,
            options=options,
        )

    async def delete(self, *, options: RequestOptions | None = None) -> None:
        """Deletes the address and all its mail, permanently. An address that does not exist any more is no error."""
        await self._run(lambda inbox: inbox.delete(options=options))

    async def __aenter__(self) -> AsyncInbox:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.delete()

    def __repr__(self) -> str:
        return f'<AsyncInbox {self.address}>'

    async def _run(self, call: Callable[[Inbox], T]) -> T:
        cancellation = Cancellation()
        inbox = Inbox(self._source, self._addresses.cancelled_by(cancellation), self._emails.cancelled_by(cancellation))
        return await self._threads.run(lambda: call(inbox), cancellation.cancel)


class AsyncInboxes:
    """Temporary addresses with methods for their mail."""

    def __init__(self, addresses: Addresses, emails: Emails, async_emails: AsyncEmails, threads: Threads) -> None:
        self._addresses = addresses
        self._emails = emails
        self._async_emails = async_emails
        self._threads = threads

    async def create(
        self, *, alias: str | None = None, domain: str | None = None, expires_in: int | None = None, forward_to_id: str | None = None,
        smtp_login: bool | None = None, allowed_senders: Sequence[str] | None = None, blocked_senders: Sequence[str] | None = None,
        options: RequestOptions | None = None,
    ) -> AsyncInbox:
        """Issues an address and returns it as an inbox: see `Inboxes.create`."""
        return self._to_inbox(await self._run(lambda addresses: addresses.create(
            alias=alias, domain=domain, expires_in=expires_in, forward_to_id=forward_to_id, smtp_login=smtp_login,
            allowed_senders=allowed_senders, blocked_senders=blocked_senders, options=options,
        )))

    async def open(self, address_or_id: str, *, options: RequestOptions | None = None) -> AsyncInbox:
        """Returns the inbox of an address that exists: see `Inboxes.open`."""
        return self._to_inbox(await self._run(lambda addresses: find_address(addresses, address_or_id, options)))

    def _to_inbox(self, address: Address | AddressCreated) -> AsyncInbox:
        return AsyncInbox(address, self._addresses, self._emails, self._async_emails, self._threads)

    async def _run(self, call: Callable[[Addresses], T]) -> T:
        cancellation = Cancellation()
        addresses = self._addresses.cancelled_by(cancellation)
        return await self._threads.run(lambda: call(addresses), cancellation.cancel)
