"""The text of a NetworkError."""

from __future__ import annotations

import http.client
import ssl


def describe(error: Exception, base_url: str) -> str:
    """The reason of a NetworkError, and what to check."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f'the certificate of {base_url} is not accepted: {error.verify_message}'
    if isinstance(error, ssl.SSLError):
        return f'no TLS connection to {base_url}: {error.reason or error}. Is it https?'
    if isinstance(error, http.client.RemoteDisconnected):
        return f'{base_url} closed the connection without an answer. Is the server running?'
    if isinstance(error, http.client.IncompleteRead):
        return f'{base_url} closed the connection within the answer'
    if isinstance(error, http.client.HTTPException):
        return f'the answer of {base_url} is not HTTP ({type(error).__name__}). Check base_url.'
    if isinstance(error, OSError):
        return f'could not reach {base_url}: {error.strerror or error}. Is the server running?'
    return f'the answer of {base_url} could not be read ({type(error).__name__})'
