"""
Needs Docker, and the image: npm run build -- executable && docker build -f packaging/Dockerfile -t mayfly . in the checkout.
Run it: pip install testcontainers pytest ../../python && python -m pytest
"""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from email.message import EmailMessage

import pytest
from mayfly_container import mayfly_container

from mayfly import Mayfly


@pytest.fixture(scope='session')
def server() -> Iterator[dict[str, str]]:
    with mayfly_container() as variables:
        yield variables


def test_sign_up(server: dict[str, str]) -> None:
    with Mayfly(api_key=server['MAYFLY_API_KEY'], base_url=server['MAYFLY_BASE_URL']) as mayfly:
        with mayfly.inboxes.create() as inbox:
            sign_up(server, inbox.address)
            assert inbox.wait_for_code(from_='shop.example') == '482913'


def sign_up(server: dict[str, str], address: str) -> None:
    """Stands for the application under test, which gets the variables of `server`."""
    mail = EmailMessage()
    mail['From'], mail['To'], mail['Subject'] = 'hello@shop.example', address, 'Welcome'
    mail.set_content('Your code is 482913.')
    with smtplib.SMTP(server['SMTP_HOST'], int(server['SMTP_PORT'])) as smtp:
        smtp.login('shop', 'any')
        smtp.send_message(mail)
