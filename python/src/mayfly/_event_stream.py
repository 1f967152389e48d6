"""Parses server-sent events."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from ._core.errors import MayflyError

max_length = 256 * 1024
"""Maximum characters of an event: those of Mayfly have some thousands."""
_end_of_line = re.compile(r'\r\n|\r|\n')


@dataclass
class StreamBlock:
    """A block of a stream of server-sent events."""

    id: str | None = None
    data: str | None = None
    retry: float | None = None
    """Seconds before a reconnect."""

    def add(self, line: str) -> None:
        name, _, value = line.partition(':')
        value = value.removeprefix(' ')
        if name == 'data':
            self.data = value if self.data is None else f'{self.data}\n{value}'
        elif name == 'id' and '\0' not in value:
            self.id = value
        elif name == 'retry' and value.isascii() and value.isdigit() and len(value) < 10:
            self.retry = int(value) / 1000

    def is_empty(self) -> bool:
        return self.id is None and self.data is None and self.retry is None

    def length(self) -> int:
        return len(self.id or '') + len(self.data or '')


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
        if self._rest_length + self._block.length() > max_length:
            raise MayflyError(f"The stream has an event of more than {max_length} characters, so it is not Mayfly's")
        return blocks
