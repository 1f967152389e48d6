"""The reason of a NetworkError, with the way out."""

from __future__ import annotations

import http.client
import socket
import ssl

_closed = 'the connection was closed before the whole answer came (a restart, a proxy, or a port that takes https:// alone?).'
_plain = ('WRONG_VERSION', 'PACKET_LENGTH_TOO', 'RECORD_LAYER', 'UNKNOWN_PROTOCOL')
"""Reasons of TLS errors: the answer does not begin as TLS does."""


def describe(error: Exception) -> str:
    """
    The words are those of the TypeScript SDK, with the names of options in Python.
    :param error: of `http.client`, or of the socket under it
    """
    if isinstance(error, ssl.SSLCertVerificationError):
        return f'its certificate is not accepted: {error.verify_message}. SSL_CERT_FILE names the file of your own CA.'
    if isinstance(error, (http.client.RemoteDisconnected, http.client.IncompleteRead, ConnectionResetError, BrokenPipeError, ssl.SSLEOFError)):
        return _closed
    if isinstance(error, ssl.SSLError):
        reason = str(error.reason or error)
        if any(name in reason for name in _plain):
            return 'it answers without TLS, probably in plain HTTP. Use http:// in base_url, or check its port.'
        return f'{reason}. Is the server running?'
    if isinstance(error, http.client.BadStatusLine) and str(error).startswith('\x15\x03'):
        return 'it answers with TLS. Use https:// in base_url.'  # the beginning of a TLS alert
    if isinstance(error, http.client.LineTooLong) or str(error).startswith('got more than'):
        return 'its headers are too long, or its body is damaged. Check base_url.'
    if isinstance(error, http.client.HTTPException):
        return 'its answer is not HTTP (a mail server?). Check the port in base_url.'
    if isinstance(error, ConnectionRefusedError):
        return 'the connection was refused. Is the server running?'
    if isinstance(error, socket.gaierror):
        return 'DNS has no address of this host. Check the host in base_url.'
    if isinstance(error, OSError):
        return f'{error.strerror or error}. Is the server running?'
    return f'its answer could not be read ({type(error).__name__})'
