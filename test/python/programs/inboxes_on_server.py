"""Inboxes, waits and events on a server whose URL and test key are in the environment. It prints `done` at its end."""

from __future__ import annotations

import re
import threading
from datetime import datetime, timezone

from mayfly import Inbox, Mayfly, MayflyTimeoutError, NotFoundError


def message_of(inbox: Inbox, subject: str) -> str:
    try:
        inbox.wait_for_code(subject=subject, timeout=0.3)
    except MayflyTimeoutError as error:
        return str(error)
    raise AssertionError('it had a code')


def check_waits(mayfly: Mayfly, other: Mayfly) -> None:
    with mayfly.inboxes.create(alias='python-waits') as inbox:
        mayfly.test.create_email(to=inbox.address, from_='shop@example.org', subject='Welcome', text='Hello')
        assert inbox.wait_for().subject == 'Welcome'
        mayfly.test.create_email(to=inbox.address, from_='shop@example.org', subject='News', text='Nothing to confirm')
        wait = f'Waited 0.3 s for an email to {inbox.address} with a code, subject "News".'
        assert message_of(inbox, 'News') == f'{wait} 1 mail came, without a code: "News" from shop@example.org.', message_of(inbox, 'News')

        def send_later() -> None:
            mayfly.test.create_email(to=inbox.address, subject='Your code', text='Your code is 482913. https://shop.example/confirm?code=1')
        opened = other.inboxes.open(inbox.address.upper().replace('@', '+tag@'))
        assert (opened.id, repr(opened)) == (inbox.id, f'<Inbox {inbox.address}>')
        results: list[str] = []
        with other.events.subscribe(last_event_id='0', events=['email.received']) as events:
            waiting = threading.Thread(target=lambda: results.append(opened.wait_for_code(after=datetime(2020, 1, 1, tzinfo=timezone.utc))))
            waiting.start()
            send_later()
            waiting.join(20)
            subjects = [event.data.subject for _, event in zip(range(3), events) if event.type == 'email.received']
        assert results == ['482913'], results
        assert sorted(subjects) == ['News', 'Welcome', 'Your code'], subjects
        assert inbox.wait_for_link(url=re.compile(r'confirm\?')) == 'https://shop.example/confirm?code=1'
        assert [email.subject for email in inbox.list(limit=1)] == ['Your code', 'News', 'Welcome']
        assert inbox.wait_for(match=lambda email: list(email.codes) == ['482913'], after=datetime(2020, 1, 1, tzinfo=timezone.utc)).subject == 'Your code'
    inbox.delete()  # it is no error that the end of the block deleted it


def check_missing(mayfly: Mayfly, inbox_id: str) -> None:
    for missing in ('python-waits@nowhere.example', inbox_id):
        try:
            mayfly.inboxes.open(missing)
        except NotFoundError as error:
            assert error.code == 'NOT_FOUND', error
        else:
            raise AssertionError(f'{missing} is there')


with Mayfly() as mayfly, Mayfly() as other:
    check_waits(mayfly, other)
    check_missing(mayfly, '019ceb92-ea80-752e-bca9-6513269e0d37')
    limit = mayfly.rate_limit
    assert limit and 0 < limit.remaining < limit.limit, limit
print('done')
