"""File names of downloads."""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

_parameter = re.compile(r';\s*filename(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))', re.IGNORECASE)


def read_filename(disposition: str | None) -> str | None:
    """The file name of a `Content-Disposition` header: `filename*` by RFC 8187, or `filename` by RFC 6266."""
    name: str | None = None
    encoded: str | None = None
    for star, quoted, token in _parameter.findall(disposition or ''):
        if star:
            encoded = token
        else:
            name = token or re.sub(r'\\(.)', r'\1', quoted)
    return _decode(encoded) or name


def _decode(value: str | None) -> str | None:
    """`UTF-8''na%C3%AFve.txt` → `naïve.txt`"""
    found = re.fullmatch(r"utf-8'[^']*'(.*)", value or '', re.IGNORECASE)
    try:
        return unquote_to_bytes(found[1]).decode('utf-8') if found else None
    except UnicodeDecodeError:
        return None
