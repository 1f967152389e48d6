"""Parses server-sent events."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from ._core.errors import MayflyError

max_length = 256 * 1024
"""Maximum characters of an event: those of Mayfly have some thousands."""
_end_of_line = re.compile(r'\r\n|\r|\n')


def _no_lines() -> list[str]:
    return []


@dataclass
class StreamBlock:
    """A block of a stream of server-sent events."""

    id: str | None = None
    lines: list[str] = field(default_factory=_no_lines)
    """The lines of the data."""
    length: int = 0
    """Characters of the id and the data, with the line feeds between its lines."""
    retry: float | None = None
    """Seconds before a reconnect."""

    def add(self, line: str) -> None:
        name, _, value = line.partition(':')
        value = value.removeprefix(' ')
        if name == 'data':
            self.lines.append(value)
            self.length += len(value) + 1
        elif name == 'id' and '\0' not in value:
            self.length += len(value) - len(self.id or '')
            self.id = value
        elif name == 'retry' and value.isascii() and value.isdigit() and len(value) < 10:
            self.retry = int(value) / 1000

    def is_empty(self) -> bool:
        return self.id is None and not self.lines and self.retry is None

    @property
    def data(self) -> str | None:
        return '\n'.join(self.lines) if self.lines else None


class StreamParser:
    """See WHATWG HTML, "Server-sent events"."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder('utf-8-sig')('replace')
        self._rest: list[str] = []
        self._rest_length = 0
        self._block = StreamBlock()
        self._ends_with_return = False

    def feed(self, data: bytes) -> list[StreamBlock]:
        """
        Returns the blocks that end in the next part of the stream, which may have any length.
        :raises MayflyError: for an event of more than `max_length` characters
        """
        piece = self._decoder.decode(data)
        if not piece:
            return []
        # without the line feed of a CRLF that was split between two pieces
        lines = _end_of_line.split(piece.removeprefix('\n') if self._ends_with_return else piece)
        self._ends_with_return = piece.endswith('\r')
        blocks: list[StreamBlock] = []
        for line in lines[:-1]:
            whole = ''.join([*self._rest, line])
            self._rest, self._rest_length = [], 0
            if whole:
                self._block.add(whole)
                continue
            if not self._block.is_empty():
                blocks.append(self._block)
            self._block = StreamBlock()
        if lines[-1]:
            self._rest.append(lines[-1])
            self._rest_length += len(lines[-1])
        if self._rest_length + self._block.length > max_length:
            raise MayflyError(f"The stream has an event of more than {max_length} characters, so it is not Mayfly's")
        return blocks
