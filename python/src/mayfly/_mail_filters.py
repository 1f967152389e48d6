"""The filters of a wait, and the text of its time-out."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Protocol

from ._core.errors import MayflyError

TextFilter = str | re.Pattern[str]
"""Text that is contained, in any case; or an expression that matches anywhere."""

max_listed = 5
"""Maximum number of mails in the text of an error."""


class FilteredMail(Protocol):
    """The members of an email, whole or in a list, that filters compare."""

    @property
    def id(self) -> str: ...

    @property
    def address_id(self) -> str: ...

    @property
    def from_(self) -> str: ...

    @property
    def from_name(self) -> str: ...

    @property
    def to(self) -> str: ...

    @property
    def subject(self) -> str: ...

    @property
    def body_text(self) -> str: ...

    @property
    def body_html(self) -> str: ...


class ListedMail(FilteredMail, Protocol):
    """An email in a list."""

    @property
    def is_truncated(self) -> bool: ...

    @property
    def recipients_total(self) -> int: ...


@dataclass(frozen=True)
class Filters:
    """The filters of a wait. None matches every email."""

    from_: TextFilter | None = None
    to: TextFilter | None = None
    subject: TextFilter | None = None
    body: TextFilter | None = None

    def check(self, operation: str) -> None:
        """:raises MayflyError: for a filter of another type"""
        for name in texts_of:
            check_filter(getattr(self, name), f'{operation}: {name}')


@dataclass(frozen=True)
class Wanted:
    """The part of a mail that a wait returns, such as its first code."""

    name: str
    """For the text of a time-out: `a code`."""
    missing: str
    """For the mails without it: `a code`, or `such a link`."""
    find: Callable[[Any], str | None]
    """None for a mail without it."""
    described: Sequence[tuple[str, TextFilter | None]] = ()
    """Filters that `find` applies, for the text of a time-out."""


texts_of: dict[str, Callable[[FilteredMail], tuple[str, ...]]] = {
    'from_': lambda email: (email.from_, email.from_name),
    'to': lambda email: tuple(getattr(email, 'recipients', None) or (email.to,)),
    'subject': lambda email: (email.subject,),
    'body': lambda email: (email.body_text, email.body_html),
}
"""The texts that a filter is compared with: one of them has to match."""


def matches(email: FilteredMail, filters: Filters) -> bool:
    return all(
        any((matches_recipient if name == 'to' else matches_text)(text, getattr(filters, name)) for text in texts(email))
        for name, texts in texts_of.items()
    )


def whole_address(wanted: TextFilter | None) -> str | None:
    """The filter for recipients that the server takes: a whole address, or `*@domain`."""
    return wanted if isinstance(wanted, str) and re.fullmatch(r'\*@[^@\s]+|[^@\s]+@[^@\s]+\.[^@\s]+', wanted) else None


def matches_recipient(recipient: str, wanted: TextFilter | None) -> bool:
    whole = whole_address(wanted)
    if whole is None:
        return matches_text(recipient, wanted)
    compared, recipient = _compared_address(whole), _compared_address(recipient)
    return recipient.endswith(compared[1:]) if compared.startswith('*@') else recipient == compared


def _compared_address(address: str) -> str:
    """An address, or `*@domain`, in lower case, its domain in Unicode: the server compares the domain as A-labels."""
    local, at, domain = address.lower().rpartition('@')
    return local + at + '.'.join(map(_to_unicode, domain.split('.')))


def _to_unicode(label: str) -> str:
    try:
        return label[4:].encode('ascii').decode('punycode') if label.startswith('xn--') else label
    except UnicodeError:
        return label


def is_truncated(email: ListedMail, filters: Filters) -> bool:
    """Whether a list may have truncated a text that the filters compare: then only the whole email can be matched."""
    return (
        email.subject.endswith('…') or email.from_name.endswith('…') or (filters.body is not None and email.is_truncated)
        or (filters.to is not None and email.recipients_total > 1)
    )


def matches_text(text: str, wanted: TextFilter | None) -> bool:
    """Whether a text has the text of the filter, in any case, or matches its expression."""
    if wanted is None:
        return True
    return wanted.lower() in text.lower() if isinstance(wanted, str) else wanted.search(text) is not None


def check_filter(value: object, label: str) -> None:
    """:raises MayflyError: for a value that is neither None, nor a text, nor an expression for text"""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):  # pyright: ignore[reportUnknownMemberType]
        return
    if value is not None and not isinstance(value, str):
        raise MayflyError(f'{label} must be a str or a re.Pattern of str')


def describe_timeout(
    filters: Filters, address_id: str | None, mailbox: str | None, wanted: Wanted | None, timeout: float, arrived: Sequence[FilteredMail] | None,
    lacking: AbstractSet[str], failure: Exception | None,
) -> str:
    """
    The text of a wait's time-out: the filters, and the mail that arrived instead.
    :param mailbox: the address, in place of its id; None when it is not known
    :param arrived: None when no list succeeded
    :param lacking: ids of the emails that match the filters, and lack the wanted part
    """
    named: list[tuple[str, TextFilter | None]] = [
        *((name, getattr(filters, name)) for name in texts_of), *(wanted.described if wanted else ()),
        ('address_id', address_id if mailbox is None else None),
    ]
    awaited = ', '.join([*([wanted.name] if wanted else []), *(f'{name} {_quote(value)}' for name, value in named if value is not None)])
    seconds = math.floor(timeout * 10 + 0.5) / 10  # rounded as in the other SDK
    text = f'Waited {seconds:.1f} s for an email{f" to {mailbox}" if mailbox else ""}{" with " if awaited else ""}{awaited}.'
    if arrived is not None:
        text += _describe_arrived(arrived, lacking, wanted)
    return f'{text} The last request failed: {failure}' if failure else text


def _describe_arrived(arrived: Sequence[FilteredMail], lacking: AbstractSet[str], wanted: Wanted | None) -> str:
    near = [email for email in arrived if email.id in lacking]
    other = [email for email in arrived if email.id not in lacking]
    text = ''
    if near and wanted:
        text = f' {len(near)} mail{"s" if len(near) > 1 else ""} came, without {wanted.missing}: {_list_mails(near)}.'
    if other:
        text += f' Other mail arrived: {_list_mails(other)}.'
    return text or ' No other mail arrived.'


def _list_mails(emails: Sequence[FilteredMail]) -> str:
    listed = [f'{_quote(email.subject)} from {email.from_ or "an unknown sender"}' for email in emails[:max_listed]]
    return ', '.join([*listed, *([f'and {len(emails) - max_listed} more'] if len(emails) > max_listed else [])])


def _quote(value: TextFilter) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else f'/{value.pattern}/'
