"""Temporary addresses with methods for their mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Literal

from ._core.errors import ErrorAnswer, NotFoundError
from ._core.headers import Headers
from ._core.ids import After, require_id
from ._core.request import RequestOptions
from ._generated.types import Address, AddressCreated, Email, EmailSummary, SmtpLogin
from ._lists import MayflyList
from ._mail_filters import Filters, TextFilter, Wanted
from ._wait_input import WaitInput
from ._wanted import wanted_code, wanted_link

if TYPE_CHECKING:
    from ._addresses import Addresses
    from ._emails import Emails

max_searched = 1_000
"""Maximum number of addresses among which one is looked for: ten requests."""


class Inbox:
    """
    A temporary address with methods for its mail. The end of a `with` block deletes both; without `with`, `inbox.delete()` does.

        with mayfly.inboxes.create(expires_in=600) as inbox:
            print(f'Sign up with {inbox.address}')
            print(inbox.wait_for_code())
    """

    def __init__(self, address: Address | AddressCreated, addresses: Addresses, emails: Emails) -> None:
        self.id: str = address.id
        """Id of the address."""
        self.address: str = address.address
        """The full email address."""
        self.expires_at: datetime = address.expires_at
        """When its lifetime ends."""
        self.smtp: SmtpLogin | None = address.smtp if isinstance(address, AddressCreated) else None
        """Its SMTP login, with the password; None unless `inboxes.create` made one by `smtp_login`."""
        self._addresses = addresses
        self._emails = emails

    def wait_for(
        self, *, after: After | None = None, from_: TextFilter | None = None, to: TextFilter | None = None,
        subject: TextFilter | None = None, body: TextFilter | None = None, match: Callable[[Email], object] | None = None,
        timeout: float | None = None,
    ) -> Email:
        """
        Waits for mail of this inbox and returns the oldest email that it has not returned yet, whole. The arguments are those of
        `emails.wait_for`.

        :raises MayflyTimeoutError: after `timeout` seconds; its message lists the mail that arrived instead
        """
        filters = Filters(from_=from_, to=to, subject=subject, body=body)
        return self._emails.wait_with(WaitInput(
            address_id=self.id, mailbox=self.address, after=after, filters=filters, match=match, timeout=timeout,
        ))

    def wait_for_code(
        self, *, after: After | None = None, from_: TextFilter | None = None, to: TextFilter | None = None,
        subject: TextFilter | None = None, body: TextFilter | None = None, match: Callable[[Email], object] | None = None,
        timeout: float | None = None,
    ) -> str:
        """
        Waits for mail of this inbox that has a one-time code, and returns the most likely code. It skips mail without a code. The
        arguments are those of `emails.wait_for`.

        :raises MayflyTimeoutError: after `timeout` seconds; its message lists the mail that arrived instead
        """
        filters = Filters(from_=from_, to=to, subject=subject, body=body)
        return self._wait_for_part(wanted_code(), after, filters, match, timeout)

    def wait_for_link(
        self, *, text: TextFilter | None = None, url: TextFilter | None = None, after: After | None = None,
        from_: TextFilter | None = None, to: TextFilter | None = None, subject: TextFilter | None = None,
        body: TextFilter | None = None, match: Callable[[Email], object] | None = None, timeout: float | None = None,
    ) -> str:
        """
        Waits for mail of this inbox that has such a link, and returns its URL: without `text` and `url`, that of the likely call to action.
        It skips mail without such a link. The other arguments are those of `emails.wait_for`.

        :param text: The text of the link has this text, in any case, or matches this expression.
        :param url: As `text`, for the URL of the link.
        :raises MayflyTimeoutError: after `timeout` seconds; its message lists the mail that arrived instead
        """
        filters = Filters(from_=from_, to=to, subject=subject, body=body)
        return self._wait_for_part(wanted_link(text, url), after, filters, match, timeout)

    def list(
        self, *, type: Literal['received', 'sent'] | None = None, is_deleted: bool | None = None, after: After | None = None,
        q: str | None = None, limit: int | None = None, offset: int | None = None, before: str | None = None,
        options: RequestOptions | None = None,
    ) -> MayflyList[EmailSummary]:
        """Lists the mail of this inbox, newest first. The arguments are those of `emails.list`."""
        return self._emails.list(
            address_id=self.id, type=type, is_deleted=is_deleted, after=after, q=q, limit=limit, offset=offset, before=before,
            options=options,
        )

    def delete(self, *, options: RequestOptions | None = None) -> None:
        """Deletes the address and all its mail, permanently. An address that does not exist any more is no error."""
        try:
            self._addresses.delete(self.id, options=options)
        except NotFoundError:
            pass  # it is deleted already

    def __enter__(self) -> Inbox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.delete()

    def __repr__(self) -> str:
        return f'<Inbox {self.address}>'

    def _wait_for_part(
        self, wanted: Wanted, after: After | None, filters: Filters, match: Callable[[Email], object] | None, timeout: float | None,
    ) -> str:
        email = self._emails.wait_with(WaitInput(
            address_id=self.id, mailbox=self.address, after=after, filters=filters, match=match, wanted=wanted, timeout=timeout,
        ))
        part = wanted.find(email)
        assert part is not None  # the wait skips mail without it
        return part


class Inboxes:
    """Temporary addresses with methods for their mail."""

    def __init__(self, addresses: Addresses, emails: Emails) -> None:
        self._addresses = addresses
        self._emails = emails

    def create(
        self, *, alias: str | None = None, domain: str | None = None, expires_in: int | None = None, forward_to_id: str | None = None,
        smtp_login: bool | None = None, allowed_senders: Sequence[str] | None = None, blocked_senders: Sequence[str] | None = None,
        options: RequestOptions | None = None,
    ) -> Inbox:
        """
        Issues an address and returns it as an inbox. The arguments are those of `addresses.create`.

        :raises ConflictError: when the address is taken, or the domain or forwarding address is not verified
        """
        created = self._addresses.create(
            alias=alias, domain=domain, expires_in=expires_in, forward_to_id=forward_to_id, smtp_login=smtp_login,
            allowed_senders=allowed_senders, blocked_senders=blocked_senders, options=options,
        )
        return Inbox(created, self._addresses, self._emails)

    def open(self, address_or_id: str, *, options: RequestOptions | None = None) -> Inbox:
        """
        Returns the inbox of an address that exists. An email address is looked for among the newest 1,000 addresses of the account. A wait
        of this inbox begins with its call, unless it has an `after`.

        :param address_or_id: The email address, in any case, with a `+tag` or without; or the id of the address.
        :raises NotFoundError: when the account has no such address
        """
        return Inbox(find_address(self._addresses, address_or_id, options), self._addresses, self._emails)


def find_address(addresses: Addresses, address_or_id: str, options: RequestOptions | None) -> Address:
    """:raises NotFoundError: when the account has no such address"""
    wanted = re.sub(r'\+[^@]*', '', str(address_or_id).strip().lower())
    if '@' not in wanted:
        return addresses.get(require_id(address_or_id, 'inboxes.open: address_or_id'), options=options)
    count = 0
    for found in addresses.list(limit=100, options=options):
        if found.address == wanted:
            return found
        count += 1
        if count == max_searched:
            break
    place = '' if count < max_searched else f' among its newest {max_searched}. Open it by its id'
    raise NotFoundError(f'The account has no address {wanted}{place}.', ErrorAnswer(404, Headers(), 'NOT_FOUND'))
