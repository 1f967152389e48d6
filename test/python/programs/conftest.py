"""The application under test of `sign_up_test.py`: it mails a code and a link."""

from __future__ import annotations

import os
import smtplib
from collections.abc import Callable
from email.message import EmailMessage

import pytest


@pytest.fixture
def sign_up() -> Callable[[str, str], None]:
    def send(address: str, code: str) -> None:
        mail = EmailMessage()
        mail['From'], mail['To'], mail['Subject'] = 'Shop <shop@example.org>', address, 'Please confirm'
        mail.set_content(f'Your code is {code}: https://shop.example.org/confirm?code={code}')
        with smtplib.SMTP('127.0.0.1', int(os.environ['SMTP_PORT'])) as smtp:
            smtp.send_message(mail)
    return send
