"""A server of raw TCP or TLS, whose every byte a test decides."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable

OK = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

Act = Callable[[socket.socket, int], None]


class RawServer:
    """Answers each request of a connection by a function of the socket and the number of the request on it."""

    def __init__(self, act: Act, tls: ssl.SSLContext | None = None) -> None:
        self.connections = 0
        self.requests: list[bytes] = []
        self._act = act
        self._tls = tls
        self._ended = threading.Event()
        self._listener = socket.create_server(('127.0.0.1', 0))
        self.url = f'http{"s" if tls else ""}://127.0.0.1:{self._listener.getsockname()[1]}'
        self._sockets: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def _accept(self) -> None:
        while True:
            try:
                accepted, _ = self._listener.accept()
            except OSError:
                return
            if self._ended.is_set():
                accepted.close()
                return
            self.connections += 1
            self._sockets.append(accepted)
            thread = threading.Thread(target=self._serve, args=(accepted,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            accepted = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
        except OSError:
            plain.close()  # the client does not accept the certificate
            return
        with accepted:
            try:
                number = 0
                while request := self._receive(accepted):
                    self.requests.append(request)
                    number += 1
                    self._act(accepted, number)
            except OSError:
                pass  # the client closed the connection

    def _receive(self, accepted: socket.socket) -> bytes:
        request = b''
        while b'\r\n\r\n' not in request:
            piece = accepted.recv(65_536)
            if not piece:
                return b''
            request += piece
        return request

    def trickle(self, accepted: socket.socket, data: bytes) -> None:
        while not self._ended.wait(0.02):
            accepted.sendall(data)

    def close(self) -> None:
        self._ended.set()
        with socket.create_connection(self._listener.getsockname()):
            pass  # wakes `accept`
        self._listener.close()
        for accepted in self._sockets:
            try:
                accepted.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self._threads:
            thread.join()


def answer(body: bytes = b'{"data": {"id": "a"}}', more: bytes = b'') -> bytes:
    return OK + more + b'content-length: %d\r\n\r\n' % len(body) + body


def say(data: bytes, is_closed: bool = True) -> Act:
    def act(accepted: socket.socket, _number: int) -> None:
        accepted.sendall(data)
        if is_closed:
            accepted.shutdown(socket.SHUT_RDWR)
    return act
