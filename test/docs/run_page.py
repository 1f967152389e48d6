"""Runs programs of a page, one after the other, with the application that they call: it mails a code and a link."""

from __future__ import annotations

import inspect
import os
import runpy
import smtplib
import sys
from email.message import EmailMessage
from typing import Any

from mayfly import Inbox, Mayfly


def sign_up(address: str) -> None:
    mail = EmailMessage()
    mail['From'], mail['To'], mail['Subject'] = 'shop@example.org', address, 'Please confirm'
    mail.set_content('Your code is 482913: https://shop.example.org/confirm?code=482913')
    with smtplib.SMTP('127.0.0.1', int(os.environ['MAYFLY_SMTP_PORT'])) as smtp:
        smtp.send_message(mail)


def run(path: str, mayfly: Mayfly) -> None:
    print(f'::: {path}', flush=True)
    names: dict[str, Any] = runpy.run_path(path, {'sign_up': sign_up, 'mayfly': mayfly})
    # tests with the fixture `inbox`, which pytest would call
    for name, test in names.items():
        if name.startswith('test_') and list(inspect.signature(test).parameters) == ['inbox']:
            _test(test, mayfly.inboxes.create())


def _test(test: Any, inbox: Inbox) -> None:
    with inbox:
        test(inbox)


with Mayfly() as client:
    for program in sys.argv[1:]:
        run(program, client)
