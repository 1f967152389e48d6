"""The bytes of a file as they arrive, for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import TracebackType

from ._core.headers import Headers
from ._core.stream import StreamResponse
from ._threads import Threads


class AsyncStream:
    """The beginning of an answer: `async for` gives the bytes of its body, `async with` closes it."""

    def __init__(self, threads: Threads, stream: StreamResponse) -> None:
        self.status: int = stream.status
        self.headers: Headers = stream.headers
        self._threads = threads
        self._stream = stream

    async def read(self) -> bytes:
        """The next bytes as they arrive, at least one; b'' at the end."""
        return await self._threads.run(self._stream.read, self._stream.close)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            while piece := await self.read():
                yield piece
        finally:
            self._stream.close()

    async def aclose(self) -> None:
        """Closes the connection, unless the whole body was read."""
        self._stream.close()

    async def __aenter__(self) -> AsyncStream:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stream.close()
