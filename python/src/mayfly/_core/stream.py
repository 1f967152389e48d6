"""An answer that is read piece by piece: the stream of events, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType

from .deadline import Deadline
from .headers import Headers
from .transport import HttpResponse

_piece = 65_536


class StreamResponse:
    """The beginning of an answer. Iterate over the bytes of its body, and close it; `with` does so."""

    def __init__(
        self, response: HttpResponse, deadline: Deadline, read_timeout: float,
        guard: Callable[[Callable[[], bytes]], bytes], release: Callable[[], object],
    ) -> None:
        self.status: int = response.status
        self.headers: Headers = response.headers
        self.read_timeout = read_timeout
        """Maximum seconds without a byte."""
        self._response = response
        self._deadline = deadline
        self._guard = guard
        self._release = release

    def read(self, max_bytes: int = _piece) -> bytes:
        """
        The next bytes as they arrive, at least one; b'' at the end.
        :raises NetworkError: when the connection breaks
        :raises MayflyTimeoutError: after `read_timeout` without a byte
        """
        self._deadline.move(self.read_timeout)
        try:
            piece = self._guard(lambda: self._response.read(max_bytes))
        except BaseException:
            self.close()
            raise
        if not piece:
            self.close()
        return piece

    def __iter__(self) -> Iterator[bytes]:
        try:
            while piece := self.read():
                yield piece
        finally:
            self.close()

    def close(self) -> None:
        """Closes the connection, unless the whole body was read."""
        self._response.close()
        self._release()

    def __enter__(self) -> StreamResponse:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
