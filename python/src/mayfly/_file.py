"""A downloaded file."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class File:
    """A downloaded attachment."""

    name: str
    """The name that the mail gives it. It may hold any characters: take `pathlib.PurePath(name).name` before you write to a disk."""
    content_type: str
    """The type that the mail gives it: `text/plain`."""
    content: bytes = field(repr=False)
    """The bytes."""

    @property
    def size(self) -> int:
        """The number of bytes."""
        return len(self.content)
