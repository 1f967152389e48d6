"""Secrets and signatures of webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import cast

from ._core.errors import MayflyError

_form = re.compile(r'[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{8,200}')
_encoded = re.compile(r'whsec_(([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))')


def read_secrets(secret: object, method: str) -> list[str]:
    """:raises MayflyError: when there is no secret, or one is none that `webhooks.create` takes"""
    given = list(cast('Sequence[object]', secret)) if isinstance(secret, Sequence) and not isinstance(secret, (str, bytes)) else [secret]
    # without the line feed of a file or a shell
    secrets = [value.strip('\r\n') if isinstance(value, str) else value for value in given]
    if not secrets or not all(value.strip() if isinstance(value, str) else value for value in secrets):
        raise MayflyError(f'{method} needs the secret of the webhook, whsec_…, which was shown when the webhook was created')
    # the message does not repeat the secret: errors are logged
    checked = [value for value in secrets if isinstance(value, str) and _form.fullmatch(value)]
    if len(checked) < len(secrets):
        raise MayflyError(f'{method}: a secret has 8 to 200 characters, such as the one that was shown when the webhook was created')
    return checked


def sign_standard(secret: str, delivery: str, timestamp: str, body: bytes) -> str:
    """The signature of Standard Webhooks, in base64: its key is the bytes that the secret encodes after `whsec_`, else those of its text."""
    encoded = _encoded.fullmatch(secret)
    key = base64.b64decode(encoded[1]) if encoded else secret.encode()
    message = f'{delivery}.{timestamp}.'.encode('utf-8', 'replace') + body
    return base64.b64encode(hmac.digest(key, message, hashlib.sha256)).decode()


def sign_service(secret: str, body: bytes) -> str:
    """The signature in `X-Service-Signature`, in hex: its key is the text of the secret."""
    return hmac.digest(secret.encode(), body, hashlib.sha256).hex()


def is_equal(a: str, b: str) -> bool:
    """Compares in constant time, against timing attacks."""
    return hmac.compare_digest(a.encode('utf-8', 'replace'), b.encode('utf-8', 'replace'))
