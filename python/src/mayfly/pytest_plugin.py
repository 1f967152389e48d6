"""
Fixtures for pytest, which loads this module by itself once the package is installed: `mayfly`, the client, and `inbox`, a new inbox for
each test that uses it.

    def test_sign_up(inbox):
        sign_up(email=inbox.address)
        assert confirm(inbox.wait_for_code())
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from ._client import Mayfly
from ._inboxes import Inbox


def pytest_configure() -> None:
    """Hides the functions of this package in tracebacks, so that a failure shows the line of the test; `--full-trace` shows them."""
    for name, module in list(sys.modules.items()):
        if name.startswith(f'{__package__}.'):
            vars(module)['__tracebackhide__'] = True


@pytest.fixture(scope='session')
def mayfly() -> Iterator[Mayfly]:
    """The client of Mayfly, made from the variables MAYFLY_API_KEY and MAYFLY_BASE_URL. Override the fixture for other options."""
    if not os.environ.get('MAYFLY_API_KEY', '').strip():
        pytest.fail(
            'The fixtures mayfly and inbox need an API key: set the variable MAYFLY_API_KEY to a key such as svc_test_…, '
            'and MAYFLY_BASE_URL to the URL of the server unless it is http://localhost:3000. '
            'Or define a fixture mayfly in conftest.py that returns Mayfly(api_key=…, base_url=…).',
            pytrace=False,
        )
    with Mayfly() as client:
        yield client


@pytest.fixture
def inbox(mayfly: Mayfly) -> Iterator[Inbox]:
    """An inbox for this test alone, deleted after it."""
    with mayfly.inboxes.create() as created:
        yield created
