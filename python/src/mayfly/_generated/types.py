"""The shapes of answers and events. This file is made from the document by `npm run generate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from .._reader import Reader, no_members

SmtpStage = Literal['auth', 'mail', 'rcpt', 'data', 'end'] | str
"""
Where a session is: at the login (`auth`), at MAIL, RCPT or DATA, or at the end of the mail (`end`). More values may
be added; a client must accept unknown values.
"""

EmailType = Literal['received', 'sent'] | str
"""
Whether the address received the email or sent it. More values may be added; a client must accept unknown values.
"""

EmailStatus = Literal['queued', 'sending', 'sent', 'deferred', 'failed', 'captured'] | str
"""
The delivery status of a sent email: `queued`, `sending`, `sent` (the next mail server took it), `deferred` (it will
be tried again), `failed` (given up), or `captured` (kept on this host, not sent). More values may be added; a client
must accept unknown values.
"""

CheckResult = Literal['pass', 'warn', 'fail', 'none'] | str
"""
`pass`, `warn` (it may be wanted), `fail`, or `none` where there is nothing to check. More values may be added; a
client must accept unknown values.
"""

WebhookEvent = Literal[
    'email.received',
    'email.deleted',
    'address.created',
    'address.expired',
    'address.deleted',
]
"""The name of an event that a webhook can subscribe to."""

EventName = Literal[
    'email.received',
    'email.deleted',
    'address.created',
    'address.expired',
    'address.deleted',
] | str
"""The name of an event. More values may be added; a client must accept unknown values."""

WebhookForm = Literal['a', 'b', 'both']
"""
The form of deliveries. `both`, the default of a new webhook, has the members and headers that the events of this
document show. Form `a` has a body `{ event, timestamp, data }`, with `X-Service-Signature` and `X-Service-Timestamp`.
Form `b` has a body `{ id, type, createdAt, data }`, with `X-Service-Signature`, `X-Service-Event` and
`X-Service-Delivery-ID`.
"""

Scope = Literal[
    'emails:read',
    'emails:write',
    'analytics:read',
    'domains:read',
    'domains:manage',
    'webhooks:manage',
    'forwarding:manage',
    'keys:manage',
]
"""A permission of an API key."""

GrantedScope = Literal[
    'emails:read',
    'emails:write',
    'analytics:read',
    'domains:read',
    'domains:manage',
    'webhooks:manage',
    'forwarding:manage',
    'keys:manage',
] | str
"""A permission that an API key has. More values may be added; a client must accept unknown values."""

ErrorCode = Literal[
    'INVALID_REQUEST',
    'INVALID_API_KEY',
    'MISSING_SCOPE',
    'PLAN_REQUIRED',
    'NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'CONFLICT',
    'ALREADY_VERIFIED',
    'NOT_VERIFIED',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'NOT_IMPLEMENTED',
    'STORAGE_FULL',
]
"""
The kind of error, for programs. The list is closed: none is added in this version of the API. `NOT_IMPLEMENTED` is
that of a server which lacks an operation; no operation of this document answers with it.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The result, in a sentence."""

    message: str
    """The result, in a sentence."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Message:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Message')
        return cls(
            message=reader.text('message'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """The deleted object."""

    id: str
    """Id of the deleted object."""
    deleted: Literal[True]
    """Always true."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Deleted:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Deleted')
        return cls(
            id=reader.text('id'),
            deleted=reader.constant('deleted', True),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A temporary address."""

    id: str
    """Id of the address."""
    address: str
    """The full email address, `alias@domain`, in lower case."""
    alias: str
    """The part before the @."""
    is_active: bool
    """
    Whether it receives mail: it has not expired, and its domain is the server's own or a verified one of the account.
    """
    created_at: datetime
    """When it was issued."""
    expires_at: datetime
    """When its lifetime ends, or ended."""
    email_count: int
    """Number of emails that it received, without the deleted ones."""
    unread_count: int
    """Number of these emails that are not marked as read."""
    last_email_at: datetime | None
    """When the latest of these emails was received. None when there is none."""
    has_smtp_login: bool
    """Whether programs can log in as this address over SMTP (`addresses.create_smtp_login`)."""
    last_login_at: datetime | None
    """When a program logged in last, to the hour. None before that."""
    max_emails: int | None
    """The number of received emails that the address keeps; of more, the oldest are removed. None for all."""
    allowed_senders: Sequence[str]
    """The senders whose mail the address takes, in lower case, domains as A-labels. Empty for all."""
    blocked_senders: Sequence[str]
    """The senders whose mail it refuses."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Address:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Address')
        return cls(
            id=reader.text('id'),
            address=reader.text('address'),
            alias=reader.text('alias'),
            is_active=reader.flag('isActive'),
            created_at=reader.time('createdAt'),
            expires_at=reader.time('expiresAt'),
            email_count=reader.integer('emailCount'),
            unread_count=reader.integer('unreadCount'),
            last_email_at=reader.optional_time('lastEmailAt'),
            has_smtp_login=reader.flag('hasSmtpLogin'),
            last_login_at=reader.optional_time('lastLoginAt'),
            max_emails=reader.optional_integer('maxEmails'),
            allowed_senders=reader.texts('allowedSenders'),
            blocked_senders=reader.texts('blockedSenders'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressCreated:
    """A temporary address as its creation returns it."""

    id: str
    """Id of the address."""
    address: str
    """The full email address, `alias@domain`, in lower case."""
    alias: str
    """The part before the @."""
    is_active: bool
    """
    Whether it receives mail: it has not expired, and its domain is the server's own or a verified one of the account.
    """
    created_at: datetime
    """When it was issued."""
    expires_at: datetime
    """When its lifetime ends, or ended."""
    email_count: int
    """Number of emails that it received, without the deleted ones."""
    unread_count: int
    """Number of these emails that are not marked as read."""
    last_email_at: datetime | None
    """When the latest of these emails was received. None when there is none."""
    has_smtp_login: bool
    """Whether programs can log in as this address over SMTP (`addresses.create_smtp_login`)."""
    last_login_at: datetime | None
    """When a program logged in last, to the hour. None before that."""
    max_emails: int | None
    """The number of received emails that the address keeps; of more, the oldest are removed. None for all."""
    allowed_senders: Sequence[str]
    """The senders whose mail the address takes, in lower case, domains as A-labels. Empty for all."""
    blocked_senders: Sequence[str]
    """The senders whose mail it refuses."""
    forwarding: AddressForwarding | None
    """Where its mail is forwarded. None without a forwarding rule."""
    smtp: SmtpLogin | None
    """The login, with its password. None without `smtp_login`."""
    cursor: str
    """
    The position before its first mail. Give it as `after` to `emails.wait`, then the `cursor` of each answer: no mail
    is missed, also when it arrives between two requests.
    """
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AddressCreated:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AddressCreated')
        return cls(
            id=reader.text('id'),
            address=reader.text('address'),
            alias=reader.text('alias'),
            is_active=reader.flag('isActive'),
            created_at=reader.time('createdAt'),
            expires_at=reader.time('expiresAt'),
            email_count=reader.integer('emailCount'),
            unread_count=reader.integer('unreadCount'),
            last_email_at=reader.optional_time('lastEmailAt'),
            has_smtp_login=reader.flag('hasSmtpLogin'),
            last_login_at=reader.optional_time('lastLoginAt'),
            max_emails=reader.optional_integer('maxEmails'),
            allowed_senders=reader.texts('allowedSenders'),
            blocked_senders=reader.texts('blockedSenders'),
            forwarding=reader.optional_item('forwarding', AddressForwarding.from_json),
            smtp=reader.optional_item('smtp', SmtpLogin.from_json),
            cursor=reader.text('cursor'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressForwarding:
    """Where an address's mail is forwarded."""

    forward_to_id: str
    """Id of the forwarding address."""
    forward_to_email: str
    """The destination."""
    is_active: bool
    """Whether mail is forwarded."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AddressForwarding:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AddressForwarding')
        return cls(
            forward_to_id=reader.text('forwardToId'),
            forward_to_email=reader.text('forwardToEmail'),
            is_active=reader.flag('isActive'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpLogin:
    """
    What a program needs to log in as an address over SMTP. Each mail that it sends then, to whatever recipients,
    becomes one email in the address; nothing is delivered elsewhere.
    """

    username: str
    """The address."""
    password: str | None
    """
    The password, beginning with `smtp_`. It is shown once: it is missing where the request was sent again with its
    `Idempotency-Key`. It is not an API key.
    """
    host: str
    """The host name of the SMTP server."""
    port: int
    """Its port."""
    security: Literal['none', 'starttls', 'tls'] | str
    """
    How the connection is encrypted: not at all, by STARTTLS, or from its first byte on. Without encryption, logins
    are taken from the server's own machine. More values may be added; a client must accept unknown values.
    """
    url: str | None
    """
    All of it as one URL, as many mailers take it: `smtp://user:password@host:port`, with TLS from the first byte
    `smtps://`. Missing without the password.
    """
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> SmtpLogin:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'SmtpLogin')
        return cls(
            username=reader.text('username'),
            password=reader.optional_text('password'),
            host=reader.text('host'),
            port=reader.integer('port'),
            security=reader.text('security'),
            url=reader.optional_text('url'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpClient:
    """A client of the SMTP server."""

    address: str
    """Its IP address."""
    helo: str
    """The name that it gave in EHLO or HELO."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> SmtpClient:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'SmtpClient')
        return cls(
            address=reader.text('address'),
            helo=reader.text('helo'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpActivity:
    """One try of an SMTP client at an address, and its answer."""

    id: str
    """Id of the try; of accepted mail, that of its email."""
    created_at: datetime
    """When it was answered."""
    stage: SmtpStage
    client: SmtpClient | None
    """The client. None for a mail that did not come over the network, such as one of `test.create_email`."""
    from_: str
    """The sender in MAIL, at most 320 characters of it. Empty for the None sender, and before MAIL."""
    recipients: Sequence[str]
    """The first 10 recipients that concern this address, of each at most 320 characters."""
    recipients_total: int
    """The number of recipients that concern this address, at least that of `recipients`."""
    code: int | None
    """The code of the reply. None when the connection ended without one."""
    enhanced_code: str | None
    """The enhanced status code of the reply (RFC 3463, section 2)."""
    text: str
    """The text of the reply; without one, what ended the connection."""
    email_id: str | None
    """Id of the email, if the mail was accepted. None if the mail or the command was refused."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> SmtpActivity:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'SmtpActivity')
        return cls(
            id=reader.text('id'),
            created_at=reader.time('createdAt'),
            stage=reader.text('stage'),
            client=reader.optional_item('client', SmtpClient.from_json),
            from_=reader.text('from'),
            recipients=reader.texts('recipients'),
            recipients_total=reader.integer('recipientsTotal'),
            code=reader.optional_integer('code'),
            enhanced_code=reader.optional_text('enhancedCode'),
            text=reader.text('text'),
            email_id=reader.optional_text('emailId'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpFault:
    """A step of the SMTP faults of an address that is left."""

    at: SmtpStage
    code: int | None
    """The code of the reply."""
    enhanced: str | None
    """The enhanced status code of the reply."""
    text: str | None
    """The text of the reply."""
    times: int | None
    """How often the step is taken yet; of `rate`, the recipients in a minute."""
    delay_ms: int | None
    """Time before the reply, in milliseconds."""
    drop: bool | None
    """Whether the connection is dropped, without a reply."""
    kind: Literal['greylist', 'rate'] | str | None
    """A rule that stays. More values may be added; a client must accept unknown values."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> SmtpFault:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'SmtpFault')
        return cls(
            at=reader.text('at'),
            code=reader.optional_integer('code'),
            enhanced=reader.optional_text('enhanced'),
            text=reader.optional_text('text'),
            times=reader.optional_integer('times'),
            delay_ms=reader.optional_integer('delayMs'),
            drop=reader.optional_flag('drop'),
            kind=reader.optional_text('kind'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpFaults:
    """The SMTP faults of an address that are left."""

    steps: Sequence[SmtpFault]
    """The steps that are left."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> SmtpFaults:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'SmtpFaults')
        return cls(
            steps=reader.items('steps', SmtpFault.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailReference:
    """An email that was made, to be read by its id."""

    id: str
    """Id of the email."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailReference:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailReference')
        return cls(
            id=reader.text('id'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailSummary:
    """An email in a list."""

    id: str
    """Id of the email. Ids sort by arrival."""
    address_id: str
    """Id of the address that owns it."""
    type: EmailType
    from_: str
    """
    The sender's address. When the header has none, it is the sender of the envelope. Empty when that has none, too.
    """
    to: str
    """
    The recipient. For received mail the address it was delivered to, in lower case, with its `+tag`; for mail that
    came to an address by another way than its name, the first recipient of the envelope.
    """
    recipients_total: int
    """
    The number of recipients in the envelope that the address got the mail for. The email by its id lists 100 of them.
    """
    is_read: bool
    """Whether it is marked as read."""
    is_starred: bool
    """Whether it is starred."""
    is_deleted: bool
    """Whether it was deleted. It can still be read, until it is removed permanently."""
    received_at: datetime
    """When the server took the mail; for sent mail, when it was queued."""
    codes: Sequence[str]
    """One-time codes found in the mail, the most likely first."""
    status: EmailStatus | None
    """The delivery status of a sent email. None for received mail."""
    from_name: str
    """
    The sender's display name. One of more than 250 bytes of JSON is cut and ends in `…`. Empty when there is none.
    """
    subject: str
    """The subject. A subject of more than 1,000 bytes of JSON is cut and ends in `…`. Empty when there is none."""
    preview: str
    """The first 200 characters of the text, with white space collapsed."""
    body_text: str
    """
    The beginning of the plain-text body: its first 1,000 characters, fewer where these take more than 1,000 bytes of
    JSON. Empty when there is none.
    """
    body_html: str
    """The beginning of the HTML body, cut as `body_text` is. Empty when there is none. It is not sanitised."""
    is_truncated: bool
    """Whether one of the bodies was cut. Read the email by its id for the whole."""
    has_attachments: bool
    """Whether it has attachments."""
    link_host: str | None
    """The host that the likeliest link of the mail leads to. None when it has no link."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailSummary:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailSummary')
        return cls(
            id=reader.text('id'),
            address_id=reader.text('addressId'),
            type=reader.text('type'),
            from_=reader.text('from'),
            to=reader.text('to'),
            recipients_total=reader.integer('recipientsTotal'),
            is_read=reader.flag('isRead'),
            is_starred=reader.flag('isStarred'),
            is_deleted=reader.flag('isDeleted'),
            received_at=reader.time('receivedAt'),
            codes=reader.texts('codes'),
            status=reader.optional_text('status'),
            from_name=reader.text('fromName'),
            subject=reader.text('subject'),
            preview=reader.text('preview'),
            body_text=reader.text('bodyText'),
            body_html=reader.text('bodyHtml'),
            is_truncated=reader.flag('isTruncated'),
            has_attachments=reader.flag('hasAttachments'),
            link_host=reader.optional_text('linkHost'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Email:
    """A whole email."""

    id: str
    """Id of the email. Ids sort by arrival."""
    address_id: str
    """Id of the address that owns it."""
    type: EmailType
    from_: str
    """
    The sender's address. When the header has none, it is the sender of the envelope. Empty when that has none, too.
    """
    to: str
    """
    The recipient. For received mail the address it was delivered to, in lower case, with its `+tag`; for mail that
    came to an address by another way than its name, the first recipient of the envelope.
    """
    recipients_total: int
    """
    The number of recipients in the envelope that the address got the mail for. The email by its id lists 100 of them.
    """
    is_read: bool
    """Whether it is marked as read."""
    is_starred: bool
    """Whether it is starred."""
    is_deleted: bool
    """Whether it was deleted. It can still be read, until it is removed permanently."""
    received_at: datetime
    """When the server took the mail; for sent mail, when it was queued."""
    codes: Sequence[str]
    """One-time codes found in the mail, the most likely first."""
    status: EmailStatus | None
    """The delivery status of a sent email. None for received mail."""
    from_name: str
    """The sender's display name. Empty when there is none."""
    subject: str
    """The subject. Empty when there is none."""
    body_text: str
    """
    The plain-text body, of a very long one its beginning: the JSON of an answer has at most 30 MiB. Empty when there
    is none.
    """
    body_html: str
    """The HTML body, cut likewise. Empty when there is none. It is not sanitised."""
    attachments: Sequence[Attachment]
    """Its attachments, in the mail's order. Download them by their id."""
    headers: Mapping[str, str]
    """
    The headers: name as first written, and value, unfolded but not decoded. The values of a repeated header are
    joined by a line feed.
    """
    links: Sequence[Link]
    """http and https links in the mail's order, except that the likely call to action comes first."""
    hidden_text: bool
    """
    Whether the mail has text that a reader does not see: styles or attributes of its HTML hide it, or it is written
    in characters without a shape, as `warnings` says. Such text is not in `codes`, `links`, `preview`, nor in a
    `body_text` that is made of the HTML. The server knows the usual ways of hiding text and a part of CSS; text that
    is hidden in another way counts as seen. Characters without a shape in the subject or in a text part stay in
    `subject` and `body_text`, as they were sent.
    """
    message_id: str | None
    """Its Message-ID, without the angle brackets. None when it has none."""
    in_reply_to: str | None
    """The Message-ID of the email that it answers. None when it names none."""
    references: Sequence[str]
    """
    The Message-IDs of the emails of its thread before it, the first first; of more than 100 the first and the last
    99.
    """
    thread_id: str
    """
    The same for all emails of a thread, received and sent, in whatever order they come: a hash of the first
    Message-ID that `references`, `in_reply_to` and `message_id` have.
    """
    warnings: Sequence[EmailWarning]
    """What makes the mail say another thing to a program than to its reader, or lead elsewhere than it says."""
    code_details: Sequence[CodeDetail]
    """The codes of `codes`, in their order, each with what the mail says of it."""
    sent_at: datetime | None
    """When the next mail server took a sent email. None before that, and for received mail."""
    failure_reason: str | None
    """Why a sent email failed or was deferred. None otherwise."""
    size: int
    """Size of the source in bytes."""
    envelope: EmailEnvelope | None
    """The SMTP envelope of a received email. None for sent email."""
    recipients: Sequence[str]
    """
    The recipients of the envelope that the address got the mail for, Bcc among them, in lower case, at most 100: all
    of them for mail of a login. Other accounts do not see who else got a mail.
    """
    authentication: Authentication | None
    """
    The results of SPF, DKIM and DMARC for a received email. None until that is known, soon after its arrival, and for
    sent email, mail from an address of this server, and mail of a login or of `MAYFLY_CATCH_ALL`.
    """
    forwarding: EmailForwarding | None
    """The state of a received email's forward. None when no rule applied to it, and for sent email."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Email:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Email')
        return cls(
            id=reader.text('id'),
            address_id=reader.text('addressId'),
            type=reader.text('type'),
            from_=reader.text('from'),
            to=reader.text('to'),
            recipients_total=reader.integer('recipientsTotal'),
            is_read=reader.flag('isRead'),
            is_starred=reader.flag('isStarred'),
            is_deleted=reader.flag('isDeleted'),
            received_at=reader.time('receivedAt'),
            codes=reader.texts('codes'),
            status=reader.optional_text('status'),
            from_name=reader.text('fromName'),
            subject=reader.text('subject'),
            body_text=reader.text('bodyText'),
            body_html=reader.text('bodyHtml'),
            attachments=reader.items('attachments', Attachment.from_json),
            headers=reader.texts_by_name('headers'),
            links=reader.items('links', Link.from_json),
            hidden_text=reader.flag('hiddenText'),
            message_id=reader.optional_text('messageId'),
            in_reply_to=reader.optional_text('inReplyTo'),
            references=reader.texts('references'),
            thread_id=reader.text('threadId'),
            warnings=reader.items('warnings', EmailWarning.from_json),
            code_details=reader.items('codeDetails', CodeDetail.from_json),
            sent_at=reader.optional_time('sentAt'),
            failure_reason=reader.optional_text('failureReason'),
            size=reader.integer('size'),
            envelope=reader.optional_item('envelope', EmailEnvelope.from_json),
            recipients=reader.texts('recipients'),
            authentication=reader.optional_item('authentication', Authentication.from_json),
            forwarding=reader.optional_item('forwarding', EmailForwarding.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailChanges:
    """The number of emails that were changed."""

    changed: int
    """The number of emails that are otherwise than before."""
    has_more: bool
    """Whether others are left for a further request."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailChanges:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailChanges')
        return cls(
            changed=reader.integer('changed'),
            has_more=reader.flag('hasMore'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailChecks:
    """The checks of an email."""

    result: CheckResult
    """The worst result of all checks."""
    clients: ClientsCheck
    images: ImagesCheck
    size: SizeCheck
    text: TextCheck
    unsubscribe: UnsubscribeCheck
    authentication: AuthenticationCheck
    links: LinksCheck
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailChecks:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailChecks')
        return cls(
            result=reader.text('result'),
            clients=reader.item('clients', ClientsCheck.from_json),
            images=reader.item('images', ImagesCheck.from_json),
            size=reader.item('size', SizeCheck.from_json),
            text=reader.item('text', TextCheck.from_json),
            unsubscribe=reader.item('unsubscribe', UnsubscribeCheck.from_json),
            authentication=reader.item('authentication', AuthenticationCheck.from_json),
            links=reader.item('links', LinksCheck.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientsCheck:
    """
    Whether mail clients support the HTML and CSS of the mail, by the data of caniemail.com. `warn` when some client
    lacks a feature.
    """

    result: CheckResult
    support: Mapping[str, str]
    """
    The id of a client, such as `gmail-webmail` → its result: `fail` when it lacks a feature of the mail, `warn` when
    it supports one in part.
    """
    features: Sequence[UsedFeature]
    """The features of the mail that some client lacks, or supports in part."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ClientsCheck:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ClientsCheck')
        return cls(
            result=reader.text('result'),
            support=reader.texts_by_name('support'),
            features=reader.items('features', UsedFeature.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UsedFeature:
    """A feature of HTML or CSS that a mail uses, and the clients that lack it."""

    id: str
    """Its name at caniemail.com: `https://www.caniemail.com/features/css-gap/`."""
    title: str
    """Its title."""
    count: int
    """How often the mail uses it."""
    partial: Sequence[str]
    """The clients that support it in part."""
    unsupported: Sequence[str]
    """The clients that lack it."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> UsedFeature:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'UsedFeature')
        return cls(
            id=reader.text('id'),
            title=reader.text('title'),
            count=reader.integer('count'),
            partial=reader.texts('partial'),
            unsupported=reader.texts('unsupported'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ImagesCheck:
    """The `<img>` elements of the mail. `fail` when one shows nothing, `warn` when one has no `alt` or no size."""

    result: CheckResult
    total: int
    """All images, at most 10,000."""
    remote: int
    """Those of other hosts, which many clients block."""
    embedded: int
    """Those in attachments (`cid:`)."""
    missing: int
    """Those without a source, or whose attachment the mail does not have."""
    without_alt: int
    """Those without the attribute `alt`, which may be empty."""
    without_size: int
    """Those without both a width and a height."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ImagesCheck:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ImagesCheck')
        return cls(
            result=reader.text('result'),
            total=reader.integer('total'),
            remote=reader.integer('remote'),
            embedded=reader.integer('embedded'),
            missing=reader.integer('missing'),
            without_alt=reader.integer('withoutAlt'),
            without_size=reader.integer('withoutSize'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeCheck:
    """The size of the HTML. `fail` above 102 kB, beyond which Gmail clips it."""

    result: CheckResult
    html_bytes: int
    """Its size in bytes, decoded."""
    max_html_bytes: int
    """The size beyond which Gmail clips it."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> SizeCheck:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'SizeCheck')
        return cls(
            result=reader.text('result'),
            html_bytes=reader.integer('htmlBytes'),
            max_html_bytes=reader.integer('maxHtmlBytes'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCheck:
    """The bodies of the mail. `warn` without a text part, `fail` without any."""

    result: CheckResult
    has_text: bool
    """Whether it has a part of plain text."""
    has_html: bool
    """Whether it has a part of HTML."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> TextCheck:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'TextCheck')
        return cls(
            result=reader.text('result'),
            has_text=reader.flag('hasText'),
            has_html=reader.flag('hasHtml'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsubscribeCheck:
    """
    The header `List-Unsubscribe` (RFC 2369), which bulk mail needs. `none` without it, `fail` without a URL in it,
    `warn` without one-click (RFC 8058).
    """

    result: CheckResult
    urls: Sequence[str]
    """Its URLs, at most 10."""
    is_one_click: bool
    """Whether `List-Unsubscribe-Post` and an https URL offer one-click."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> UnsubscribeCheck:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'UnsubscribeCheck')
        return cls(
            result=reader.text('result'),
            urls=reader.texts('urls'),
            is_one_click=reader.flag('isOneClick'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticationCheck:
    """
    The stored results of SPF, DKIM and DMARC. `pass` when DMARC passed, `fail` when one failed, `warn` else; `none`
    where they are not known.
    """

    result: CheckResult
    spf: str | None
    """The result of SPF. None where it is not known."""
    dkim: str | None
    """The best result of its signatures. None where it is not known."""
    dmarc: str | None
    """The result of DMARC. None where it is not known."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AuthenticationCheck:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AuthenticationCheck')
        return cls(
            result=reader.text('result'),
            spf=reader.optional_text('spf'),
            dkim=reader.optional_text('dkim'),
            dmarc=reader.optional_text('dmarc'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksCheck:
    """The links of the mail. Its result is the worst of its links."""

    result: CheckResult
    total: int
    """All links."""
    insecure: int
    """Those with http, not https."""
    mismatched: int
    """Those whose text names another host."""
    hosts: Sequence[str]
    """Their hosts, each once."""
    links: Sequence[CheckedLink]
    """The links, as in `links` of the email."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> LinksCheck:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'LinksCheck')
        return cls(
            result=reader.text('result'),
            total=reader.integer('total'),
            insecure=reader.integer('insecure'),
            mismatched=reader.integer('mismatched'),
            hosts=reader.texts('hosts'),
            links=reader.items('links', CheckedLink.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedLink:
    """A link, and how it answered if it was requested."""

    url: str
    """Its URL."""
    result: CheckResult
    """
    `fail` when it did not answer, or with a status from 400 on; `warn` for 401, 403 and 429, which programs get,
    where a limit of this server ended its requests, and where `is_insecure` or `named_host` is set.
    """
    is_insecure: bool
    """Whether it has http, not https."""
    named_host: str | None
    """The other host that its text names, as in phishing. None for none."""
    status: int | None
    """The status after its redirects. None where it was not requested or did not answer."""
    redirects: int | None
    """The number of redirects that were followed. None where it was not requested or a limit ended that."""
    error: str | None
    """Why it did not answer, or which limit ended its requests. None where it did or was not requested."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> CheckedLink:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'CheckedLink')
        return cls(
            url=reader.text('url'),
            result=reader.text('result'),
            is_insecure=reader.flag('isInsecure'),
            named_host=reader.optional_text('namedHost'),
            status=reader.optional_integer('status'),
            redirects=reader.optional_integer('redirects'),
            error=reader.optional_text('error'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailMarks:
    """The marks of an email."""

    id: str
    """Id of the email."""
    is_read: bool
    """Whether it is marked as read."""
    is_starred: bool
    """Whether it is starred."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailMarks:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailMarks')
        return cls(
            id=reader.text('id'),
            is_read=reader.flag('isRead'),
            is_starred=reader.flag('isStarred'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailUpdated:
    """A whole email for a key with the scope `emails:read` and for a session, else its id and its marks alone."""

    id: str
    """Id of the email. Ids sort by arrival."""
    is_read: bool
    """Whether it is marked as read."""
    is_starred: bool
    """Whether it is starred."""
    address_id: str | None
    """Id of the address that owns it."""
    type: EmailType | None
    from_: str | None
    """
    The sender's address. When the header has none, it is the sender of the envelope. Empty when that has none, too.
    """
    to: str | None
    """
    The recipient. For received mail the address it was delivered to, in lower case, with its `+tag`; for mail that
    came to an address by another way than its name, the first recipient of the envelope.
    """
    recipients_total: int | None
    """
    The number of recipients in the envelope that the address got the mail for. The email by its id lists 100 of them.
    """
    is_deleted: bool | None
    """Whether it was deleted. It can still be read, until it is removed permanently."""
    received_at: datetime | None
    """When the server took the mail; for sent mail, when it was queued."""
    codes: Sequence[str] | None
    """One-time codes found in the mail, the most likely first."""
    status: EmailStatus | None
    """The delivery status of a sent email. None for received mail."""
    from_name: str | None
    """The sender's display name. Empty when there is none."""
    subject: str | None
    """The subject. Empty when there is none."""
    body_text: str | None
    """
    The plain-text body, of a very long one its beginning: the JSON of an answer has at most 30 MiB. Empty when there
    is none.
    """
    body_html: str | None
    """The HTML body, cut likewise. Empty when there is none. It is not sanitised."""
    attachments: Sequence[Attachment] | None
    """Its attachments, in the mail's order. Download them by their id."""
    headers: Mapping[str, str] | None
    """
    The headers: name as first written, and value, unfolded but not decoded. The values of a repeated header are
    joined by a line feed.
    """
    links: Sequence[Link] | None
    """http and https links in the mail's order, except that the likely call to action comes first."""
    hidden_text: bool | None
    """
    Whether the mail has text that a reader does not see: styles or attributes of its HTML hide it, or it is written
    in characters without a shape, as `warnings` says. Such text is not in `codes`, `links`, `preview`, nor in a
    `body_text` that is made of the HTML. The server knows the usual ways of hiding text and a part of CSS; text that
    is hidden in another way counts as seen. Characters without a shape in the subject or in a text part stay in
    `subject` and `body_text`, as they were sent.
    """
    message_id: str | None
    """Its Message-ID, without the angle brackets. None when it has none."""
    in_reply_to: str | None
    """The Message-ID of the email that it answers. None when it names none."""
    references: Sequence[str] | None
    """
    The Message-IDs of the emails of its thread before it, the first first; of more than 100 the first and the last
    99.
    """
    thread_id: str | None
    """
    The same for all emails of a thread, received and sent, in whatever order they come: a hash of the first
    Message-ID that `references`, `in_reply_to` and `message_id` have.
    """
    warnings: Sequence[EmailWarning] | None
    """What makes the mail say another thing to a program than to its reader, or lead elsewhere than it says."""
    code_details: Sequence[CodeDetail] | None
    """The codes of `codes`, in their order, each with what the mail says of it."""
    sent_at: datetime | None
    """When the next mail server took a sent email. None before that, and for received mail."""
    failure_reason: str | None
    """Why a sent email failed or was deferred. None otherwise."""
    size: int | None
    """Size of the source in bytes."""
    envelope: EmailEnvelope | None
    """The SMTP envelope of a received email. None for sent email."""
    recipients: Sequence[str] | None
    """
    The recipients of the envelope that the address got the mail for, Bcc among them, in lower case, at most 100: all
    of them for mail of a login. Other accounts do not see who else got a mail.
    """
    authentication: Authentication | None
    """
    The results of SPF, DKIM and DMARC for a received email. None until that is known, soon after its arrival, and for
    sent email, mail from an address of this server, and mail of a login or of `MAYFLY_CATCH_ALL`.
    """
    forwarding: EmailForwarding | None
    """The state of a received email's forward. None when no rule applied to it, and for sent email."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailUpdated:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailUpdated')
        return cls(
            id=reader.text('id'),
            is_read=reader.flag('isRead'),
            is_starred=reader.flag('isStarred'),
            address_id=reader.optional_text('addressId'),
            type=reader.optional_text('type'),
            from_=reader.optional_text('from'),
            to=reader.optional_text('to'),
            recipients_total=reader.optional_integer('recipientsTotal'),
            is_deleted=reader.optional_flag('isDeleted'),
            received_at=reader.optional_time('receivedAt'),
            codes=reader.optional_texts('codes'),
            status=reader.optional_text('status'),
            from_name=reader.optional_text('fromName'),
            subject=reader.optional_text('subject'),
            body_text=reader.optional_text('bodyText'),
            body_html=reader.optional_text('bodyHtml'),
            attachments=reader.optional_items('attachments', Attachment.from_json),
            headers=reader.optional_texts_by_name('headers'),
            links=reader.optional_items('links', Link.from_json),
            hidden_text=reader.optional_flag('hiddenText'),
            message_id=reader.optional_text('messageId'),
            in_reply_to=reader.optional_text('inReplyTo'),
            references=reader.optional_texts('references'),
            thread_id=reader.optional_text('threadId'),
            warnings=reader.optional_items('warnings', EmailWarning.from_json),
            code_details=reader.optional_items('codeDetails', CodeDetail.from_json),
            sent_at=reader.optional_time('sentAt'),
            failure_reason=reader.optional_text('failureReason'),
            size=reader.optional_integer('size'),
            envelope=reader.optional_item('envelope', EmailEnvelope.from_json),
            recipients=reader.optional_texts('recipients'),
            authentication=reader.optional_item('authentication', Authentication.from_json),
            forwarding=reader.optional_item('forwarding', EmailForwarding.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailEnvelope:
    """The sender and the recipient of an email as its SMTP client named them, which its header need not do."""

    from_: str
    """
    The address of MAIL FROM. Empty for the None sender, as of delivery reports. Of mail from an address of this
    server it is that address.
    """
    to: str
    """The address of RCPT TO that received this email, with its tag; the first one for mail of a login."""
    via: Literal['address', 'login', 'domain', 'server'] | str
    """
    How it came to the address: as the recipient (`address`), by its SMTP login (`login`), as the address of a
    domain's `catch_all_id` (`domain`), or as that of `MAYFLY_CATCH_ALL` (`server`). More values may be added; a
    client must accept unknown values.
    """
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailEnvelope:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailEnvelope')
        return cls(
            from_=reader.text('from'),
            to=reader.text('to'),
            via=reader.text('via'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """The results of SPF, DKIM and DMARC for a received email."""

    spf: SpfResult
    dkim: Sequence[DkimResult]
    """Its signatures (RFC 6376), at most 10. Empty when it has none."""
    dmarc: DmarcResult
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Authentication:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Authentication')
        return cls(
            spf=reader.item('spf', SpfResult.from_json),
            dkim=reader.items('dkim', DkimResult.from_json),
            dmarc=reader.item('dmarc', DmarcResult.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SpfResult:
    """Whether the host that delivered an email may send for its envelope sender (RFC 7208)."""

    result: Literal['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'] | str
    """The result of the check. More values may be added; a client must accept unknown values."""
    domain: str | None
    """The domain whose SPF record was looked up. None when there was none."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> SpfResult:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'SpfResult')
        return cls(
            result=reader.text('result'),
            domain=reader.optional_text('domain'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DkimResult:
    """A signature of an email, and whether it is valid (RFC 6376)."""

    result: Literal['none', 'neutral', 'pass', 'fail', 'policy', 'temperror', 'permerror'] | str
    """The result of the check. More values may be added; a client must accept unknown values."""
    domain: str | None
    """The domain that signed."""
    selector: str | None
    """The name of its key."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> DkimResult:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'DkimResult')
        return cls(
            result=reader.text('result'),
            domain=reader.optional_text('domain'),
            selector=reader.optional_text('selector'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DmarcResult:
    """Whether SPF or DKIM passed for a domain that is aligned with that in `From` (RFC 9989)."""

    result: Literal['none', 'pass', 'fail', 'temperror', 'permerror'] | str
    """The result of the check. More values may be added; a client must accept unknown values."""
    domain: str | None
    """The domain in From."""
    policy: str | None
    """The policy of the domain for mail that fails: `none`, `quarantine` or `reject`."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> DmarcResult:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'DmarcResult')
        return cls(
            result=reader.text('result'),
            domain=reader.optional_text('domain'),
            policy=reader.optional_text('policy'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailForwarding:
    """A received email on its way to a forwarding address."""

    to: str
    """The forwarding address."""
    status: EmailStatus
    sent_at: datetime | None
    """When the next mail server took it. None before that."""
    failure_reason: str | None
    """Why it failed or was deferred. None otherwise."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailForwarding:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailForwarding')
        return cls(
            to=reader.text('to'),
            status=reader.text('status'),
            sent_at=reader.optional_time('sentAt'),
            failure_reason=reader.optional_text('failureReason'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """The record of an attachment."""

    id: str
    """Id of the attachment."""
    filename: str
    """A safe file name without a path."""
    content_type: str
    """Media type as the sender declared it."""
    size: int
    """Size of the decoded file in bytes."""
    content_id: str | None
    """The Content-ID that the HTML body refers to as `cid:`. None when there is none."""
    is_inline: bool
    """Whether it is shown within the body, such as an image."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Attachment:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Attachment')
        return cls(
            id=reader.text('id'),
            filename=reader.text('filename'),
            content_type=reader.text('contentType'),
            size=reader.integer('size'),
            content_id=reader.optional_text('contentId'),
            is_inline=reader.flag('isInline'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link in an email."""

    url: str
    """The target, http or https."""
    host: str
    """
    The host that the link leads to, in lower case, with its port where that is another than of http or https, and in
    punycode where it has characters beyond ASCII. The link is not visited, so this may be the host of a redirect.
    """
    text: str
    """The text of the link. The target itself when it has no text."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Link:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Link')
        return cls(
            url=reader.text('url'),
            host=reader.text('host'),
            text=reader.text('text'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailWarning:
    """What makes a mail say another thing to a program than to its reader, or lead elsewhere than it says."""

    type: Literal['hiddenText', 'invisibleCharacters', 'reorderedText', 'otherHost', 'otherCode'] | str
    """
    Its kind: `hidden_text` (styles or attributes of the HTML hide text), `invisible_characters` (text is written in
    characters without a shape, such as Unicode tags), `reordered_text` (letters are shown in another order than they
    are written in), `other_host` (the text of a link names another registrable domain than it leads to), or
    `other_code` (the HTML shows another code than the text part, to which `codes` belong, or not that one). More
    values may be added; a client must accept unknown values.
    """
    fields: Sequence[str]
    """The members of the email that it is about."""
    url: str | None
    """The link of `other_host`."""
    host: str | None
    """The host that this link leads to."""
    named_host: str | None
    """The host that its text names, in punycode."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailWarning:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailWarning')
        return cls(
            type=reader.text('type'),
            fields=reader.texts('fields'),
            url=reader.optional_text('url'),
            host=reader.optional_text('host'),
            named_host=reader.optional_text('namedHost'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeDetail:
    """A one-time code, with what the mail says of it."""

    code: str
    """The code."""
    expires_in_seconds: int | None
    """
    How long it is valid from the mail's arrival on, by the words of the mail, such as "valid for 10 minutes". None
    where these do not say it.
    """
    bound_to: str | None
    """
    The host at which alone it is to be entered, by a line such as `@shop.example #482913`, in punycode. None without
    such a line.
    """
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> CodeDetail:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'CodeDetail')
        return cls(
            code=reader.text('code'),
            expires_in_seconds=reader.optional_integer('expiresInSeconds'),
            bound_to=reader.optional_text('boundTo'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailBounce:
    """The report of a bounce."""

    status: str | None
    """Three numbers with dots, of which the first is 4 or 5. Omitted, `5.1.1`. RFC 3463, section 2."""
    text: str | None
    """One line of printable ASCII characters, the reason. Omitted, `The mailbox does not exist`."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailBounce:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailBounce')
        return cls(
            status=reader.optional_text('status'),
            text=reader.optional_text('text'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailForward:
    """Where to forward an email."""

    forward_to_id: str
    """Id of a verified forwarding address."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailForward:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailForward')
        return cls(
            forward_to_id=reader.text('forwardToId'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailReport:
    """A report that was made."""

    to: str
    """The sender of the envelope, who gets the report."""
    outcome: Literal['delivered', 'captured'] | str
    """
    Whether the report arrived at an address of the account, or was captured. More values may be added; a client must
    accept unknown values.
    """
    email_id: str
    """Id of the email that is the report."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailReport:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailReport')
        return cls(
            to=reader.text('to'),
            outcome=reader.text('outcome'),
            email_id=reader.text('emailId'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A custom domain."""

    id: str
    """Id of the domain."""
    domain: str
    """The domain, in lower case, international names in their `xn--` form."""
    status: Literal['pending', 'verified'] | str
    """
    `verified` once both DNS records were found, until they are missing for five days. More values may be added; a
    client must accept unknown values.
    """
    created_at: datetime
    """When it was added."""
    catch_all_id: str | None
    """The id of the address that gets mail to names that were not issued. None for none."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Domain:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Domain')
        return cls(
            id=reader.text('id'),
            domain=reader.text('domain'),
            status=reader.text('status'),
            created_at=reader.time('createdAt'),
            catch_all_id=reader.optional_text('catchAllId'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainCreated:
    """A custom domain and its DNS records."""

    id: str
    """Id of the domain."""
    domain: str
    """The domain, in lower case, international names in their `xn--` form."""
    status: Literal['pending', 'verified'] | str
    """
    `verified` once both DNS records were found, until they are missing for five days. More values may be added; a
    client must accept unknown values.
    """
    created_at: datetime
    """When it was added."""
    catch_all_id: str | None
    """The id of the address that gets mail to names that were not issued. None for none."""
    dns_records: DnsRecords
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> DomainCreated:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'DomainCreated')
        return cls(
            id=reader.text('id'),
            domain=reader.text('domain'),
            status=reader.text('status'),
            created_at=reader.time('createdAt'),
            catch_all_id=reader.optional_text('catchAllId'),
            dns_records=reader.item('dnsRecords', DnsRecords.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DnsRecords:
    """The DNS records to set for the domain. Both are needed."""

    mx: MxRecord
    txt: TxtRecord
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> DnsRecords:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'DnsRecords')
        return cls(
            mx=reader.item('mx', MxRecord.from_json),
            txt=reader.item('txt', TxtRecord.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MxRecord:
    """Routes the domain's mail to this server."""

    type: Literal['MX']
    """Type of the record."""
    host: str
    """Name of the record."""
    value: str
    """The mail host."""
    priority: int
    """Preference of the record."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> MxRecord:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'MxRecord')
        return cls(
            type=reader.constant('type', 'MX'),
            host=reader.text('host'),
            value=reader.text('value'),
            priority=reader.integer('priority'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TxtRecord:
    """Proves that the domain is yours."""

    type: Literal['TXT']
    """Type of the record."""
    host: str
    """Name of the record."""
    value: str
    """`mayfly-verify=` and a token. Other TXT records may stand beside it."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> TxtRecord:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'TxtRecord')
        return cls(
            type=reader.constant('type', 'TXT'),
            host=reader.text('host'),
            value=reader.text('value'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardingAddressCreated:
    """A forwarding address as its creation returns it."""

    id: str
    """Id of the forwarding address."""
    email: str
    """The destination."""
    is_verified: bool
    """Whether its owner has agreed, on the page that the verification email links to."""
    created_at: datetime
    """When it was added."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ForwardingAddressCreated:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ForwardingAddressCreated')
        return cls(
            id=reader.text('id'),
            email=reader.text('email'),
            is_verified=reader.flag('isVerified'),
            created_at=reader.time('createdAt'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardingAddress:
    """A personal address that mail may be forwarded to."""

    id: str
    """Id of the forwarding address."""
    email: str
    """The destination."""
    is_verified: bool
    """Whether its owner has agreed, on the page that the verification email links to."""
    created_at: datetime
    """When it was added."""
    verified_at: datetime | None
    """When it was verified. None until then."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ForwardingAddress:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ForwardingAddress')
        return cls(
            id=reader.text('id'),
            email=reader.text('email'),
            is_verified=reader.flag('isVerified'),
            created_at=reader.time('createdAt'),
            verified_at=reader.optional_time('verifiedAt'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ForwardingRule:
    """The filters and the target of an address's forwarded mail."""

    id: str | None
    """Id of the rule. None when the address has none."""
    forward_to_id: str | None
    """Id of the verified forwarding address. None when there is no destination."""
    forward_to_email: str | None
    """The destination. None when there is none."""
    filter_sender: str | None
    """
    The sender, in any case: `@shop.example` is the end of the address, `a@shop.example` all of it, and text without
    an `@` a part of the address or the display name. None, any sender.
    """
    filter_subject: str | None
    """Text that the subject must contain, in any case. None, any subject."""
    is_active: bool
    """Whether mail is forwarded. False when there is no rule."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ForwardingRule:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ForwardingRule')
        return cls(
            id=reader.optional_text('id'),
            forward_to_id=reader.optional_text('forwardToId'),
            forward_to_email=reader.optional_text('forwardToEmail'),
            filter_sender=reader.optional_text('filterSender'),
            filter_subject=reader.optional_text('filterSubject'),
            is_active=reader.flag('isActive'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Analytics:
    """Counters of the account."""

    total_addresses: int
    """Addresses, active or not."""
    active_addresses: int
    """Addresses whose `is_active` is True."""
    total_emails_received: int
    """Emails ever received."""
    total_emails_sent: int
    """Emails ever sent."""
    this_month_received: int
    """Emails received in this calendar month (UTC)."""
    this_month_sent: int
    """Emails sent in this calendar month (UTC)."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Analytics:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Analytics')
        return cls(
            total_addresses=reader.integer('totalAddresses'),
            active_addresses=reader.integer('activeAddresses'),
            total_emails_received=reader.integer('totalEmailsReceived'),
            total_emails_sent=reader.integer('totalEmailsSent'),
            this_month_received=reader.integer('thisMonthReceived'),
            this_month_sent=reader.integer('thisMonthSent'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyticsDay:
    """The emails of one day."""

    day: date
    """The day in UTC, YYYY-MM-DD."""
    received: int
    """Emails received."""
    sent: int
    """Emails sent."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AnalyticsDay:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AnalyticsDay')
        return cls(
            day=reader.day('day'),
            received=reader.integer('received'),
            sent=reader.integer('sent'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLog:
    """
    One authenticated call of the API. Changes that the server makes by itself are recorded too, without a method, an
    address and a key: `webhooks.disabled`, when a webhook is disabled because its deliveries fail.
    """

    id: str
    """Id of the record."""
    action: str
    """The operation called, such as `addresses.create`."""
    method: str
    """The HTTP method."""
    path: str
    """The path, without the query; its first 200 characters."""
    status: int
    """HTTP status of the answer."""
    resource_id: str | None
    """Id of the resource that the call was about. None when there was no single one."""
    api_key_id: str | None
    """Id of the key that was used. None when it is gone, or none was used."""
    session_id: str | None
    """Id of the session of the dashboard that was used in place of a key. None when a key was used."""
    member: str | None
    """The email address of the person of that session. None when a key was used."""
    ip_address: str
    """Where the call came from."""
    user_agent: str | None
    """The caller's User-Agent header, its first 300 characters. None when it sent none."""
    created_at: datetime
    """When the call was made, or the first of those that `count` tells."""
    count: int
    """
    Calls that this record stands for. More than 1 where calls with the same key, operation and status are counted
    together: then path, resource, address and user agent are those of the first.
    """
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AuditLog:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AuditLog')
        return cls(
            id=reader.text('id'),
            action=reader.text('action'),
            method=reader.text('method'),
            path=reader.text('path'),
            status=reader.integer('status'),
            resource_id=reader.optional_text('resourceId'),
            api_key_id=reader.optional_text('apiKeyId'),
            session_id=reader.optional_text('sessionId'),
            member=reader.optional_text('member'),
            ip_address=reader.text('ipAddress'),
            user_agent=reader.optional_text('userAgent'),
            created_at=reader.time('createdAt'),
            count=reader.integer('count'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A subscription to events."""

    id: str
    """Id of the webhook."""
    url: str
    """Where events are posted."""
    events: Sequence[EventName]
    """The events it is subscribed to."""
    form: Literal['a', 'b', 'both'] | str
    """The form of its deliveries. More values may be added; a client must accept unknown values."""
    dialect: Literal['primary', 'classic'] | str
    """
    The dialect of the API in which its deliveries are: that of the request that created it. `classic` gives ids a
    prefix, and addresses the name `email`. More values may be added; a client must accept unknown values.
    """
    created_at: datetime
    """When it was created."""
    address_ids: Sequence[str] | None
    """Only events of these addresses are delivered. None for those of all."""
    is_active: bool
    """
    Whether events are delivered. False after five failed attempts in a row for one event, when switched off, and
    while the plan of the account has no webhooks: then it is True again with a plan that has them.
    """
    disabled_at: datetime | None
    """When it was disabled. None while it is active, or paused by the plan."""
    disabled_reason: str | None
    """Why it was disabled, or that the plan has no webhooks. None while it is active."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> Webhook:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'Webhook')
        return cls(
            id=reader.text('id'),
            url=reader.text('url'),
            events=reader.texts('events'),
            form=reader.text('form'),
            dialect=reader.text('dialect'),
            created_at=reader.time('createdAt'),
            address_ids=reader.optional_texts('addressIds'),
            is_active=reader.flag('isActive'),
            disabled_at=reader.optional_time('disabledAt'),
            disabled_reason=reader.optional_text('disabledReason'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookCreated:
    """A webhook as its creation or the rotation of its secret returns it, the only times that a secret is shown."""

    id: str
    """Id of the webhook."""
    url: str
    """Where events are posted."""
    events: Sequence[EventName]
    """The events it is subscribed to."""
    form: Literal['a', 'b', 'both'] | str
    """The form of its deliveries. More values may be added; a client must accept unknown values."""
    dialect: Literal['primary', 'classic'] | str
    """
    The dialect of the API in which its deliveries are: that of the request that created it. `classic` gives ids a
    prefix, and addresses the name `email`. More values may be added; a client must accept unknown values.
    """
    created_at: datetime
    """When it was created."""
    secret: str | None = field(default=None, repr=False)
    """
    The secret that signs deliveries. Keep it safe. Missing where the request was sent again with its
    `Idempotency-Key`; `webhooks.rotate_secret` makes a new one.
    """
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> WebhookCreated:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'WebhookCreated')
        return cls(
            id=reader.text('id'),
            url=reader.text('url'),
            events=reader.texts('events'),
            form=reader.text('form'),
            dialect=reader.text('dialect'),
            created_at=reader.time('createdAt'),
            secret=reader.optional_text('secret'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    """One attempt to deliver an event, made or planned."""

    id: str
    """Id of the delivery, another one for each attempt."""
    event_id: str
    """Id of the event, the same in every attempt."""
    event: EventName
    attempt: int
    """The number of the attempt, from 1."""
    status: Literal['pending', 'succeeded', 'failed'] | str
    """`pending` until the attempt is made. More values may be added; a client must accept unknown values."""
    request_body: str
    """The body of the request, the same in every attempt: its first 4 kB of JSON."""
    response_status: int | None
    """HTTP status of the answer. None when there was none."""
    response_body: str | None
    """The first 4 kB of the answer, fewer where they take more than 4 kB of JSON. None when there was none."""
    duration_ms: int | None
    """Milliseconds that the attempt took."""
    error: str | None
    """Why it failed. None otherwise."""
    due_at: datetime
    """When the attempt is or was due."""
    sent_at: datetime | None
    """When it was made. None before."""
    created_at: datetime
    """When it was planned."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> WebhookDelivery:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'WebhookDelivery')
        return cls(
            id=reader.text('id'),
            event_id=reader.text('eventId'),
            event=reader.text('event'),
            attempt=reader.integer('attempt'),
            status=reader.text('status'),
            request_body=reader.text('requestBody'),
            response_status=reader.optional_integer('responseStatus'),
            response_body=reader.optional_text('responseBody'),
            duration_ms=reader.optional_integer('durationMs'),
            error=reader.optional_text('error'),
            due_at=reader.time('dueAt'),
            sent_at=reader.optional_time('sentAt'),
            created_at=reader.time('createdAt'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailReceivedEvent:
    """An email was received."""

    id: str
    """Id of the event. The same in every attempt, so use it to drop repeats."""
    created_at: datetime
    """When the event occurred."""
    timestamp: int
    """`created_at` in milliseconds since 1970-01-01T00:00:00Z."""
    type: Literal['email.received']
    """The name of the event."""
    event: Literal['email.received']
    """The same as `type`."""
    data: EmailReceivedEventData
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailReceivedEvent:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailReceivedEvent')
        return cls(
            id=reader.text('id'),
            created_at=reader.time('createdAt'),
            timestamp=reader.integer('timestamp'),
            type=reader.constant('type', 'email.received'),
            event=reader.constant('event', 'email.received'),
            data=reader.item('data', EmailReceivedEventData.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailReceivedEventData:
    """An email that was received, in brief. Read the rest by its id."""

    email_id: str
    """Id of the email."""
    address_id: str
    """Id of the address that received it."""
    from_: str
    """
    The sender's address. When the header has none, it is the sender of the envelope. Empty when that has none, too.
    """
    subject: str
    """The subject. Empty when there is none."""
    received_at: datetime
    """When the server took the mail."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailReceivedEventData:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailReceivedEventData')
        return cls(
            email_id=reader.text('emailId'),
            address_id=reader.text('addressId'),
            from_=reader.text('from'),
            subject=reader.text('subject'),
            received_at=reader.time('receivedAt'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailDeletedEvent:
    """An email was deleted."""

    id: str
    """Id of the event. The same in every attempt, so use it to drop repeats."""
    created_at: datetime
    """When the event occurred."""
    timestamp: int
    """`created_at` in milliseconds since 1970-01-01T00:00:00Z."""
    type: Literal['email.deleted']
    """The name of the event."""
    event: Literal['email.deleted']
    """The same as `type`."""
    data: EmailDeletedEventData
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailDeletedEvent:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailDeletedEvent')
        return cls(
            id=reader.text('id'),
            created_at=reader.time('createdAt'),
            timestamp=reader.integer('timestamp'),
            type=reader.constant('type', 'email.deleted'),
            event=reader.constant('event', 'email.deleted'),
            data=reader.item('data', EmailDeletedEventData.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class EmailDeletedEventData:
    """The email that was deleted."""

    email_id: str
    """Id of the email."""
    address_id: str
    """Id of the address that owned it."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> EmailDeletedEventData:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'EmailDeletedEventData')
        return cls(
            email_id=reader.text('emailId'),
            address_id=reader.text('addressId'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressCreatedEvent:
    """An address was created."""

    id: str
    """Id of the event. The same in every attempt, so use it to drop repeats."""
    created_at: datetime
    """When the event occurred."""
    timestamp: int
    """`created_at` in milliseconds since 1970-01-01T00:00:00Z."""
    type: Literal['address.created']
    """The name of the event."""
    event: Literal['address.created']
    """The same as `type`."""
    data: AddressEventData
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AddressCreatedEvent:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AddressCreatedEvent')
        return cls(
            id=reader.text('id'),
            created_at=reader.time('createdAt'),
            timestamp=reader.integer('timestamp'),
            type=reader.constant('type', 'address.created'),
            event=reader.constant('event', 'address.created'),
            data=reader.item('data', AddressEventData.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressExpiredEvent:
    """An address expired."""

    id: str
    """Id of the event. The same in every attempt, so use it to drop repeats."""
    created_at: datetime
    """When the event occurred."""
    timestamp: int
    """`created_at` in milliseconds since 1970-01-01T00:00:00Z."""
    type: Literal['address.expired']
    """The name of the event."""
    event: Literal['address.expired']
    """The same as `type`."""
    data: AddressEventData
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AddressExpiredEvent:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AddressExpiredEvent')
        return cls(
            id=reader.text('id'),
            created_at=reader.time('createdAt'),
            timestamp=reader.integer('timestamp'),
            type=reader.constant('type', 'address.expired'),
            event=reader.constant('event', 'address.expired'),
            data=reader.item('data', AddressEventData.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressDeletedEvent:
    """An address was deleted, with all its emails."""

    id: str
    """Id of the event. The same in every attempt, so use it to drop repeats."""
    created_at: datetime
    """When the event occurred."""
    timestamp: int
    """`created_at` in milliseconds since 1970-01-01T00:00:00Z."""
    type: Literal['address.deleted']
    """The name of the event."""
    event: Literal['address.deleted']
    """The same as `type`."""
    data: AddressEventData
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AddressDeletedEvent:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AddressDeletedEvent')
        return cls(
            id=reader.text('id'),
            created_at=reader.time('createdAt'),
            timestamp=reader.integer('timestamp'),
            type=reader.constant('type', 'address.deleted'),
            event=reader.constant('event', 'address.deleted'),
            data=reader.item('data', AddressEventData.from_json),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressEventData:
    """The address that an event is about."""

    address_id: str
    """Id of the address."""
    address: str
    """The full email address."""
    expires_at: datetime
    """When its lifetime ends or ended."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> AddressEventData:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'AddressEventData')
        return cls(
            address_id=reader.text('addressId'),
            address=reader.text('address'),
            expires_at=reader.time('expiresAt'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """An API key, without its value."""

    id: str
    """Id of the key."""
    name: str
    """Its name."""
    mode: Literal['live', 'test'] | str
    """
    `live` keys work on production data, `test` keys on test data. More values may be added; a client must accept
    unknown values.
    """
    prefix: str | None
    """The beginning of its value. None for keys of the first versions."""
    scopes: Sequence[GrantedScope]
    """The operations that it may call."""
    created_at: datetime
    """When it was created."""
    last_used_at: datetime | None
    """When it was last used, to the minute. None when it was not used."""
    dialect: Literal['primary', 'classic'] | str
    """
    The dialect of the API that its requests speak unless they name one. More values may be added; a client must
    accept unknown values.
    """
    bounds: ApiKeyBounds | None
    """The part of the addresses to which it is confined. None for all of them."""
    expires_at: datetime | None
    """When it ends. None for no end."""
    created_by_key_id: str | None
    """The key that made it, with which it is revoked. None for a key that a person made."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ApiKey:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ApiKey')
        return cls(
            id=reader.text('id'),
            name=reader.text('name'),
            mode=reader.text('mode'),
            prefix=reader.optional_text('prefix'),
            scopes=reader.texts('scopes'),
            created_at=reader.time('createdAt'),
            last_used_at=reader.optional_time('lastUsedAt'),
            dialect=reader.text('dialect'),
            bounds=reader.optional_item('bounds', ApiKeyBounds.from_json),
            expires_at=reader.optional_time('expiresAt'),
            created_by_key_id=reader.optional_text('createdByKeyId'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyBounds:
    """
    The part of the addresses, and of their mail, that a key may use: those that meet each member that is given.
    Operations that are about no address, such as those of webhooks and statistics, are refused.
    """

    address_ids: Sequence[str] | None
    """Addresses by their ids. The key creates none."""
    alias_prefix: str | None
    """The beginning of their aliases. It is also that of an alias that the server chooses for the key."""
    domains: Sequence[str] | None
    """Their domains: verified ones of the account, or the default one."""
    max_addresses: int | None
    """
    Addresses within the bounds that may be active before the key creates another one. Needs `alias_prefix` or
    `domains`. A key that it makes has the same ones, as all count the same addresses, or else some `address_ids`.
    """
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ApiKeyBounds:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ApiKeyBounds')
        return cls(
            address_ids=reader.optional_texts('addressIds'),
            alias_prefix=reader.optional_text('aliasPrefix'),
            domains=reader.optional_texts('domains'),
            max_addresses=reader.optional_integer('maxAddresses'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKeyCreated:
    """A new API key, with its value."""

    id: str
    """Id of the key."""
    name: str
    """Its name."""
    mode: Literal['live', 'test'] | str
    """
    `live` keys work on production data, `test` keys on test data. More values may be added; a client must accept
    unknown values.
    """
    prefix: str | None
    """The beginning of its value. None for keys of the first versions."""
    scopes: Sequence[GrantedScope]
    """The operations that it may call."""
    created_at: datetime
    """When it was created."""
    last_used_at: datetime | None
    """When it was last used, to the minute. None when it was not used."""
    dialect: Literal['primary', 'classic'] | str
    """
    The dialect of the API that its requests speak unless they name one. More values may be added; a client must
    accept unknown values.
    """
    bounds: ApiKeyBounds | None
    """The part of the addresses to which it is confined. None for all of them."""
    expires_at: datetime | None
    """When it ends. None for no end."""
    created_by_key_id: str | None
    """The key that made it, with which it is revoked. None for a key that a person made."""
    key: str | None
    """Its value, which no later answer has."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ApiKeyCreated:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'ApiKeyCreated')
        return cls(
            id=reader.text('id'),
            name=reader.text('name'),
            mode=reader.text('mode'),
            prefix=reader.optional_text('prefix'),
            scopes=reader.texts('scopes'),
            created_at=reader.time('createdAt'),
            last_used_at=reader.optional_time('lastUsedAt'),
            dialect=reader.text('dialect'),
            bounds=reader.optional_item('bounds', ApiKeyBounds.from_json),
            expires_at=reader.optional_time('expiresAt'),
            created_by_key_id=reader.optional_text('createdByKeyId'),
            key=reader.optional_text('key'),
            extra=reader.extra(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DomainChecked:
    """A domain after a check of its DNS records; `message` is the result of the check."""

    id: str
    """Id of the domain."""
    domain: str
    """The domain, in lower case, international names in their `xn--` form."""
    status: Literal['pending', 'verified'] | str
    """
    `verified` once both DNS records were found, until they are missing for five days. More values may be added; a
    client must accept unknown values.
    """
    created_at: datetime
    """When it was added."""
    catch_all_id: str | None
    """The id of the address that gets mail to names that were not issued. None for none."""
    dns_records: DnsRecords
    message: str
    """The result, in a sentence."""
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> DomainChecked:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, 'DomainChecked')
        return cls(
            id=reader.text('id'),
            domain=reader.text('domain'),
            status=reader.text('status'),
            created_at=reader.time('createdAt'),
            catch_all_id=reader.optional_text('catchAllId'),
            dns_records=reader.item('dnsRecords', DnsRecords.from_json),
            message=reader.text('message'),
            extra=reader.extra(),
        )


KnownEvent = (
    EmailReceivedEvent
    | EmailDeletedEvent
    | AddressCreatedEvent
    | AddressExpiredEvent
    | AddressDeletedEvent
)
"""The events that this version of the package knows."""

events_by_type: Mapping[str, type[KnownEvent]] = {
    'email.received': EmailReceivedEvent,
    'email.deleted': EmailDeletedEvent,
    'address.created': AddressCreatedEvent,
    'address.expired': AddressExpiredEvent,
    'address.deleted': AddressDeletedEvent,
}
"""The class of each event."""
