"""A sign-up by mail, with the fixtures of the package, as many times as SIGN_UPS says."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from mayfly import Inbox


@pytest.mark.parametrize('number', range(int(os.environ['SIGN_UPS'])))
def test_sign_up(inbox: Inbox, sign_up: Callable[[str, str], None], number: int) -> None:
    code = f'{482_913 + number}'
    sign_up(inbox.address, code)
    assert inbox.wait_for_code(subject='confirm') == code
    sign_up(inbox.address, '113355')
    assert inbox.wait_for_link(url='shop.example.org') == 'https://shop.example.org/confirm?code=113355'
    assert inbox.list().total == 2
