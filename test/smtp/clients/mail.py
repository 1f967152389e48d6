"""Sends the mail with smtplib, and requires TLS."""

import os
import smtplib
import ssl
from email.message import EmailMessage

host, port = os.environ["MAIL_HOST"], int(os.environ["MAIL_PORT"])
context = ssl.create_default_context(cafile=os.environ["MAIL_CA"])
mail = EmailMessage()
mail["From"] = "app@shop.example"
mail["To"] = "ada@customer.example, grace@customer.example"
mail["Cc"] = "team@other.example"
mail["Bcc"] = "audit@hidden.example, log@hidden.example"
mail["Subject"] = os.environ["MAIL_SUBJECT"]
mail.set_content("Your code is 482913.")
if os.environ["MAIL_SECURITY"] == "tls":
    smtp = smtplib.SMTP_SSL(host, port, context=context)
else:
    smtp = smtplib.SMTP(host, port)
    smtp.starttls(context=context)
with smtp:
    smtp.login(os.environ["MAIL_USERNAME"], os.environ["MAIL_PASSWORD"])
    smtp.send_message(mail)
