"""For receivers of webhooks: `webhooks.verify` for their code, `webhooks.sign` for their tests."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Literal, Protocol, cast

from ._core.body import parse_json
from ._core.clock import clock
from ._core.dates import format_time, parse_time
from ._core.errors import MayflyError
from ._generated.types import KnownEvent, WebhookForm, events_by_type
from ._webhook_signatures import is_equal, read_secrets, sign_service, sign_standard

__all__ = ['SignedDelivery', 'UnknownEvent', 'WebhookVerificationError', 'sign', 'verify']


class WebhookVerificationError(MayflyError):
    """The request is not a delivery that Mayfly signed with this secret, or it is too old. Answer it with 400 and ignore it."""


class HeaderMap(Protocol):
    """Headers of a request, of any framework: names in any case."""

    def items(self) -> Any: ...


@dataclass(frozen=True, kw_only=True)
class UnknownEvent:
    """An event of a type that this version does not know."""

    id: str | None
    type: str
    created_at: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True)
class SignedDelivery:
    """A delivery, as the server posts it."""

    body: bytes
    headers: dict[str, str] = field(repr=False)


@dataclass(frozen=True)
class _Claim:
    """The signatures of a delivery and the data that they cover, in one of the two forms of headers. Deliveries of form B have no timestamp."""

    form: Literal['standard', 'service']
    id: str
    timestamp: str | None
    signatures: list[str]


def verify(
    body: bytes | bytearray | memoryview | str, headers: HeaderMap, secret: str | Sequence[str], *,
    tolerance: float = 300, now: datetime | None = None,
) -> KnownEvent:
    """
    Checks the signature and the age of a delivery, of any form, and returns its event. It reads the headers of Standard Webhooks; those of
    forms A and B have none, and their `X-Service-Signature` covers the body alone: the time of form A is not signed, and form B has no
    time. A delivery may be repeated; the `id` of the event is then the same: of form A, whose body has none, it is the SHA-256 of the body.

    An event of a type that only a newer version knows is returned as an `UnknownEvent`.

    :param body: as it was received, bytes or text, never parsed: `request.get_data()` in Flask, `request.body` in Django,
        `await request.body()` in FastAPI
    :param headers: `request.headers` of Flask, Django, FastAPI and others, or a dict, with names in any case
    :param secret: of the webhook; several during a rotation of the secret
    :param tolerance: maximum difference in seconds between the time of the delivery and `now`, before or after
    :raises WebhookVerificationError: when the request is not such a delivery
    :raises MayflyError: when the body was parsed, a secret is missing or malformed, or another argument has a wrong type
    """
    received = _read_body(body)
    secrets = read_secrets(secret, 'webhooks.verify')
    claim = _read_claim(headers)
    _check_date(now, 'webhooks.verify: now')
    _check_time(claim, tolerance, now or clock.today())
    if not _is_signed(claim, received, secrets):
        raise WebhookVerificationError(
            'The signature is not that of this body with this secret. '
            'The body has to be the received bytes, and the secret that of this webhook.',
        )
    return _to_event(_read_payload(received, claim))


def sign(
    type: str, data: Mapping[str, Any], secret: str | Sequence[str], *,
    id: str | None = None, created_at: datetime | None = None, delivery_id: str | None = None, now: datetime | None = None, form: WebhookForm = 'both',
) -> SignedDelivery:
    """
    Makes a delivery as the server does, for tests of a receiver.

    :param type: of the event, such as `email.deleted`
    :param data: of the event, with the names of the API: `{'emailId': '019c…', 'addressId': '019c…'}`
    :param secret: of the webhook; several, newest first, sign like a server during a rotation of the secret
    :param id: of the event. Default: random
    :param created_at: time of the event. Default: `now`
    :param delivery_id: of the attempt. Default: random
    :param now: time of the attempt. Default: the time of the call
    :param form: of the delivery
    :raises MayflyError: when a secret is missing or malformed, a time is not a datetime from 1971 on, or `data` is not JSON
    """
    secrets = read_secrets(secret, 'webhooks.sign')
    _check_date(now, 'webhooks.sign: now')
    _check_date(created_at, 'webhooks.sign: created_at')
    sent = now or clock.today()
    created = created_at or sent
    event_id = id or str(uuid.uuid4())
    timestamp, sent_at = (int(time.timestamp() * 1000) for time in (created, sent))
    members = {'id': event_id, 'type': type, 'event': type, 'createdAt': format_time(created), 'timestamp': timestamp, 'data': data}
    event = {name: value for name, value in members.items() if form == 'both' or name == 'data' or (name in _form_a) == (form == 'a')}
    try:
        body = json.dumps(event, ensure_ascii=False, allow_nan=False, separators=(',', ':'), default=_to_json).encode('utf-8')
    except (TypeError, ValueError, RecursionError) as error:
        raise MayflyError(f'webhooks.sign: data is not JSON: {error}') from error
    seconds = str(int(sent.timestamp()))
    headers = {
        'Content-Type': 'application/json',
        'User-Agent': 'Mayfly',
        'X-Service-Signature': f'sha256={sign_service(secrets[-1], body)}',
    }
    if form != 'b':
        headers |= {'X-Service-Timestamp': str(sent_at)}
    if form != 'a':
        headers |= {'X-Service-Event': type, 'X-Service-Delivery-ID': delivery_id or str(uuid.uuid4())}
    if form == 'both':
        headers |= {
            'webhook-id': event_id,
            'webhook-timestamp': seconds,
            'webhook-signature': ' '.join(f'v1,{sign_standard(key, event_id, seconds, body)}' for key in secrets),
        }
    return SignedDelivery(body, headers)


_form_a = ('event', 'timestamp')
"""The members of a body of form A, beside `data`."""


def _check_date(value: object, name: str) -> None:
    """:raises MayflyError: unless it is a time from 1971 on, or None"""
    if value is not None and (not isinstance(value, datetime) or value.year < 1971):
        raise MayflyError(f'{name} must be a datetime from 1971 on')


def _to_json(value: object) -> object:
    if isinstance(value, datetime):
        return format_time(value)
    raise TypeError(f'{value.__class__.__name__} is not a type of JSON')


def _read_body(body: object) -> bytes:
    """:raises MayflyError: for any other type, such as the dict that a framework has parsed"""
    if isinstance(body, str):
        return body.encode('utf-8', 'replace')
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(cast('bytes', body))
    raise MayflyError(
        'webhooks.verify needs the body as it was received, as bytes or text, and not the parsed JSON: the signature is that of its bytes. '
        'Take request.get_data() in Flask, request.body in Django, await request.body() in FastAPI.',
    )


def _read_claim(headers: HeaderMap) -> _Claim:
    """The headers of Standard Webhooks, or else those of the API's own form."""
    values = _lower_case(headers)
    delivery, timestamp, signature = (values.get(f'webhook-{name}', '') for name in ('id', 'timestamp', 'signature'))
    if delivery and timestamp and signature:
        return _Claim('standard', delivery, timestamp, _read_list(signature, 'v1,'))
    timestamp, signature, event = (values.get(f'x-service-{name}', '') for name in ('timestamp', 'signature', 'event'))
    if signature and (timestamp or event):
        return _Claim('service', '', timestamp or None, _read_list(signature, 'sha256='))
    raise _headers_missing()


def _headers_missing() -> WebhookVerificationError:
    return WebhookVerificationError(
        'Headers of a delivery are missing: webhook-id, webhook-timestamp and webhook-signature. Are these the headers of the request?',
    )


def _lower_case(headers: HeaderMap) -> dict[str, str]:
    """Names are text, or bytes as in ASGI; also the names of WSGI's environment, such as `HTTP_WEBHOOK_ID`."""
    values: dict[str, str] = {}
    pairs: Any = headers.items() if hasattr(headers, 'items') else headers
    try:
        for given, value in pairs:
            name = _to_text(given).lower()
            name = name.removeprefix('http_').replace('_', '-') if name.startswith('http_') else name
            parts: list[Any] = list(cast('Sequence[Any]', value)) if isinstance(value, (list, tuple)) else [value]
            if value is not None:
                values[name] = ' '.join([*([values[name]] if name in values else []), *(_to_text(part) for part in parts)])
    except (TypeError, ValueError):
        raise MayflyError('webhooks.verify needs the headers of the request, such as request.headers or a dict of texts') from None
    return values


def _to_text(value: object) -> str:
    return value.decode('latin-1') if isinstance(value, bytes) else str(value)


def _read_list(value: str, prefix: str) -> list[str]:
    """Splits a list of signatures at spaces, and at the commas by which frameworks join repeated headers."""
    return [part.removeprefix(prefix) for part in re.split(r',?\s+', value) if part.startswith(prefix)]


def _check_time(claim: _Claim, tolerance: float, now: datetime) -> None:
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not tolerance >= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise MayflyError('webhooks.verify: tolerance must be 0 seconds or more')
    if claim.timestamp is None:
        return
    if not re.fullmatch(r'[0-9]{1,15}', claim.timestamp):
        raise WebhookVerificationError('The time of the delivery is not a number')
    is_standard = claim.form == 'standard'
    seconds = int(claim.timestamp) / (1 if is_standard else 1000)
    lead = seconds - (int(now.timestamp()) if is_standard else now.timestamp())
    if abs(lead) > tolerance:
        raise WebhookVerificationError(
            f'The delivery is from {round(abs(lead))} seconds {"ago" if lead < 0 else "ahead"}, more than {tolerance:g} seconds. '
            'It may be a replay, or a clock is wrong.',
        )


def _is_signed(claim: _Claim, body: bytes, secrets: Sequence[str]) -> bool:
    expected = [
        sign_standard(secret, claim.id, claim.timestamp or '', body) if claim.form == 'standard' else sign_service(secret, body)
        for secret in secrets
    ]
    return any(is_equal(right, given) for right in expected for given in claim.signatures)


def _read_payload(body: bytes, claim: _Claim) -> dict[str, Any]:
    """
    Reads a body of each form and dialect.

    :raises WebhookVerificationError: when the body is not JSON of an event, is nested too deeply, or its headers lack what deliveries of its form have
    """
    try:
        payload: Any = parse_json(body)
    except ValueError as error:
        raise WebhookVerificationError('The body is signed, but it is not JSON') from error
    members = cast('dict[str, Any]', payload) if isinstance(payload, dict) else {}
    needs_standard = 'type' in members and 'event' in members  # else anyone could give an old delivery a new time
    if claim.form == 'service' and (needs_standard or (claim.timestamp is None and 'timestamp' in members)):
        raise _headers_missing()
    if 'type' not in members:
        members = _to_forms(members, hashlib.sha256(body).hexdigest())
    kind, created, data = (members.get(name) for name in ('type', 'createdAt', 'data'))
    if isinstance(kind, str) and isinstance(created, str) and isinstance(data, dict):
        return {'event': kind, 'timestamp': _milliseconds(created), **members, 'data': _primary_data(kind, cast('dict[str, Any]', data))}
    raise _foreign()


def _milliseconds(time: str) -> int:
    try:
        return round(parse_time(time).timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise _foreign() from error


def _to_forms(members: dict[str, Any], event_id: str) -> dict[str, Any]:
    """Adds the members of form B to those of form A."""
    event, timestamp = members.get('event'), members.get('timestamp')
    if not isinstance(event, str) or isinstance(timestamp, bool) or not isinstance(timestamp, int):
        raise _foreign()
    try:
        created = datetime.fromtimestamp(timestamp / 1000, timezone.utc)
    except (ValueError, OverflowError, OSError) as error:
        raise _foreign() from error
    return {**members, 'id': event_id, 'type': event, 'createdAt': format_time(created)}


def _primary_data(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """In the classic dialect, the address of an event is named `email`, and ids have a prefix."""
    named = {('address' if name == 'email' and kind.startswith('address.') else name): value for name, value in data.items()}
    return {
        name: re.sub('^(?:addr|email)_', '', value) if name.endswith('Id') and isinstance(value, str) else value
        for name, value in named.items()
    }


def _foreign() -> WebhookVerificationError:
    return WebhookVerificationError('The body is signed, but it is not an event of Mayfly')


def _to_event(payload: dict[str, Any]) -> KnownEvent:
    kind = events_by_type.get(payload['type'])
    try:
        if kind:
            return kind.from_json(payload)
        event_id = payload.get('id')
        unknown = UnknownEvent(
            id=event_id if isinstance(event_id, str) else None, type=payload['type'],
            created_at=parse_time(payload['createdAt']), data=payload['data'],
        )
    except ValueError as error:
        raise _foreign() from error
    # typed as an event of a known type, so that a comparison of `type` narrows the type of `data`
    return cast('KnownEvent', unknown)
