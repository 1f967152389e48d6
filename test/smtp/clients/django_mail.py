"""Sends the mail with Django's backend for SMTP, with its settings alone."""

import os

from django.conf import settings
from django.core.mail import EmailMessage

settings.configure(
    EMAIL_HOST=os.environ["MAIL_HOST"],
    EMAIL_PORT=int(os.environ["MAIL_PORT"]),
    EMAIL_HOST_USER=os.environ["MAIL_USERNAME"],
    EMAIL_HOST_PASSWORD=os.environ["MAIL_PASSWORD"],
    EMAIL_USE_TLS=os.environ["MAIL_SECURITY"] == "starttls",
    EMAIL_USE_SSL=os.environ["MAIL_SECURITY"] == "tls",
)
EmailMessage(
    subject=os.environ["MAIL_SUBJECT"],
    body="Your code is 482913.",
    from_email="app@shop.example",
    to=["ada@customer.example", "grace@customer.example"],
    cc=["team@other.example"],
    bcc=["audit@hidden.example", "log@hidden.example"],
).send()
