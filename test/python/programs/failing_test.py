"""A test that fails, since its server cannot be reached."""

from __future__ import annotations

from mayfly import Mayfly


def test_fails() -> None:
    with Mayfly('svc_test_0123456789abcdefghij', 'http://127.0.0.1:1', max_retries=0) as mayfly:
        mayfly.domains.list()
