"""Sockets whose every operation ends by a deadline."""

from __future__ import annotations

import io
import os
import socket
import ssl
import threading
from typing import Any

from .clock import clock
from .deadline import Deadline, DeadlineExceeded

_piece = 65_536
_timer_error = 0.05
"""Maximum seconds by which the time-out of a socket is early."""
_max_timeout = 1_000_000.0
"""Maximum seconds that the socket module takes on all systems."""


def open_socket(host: str, port: int, context: ssl.SSLContext | None, deadline: Deadline) -> socket.socket:
    """Connects to the first address of the host that accepts. :raises OSError, DeadlineExceeded:"""
    last: OSError | None = None
    for family, kind, protocol, _, address in _resolve(host, port, deadline):
        opened: socket.socket | None = None
        try:
            opened = socket.socket(family, kind, protocol)
            set_timeout(opened, deadline)
            opened.connect(address)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # the time-out of the socket limits the whole handshake
            set_timeout(opened, deadline)
            return context.wrap_socket(opened, server_hostname=host) if context else opened
        except BaseException as error:
            if opened:
                opened.close()
            if isinstance(error, TimeoutError):
                deadline.remaining()
            if not isinstance(error, OSError):
                raise
            last = error
    raise last or OSError(f'{host} has no address')


def _resolve(host: str, port: int, deadline: Deadline) -> list[Any]:
    """Asks the resolver in a thread, since it has no time-out."""
    results: list[Any] = []
    failures: list[Exception] = []

    def look_up() -> None:
        try:
            results.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except (OSError, UnicodeError) as error:
            failures.append(error)

    thread = threading.Thread(target=look_up, daemon=True, name='mayfly-resolver')
    thread.start()
    thread.join(min(deadline.remaining(), _max_timeout))
    if thread.is_alive():
        raise DeadlineExceeded
    if failures:
        raise failures[0] if isinstance(failures[0], OSError) else OSError(f'{host} is not a host name')
    return results


def set_timeout(opened: socket.socket, deadline: Deadline) -> None:
    opened.settimeout(min(deadline.remaining(), _max_timeout))


class DeadlineSocket:
    """
    The part of a socket that `http.client` uses. Each read and write has the time that is left until `deadline`, so that a trickling answer
    ends in time.
    """

    def __init__(self, opened: socket.socket) -> None:
        self.deadline = Deadline(0)
        self.received = False
        """Whether a byte of the current answer arrived."""
        self.ended = False
        """Whether the server closed its side."""
        self._opened = opened
        self._process = os.getpid()

    def is_inherited(self) -> bool:
        """Whether the parent process opened it."""
        return self._process != os.getpid()

    def begin(self, deadline: Deadline) -> None:
        """Begins a request."""
        self.deadline = deadline
        self.received = False

    def sendall(self, data: bytes) -> None:
        view = memoryview(data)
        sent = 0
        while sent < len(view):
            self._set_timeout()
            try:
                sent += self._opened.send(view[sent:sent + _piece])
            except TimeoutError:
                self._check_timeout()

    def receive_into(self, buffer: Any) -> int:
        while True:
            self._set_timeout()
            try:
                count = self._opened.recv_into(buffer)
                self.received = self.received or count > 0
                self.ended = count == 0
                return count
            except TimeoutError:
                self._check_timeout()

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self), _piece)

    def is_stale(self) -> bool:
        """Whether the server closed the connection, or sent bytes without a request."""
        try:
            self._opened.settimeout(0)
            # of the class of plain sockets: bytes of TLS count, too
            socket.socket.recv(self._opened, 1, socket.MSG_PEEK)
            return True
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True

    def shut_down(self) -> None:
        """Wakes a thread that reads or writes."""
        try:
            socket.socket.shutdown(self._opened, socket.SHUT_RDWR)
        except OSError:
            pass  # it is closed already

    def close(self) -> None:
        """Called by `http.client` before the body is read, so that it has no effect."""

    def dispose(self) -> None:
        self._opened.close()

    def _set_timeout(self) -> None:
        set_timeout(self._opened, self.deadline)

    def _check_timeout(self) -> None:
        """Call it in the handler of a TimeoutError, which may also be the system's ETIMEDOUT for a lost connection."""
        if self.deadline.at > clock.now() + _timer_error:
            raise
        self.deadline.remaining()


class _Reader(io.RawIOBase):
    def __init__(self, source: DeadlineSocket) -> None:
        super().__init__()
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._source.receive_into(buffer)
