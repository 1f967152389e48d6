"""The parts of a mail that `wait_for_code` and `wait_for_link` return."""

from __future__ import annotations

from typing import Any

from ._generated.types import Email
from ._mail_filters import TextFilter, Wanted, check_filter, matches_text


def wanted_code() -> Wanted:
    """The most likely one-time code."""
    def find(email: Any) -> str | None:
        found: Email = email
        return found.codes[0] if found.codes else None
    return Wanted('a code', 'a code', find)


def wanted_link(text: TextFilter | None, url: TextFilter | None) -> Wanted:
    """
    The URL of the first such link; without filters that of the likely call to action.
    :raises MayflyError: for a filter of another type
    """
    check_filter(text, 'inbox.wait_for_link: text')
    check_filter(url, 'inbox.wait_for_link: url')

    def find(email: Any) -> str | None:
        found: Email = email
        return next((link.url for link in found.links if matches_text(link.text, text) and matches_text(link.url, url)), None)
    return Wanted('a link', 'a link' if text is None and url is None else 'such a link', find, (('text', text), ('url', url)))
