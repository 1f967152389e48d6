"""HTTP/1.1 over kept connections, by the standard library."""

from __future__ import annotations

import http.client
import socket
import ssl
from typing import cast
from urllib.parse import urlsplit

from .deadline import Cancellation, Deadline
from .headers import Headers
from .pool import Pool
from .sockets import DeadlineSocket, open_socket
from .transport import HttpRequest, HttpResponse


class HttpTransport:
    """Follows no redirect and uses no proxy."""

    def __init__(self) -> None:
        self._pool = Pool()
        self._context: ssl.SSLContext | None = None

    def send(self, request: HttpRequest, deadline: Deadline, cancellation: Cancellation) -> HttpResponse:
        kept = self._pool.take()
        if kept:
            try:
                return self._exchange(kept, request, deadline, cancellation)
            except (ConnectionError, http.client.RemoteDisconnected):
                # the server closed the kept connection before it answered: a new connection is no retry
                if kept.received or cancellation.ended.is_set():
                    raise
        url = urlsplit(request.url)
        is_tls = url.scheme == 'https'
        opened = open_socket(url.hostname or '', url.port or (443 if is_tls else 80), self._tls() if is_tls else None, deadline)
        return self._exchange(DeadlineSocket(opened), request, deadline, cancellation)

    def close(self) -> None:
        self._pool.close()

    def _exchange(
        self, source: DeadlineSocket, request: HttpRequest, deadline: Deadline, cancellation: Cancellation,
    ) -> HttpResponse:
        source.begin(deadline)
        try:
            cancellation.add(source, source.shut_down)
            url = urlsplit(request.url)
            connection = http.client.HTTPConnection(url.hostname or '', url.port or (443 if url.scheme == 'https' else 80))
            connection.default_port = 443 if url.scheme == 'https' else 80  # for the header Host
            connection.response_class = _FinalResponse
            connection.sock = cast(socket.socket, source)
            connection.request(
                request.method, f'{url.path}?{url.query}' if url.query else url.path, request.body, dict(request.headers),
            )
            answer = connection.getresponse()
            if source.ended:
                raise http.client.IncompleteRead(b'')  # the parser takes the end of the connection for that of the headers
            return _Response(answer, source, self._pool, cancellation)
        except BaseException:
            cancellation.remove(source)
            source.dispose()
            raise

    def _tls(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = ssl.create_default_context()
        return self._context


class _FinalResponse(http.client.HTTPResponse):
    """Skips informational answers such as 103 Early Hints (RFC 9110, section 15.2); `http.client` skips 100 alone."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            found = cast('tuple[str, int, str]', super()._read_status())  # pyright: ignore
            if not 101 < found[1] < 200:
                return found
            http.client.parse_headers(self.fp)


class _Response:
    def __init__(
        self, answer: http.client.HTTPResponse, source: DeadlineSocket, pool: Pool, cancellation: Cancellation,
    ) -> None:
        self.status = answer.status
        self.headers = Headers((name, str(value)) for name, value in answer.headers.items())
        self._answer = answer
        self._source: DeadlineSocket | None = source
        self._pool = pool
        self._cancellation = cancellation
        # not the answer's own count, which `read1` of Python before 3.11.8 leaves unchanged
        self._left: int | None = answer.length
        self._is_kept = not answer.will_close
        if self._left == 0:
            self._finish()

    def read(self, max_bytes: int) -> bytes:
        if self._source is None:
            return b''
        self._cancellation.check()
        data = self._answer.read1(max_bytes if self._left is None else min(max_bytes, self._left))
        if self._left is not None:
            self._left -= len(data)
        if not data and self._left:
            raise http.client.IncompleteRead(b'', self._left)
        if not data or self._left == 0:
            self._cancellation.check()  # a body without a length seems to end there
            self._finish()
        return data

    def close(self) -> None:
        source, self._source = self._source, None
        if source:
            self._cancellation.remove(source)
            self._answer.close()
            source.dispose()

    def _finish(self) -> None:
        source, self._source = self._source, None
        if source:
            self._cancellation.remove(source)
            self._answer.close()
            if self._is_kept:
                self._pool.keep(source)
            else:
                source.dispose()
