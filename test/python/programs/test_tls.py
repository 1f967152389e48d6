"""Connections over TLS."""

from __future__ import annotations

import os
import pathlib
import ssl
import threading
import time
import unittest

from fakes import KEY, get, post
from mayfly._core.connection import Connection
from mayfly._core.errors import MayflyTimeoutError, NetworkError
from raw_server import OK, Act, RawServer, answer, say

FOLDER = pathlib.Path(__file__).parents[2] / 'support' / 'self-signed'


class Tls(unittest.TestCase):
    def open(self, act: Act, timeout: float = 20.0, is_trusted: bool = True) -> tuple[RawServer, Connection]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(FOLDER / 'cert.pem', FOLDER / 'key.pem')
        server = RawServer(act, context)
        self.addCleanup(server.close)
        os.environ.pop('SSL_CERT_FILE', None)
        if is_trusted:
            os.environ['SSL_CERT_FILE'] = str(FOLDER / 'cert.pem')
        self.addCleanup(lambda: os.environ.pop('SSL_CERT_FILE', None))
        connection = Connection(KEY, server.url, timeout, 0)
        self.addCleanup(connection.close)
        return server, connection

    def test_connections_are_kept(self) -> None:
        server, connection = self.open(say(answer(), is_closed=False))
        for _ in range(3):
            self.assertEqual(connection.call(get()), {'id': 'a'})
        self.assertEqual(server.connections, 1)

    def test_a_long_body_is_sent(self) -> None:
        arrived = b''

        def act(accepted: object, _number: int) -> None:
            nonlocal arrived
            assert isinstance(accepted, ssl.SSLSocket)
            while b'the end' not in arrived[-20:]:
                piece = accepted.recv(65_536)
                if not piece:
                    return
                arrived += piece
            accepted.sendall(answer())
        _, connection = self.open(act)
        connection.call(post({'text': 'x' * 500_000 + 'the end'}))
        self.assertGreater(len(arrived), 400_000)

    def test_unknown_certificates_are_refused(self) -> None:
        _, connection = self.open(say(answer()), is_trusted=False)
        with self.assertRaisesRegex(NetworkError, 'https://127.0.0.1:[0-9]+: its certificate is not accepted: self.signed certificate. SSL_CERT_FILE'):
            connection.call(get())

    def test_a_trickling_answer_ends_by_the_timeout(self) -> None:
        server: RawServer

        def act(accepted: object, _number: int) -> None:
            assert isinstance(accepted, ssl.SSLSocket)
            accepted.sendall(OK + b'\r\n')
            server.trickle(accepted, b' ')
        server, connection = self.open(act, 0.6)
        began = time.monotonic()
        with self.assertRaises(MayflyTimeoutError):
            connection.call(get())
        self.assertLess(time.monotonic() - began, 2)

    def test_a_handshake_that_never_ends_ends_by_the_timeout(self) -> None:
        arrived = threading.Event()
        server = RawServer(lambda _accepted, _number: arrived.set())
        self.addCleanup(server.close)
        connection = Connection(KEY, server.url.replace('http:', 'https:'), 0.6, 0)
        self.addCleanup(connection.close)
        began = time.monotonic()
        with self.assertRaises(MayflyTimeoutError):
            connection.call(get())
        self.assertLess(time.monotonic() - began, 2)

    def test_a_cut_answer_is_a_network_error(self) -> None:
        _, connection = self.open(say(OK + b'content-length: 50\r\n\r\n{'))
        with self.assertRaises(NetworkError):
            connection.call(get())


if __name__ == '__main__':
    unittest.main()
