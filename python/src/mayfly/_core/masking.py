"""Keeps the API key out of texts."""

from __future__ import annotations

import re
from collections.abc import Callable

Mask = Callable[[str], str]
"""Replaces the API key in a text."""

_min_length = 12
"""Minimum characters of a key that is masked: the mock takes any key, such as `any`, which is a part of other words."""


def create_mask(api_key: str) -> Mask:
    """Makes a mask that also finds a key whose characters are escaped as in JSON or in a URL."""
    if len(api_key) < _min_length:
        return lambda text: text
    characters = [f'(?:{re.escape(character)}|\\\\u00{ord(character):02x}|%{ord(character):02x})' for character in api_key]
    pattern = re.compile(''.join(characters), re.IGNORECASE)
    return lambda text: pattern.sub('[API key]', text)
