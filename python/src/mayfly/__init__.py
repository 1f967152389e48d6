"""
The client of Mayfly, the temporary-email service a team can run itself.

    from mayfly import Mayfly

    with Mayfly(api_key='svc_test_…', base_url='http://localhost:3000') as mayfly:
        with mayfly.inboxes.create() as inbox:
            print(f'Sign up with {inbox.address}')
            print(inbox.wait_for_code())
"""

from . import webhooks
from ._async_client import AsyncMayfly
from ._async_events import AsyncSubscription
from ._async_inboxes import AsyncInbox
from ._async_lists import AsyncList, AsyncMayflyList
from ._async_stream import AsyncStream
from ._client import Mayfly
from ._core.answer import Answer, ResponseInfo
from ._core.errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ErrorDetail,
    InvalidRequestError,
    MayflyError,
    MayflyTimeoutError,
    NetworkError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    ServerError,
    UnexpectedAnswerError,
)
from ._core.hooks import Hooks, RequestEvent, ResponseEvent, RetryEvent
from ._core.ids import After
from ._core.rate_limit import RateLimit
from ._core.request import RequestOptions
from ._core.stream import StreamResponse
from ._core.transport import HttpRequest, HttpResponse, Transport
from ._emails import EmailWaitResult
from ._event_operations import MayflyEvent
from ._events import Subscription
from ._file import File
from ._generated.types import (
    Address,
    AddressCreated,
    AddressCreatedEvent,
    AddressDeletedEvent,
    AddressEventData,
    AddressExpiredEvent,
    AddressForwarding,
    Analytics,
    AnalyticsDay,
    Attachment,
    AuditLog,
    Authentication,
    Deleted,
    DkimResult,
    DmarcResult,
    DnsRecords,
    Domain,
    DomainChecked,
    DomainCreated,
    Email,
    EmailChanges,
    EmailDeletedEvent,
    EmailDeletedEventData,
    EmailEnvelope,
    EmailForwarding,
    EmailMarks,
    EmailReceivedEvent,
    EmailReceivedEventData,
    EmailReference,
    EmailReport,
    EmailStatus,
    EmailSummary,
    EmailType,
    EmailUpdated,
    ErrorCode,
    EventName,
    ForwardingAddress,
    ForwardingAddressCreated,
    ForwardingRule,
    Link,
    Message,
    MxRecord,
    Scope,
    SmtpActivity,
    SmtpClient,
    SmtpFault,
    SmtpFaults,
    SmtpLogin,
    SmtpStage,
    SpfResult,
    TxtRecord,
    Webhook,
    WebhookCreated,
    WebhookDelivery,
    WebhookEvent,
    WebhookForm,
)
from ._generated.version import version as __version__
from ._inboxes import Inbox
from ._lists import MayflyList
from ._mail_filters import TextFilter
from ._not_given import NOT_GIVEN, NotGiven
from .webhooks import WebhookVerificationError

__all__ = [
    'Address',
    'AddressCreated',
    'AddressCreatedEvent',
    'AddressDeletedEvent',
    'AddressEventData',
    'AddressExpiredEvent',
    'AddressForwarding',
    'After',
    'Analytics',
    'AnalyticsDay',
    'Answer',
    'ApiError',
    'AsyncInbox',
    'AsyncList',
    'AsyncMayfly',
    'AsyncMayflyList',
    'AsyncStream',
    'AsyncSubscription',
    'Attachment',
    'AuditLog',
    'Authentication',
    'AuthenticationError',
    'ConflictError',
    'Deleted',
    'DkimResult',
    'DmarcResult',
    'DnsRecords',
    'Domain',
    'DomainChecked',
    'DomainCreated',
    'Email',
    'EmailChanges',
    'EmailDeletedEvent',
    'EmailDeletedEventData',
    'EmailEnvelope',
    'EmailForwarding',
    'EmailMarks',
    'EmailReceivedEvent',
    'EmailReceivedEventData',
    'EmailReference',
    'EmailReport',
    'EmailStatus',
    'EmailSummary',
    'EmailType',
    'EmailUpdated',
    'EmailWaitResult',
    'ErrorCode',
    'ErrorDetail',
    'EventName',
    'File',
    'ForwardingAddress',
    'ForwardingAddressCreated',
    'ForwardingRule',
    'Hooks',
    'HttpRequest',
    'HttpResponse',
    'Inbox',
    'InvalidRequestError',
    'Link',
    'Mayfly',
    'MayflyError',
    'MayflyEvent',
    'MayflyList',
    'MayflyTimeoutError',
    'Message',
    'MxRecord',
    'NOT_GIVEN',
    'NetworkError',
    'NotFoundError',
    'NotGiven',
    'PermissionDeniedError',
    'RateLimit',
    'RateLimitError',
    'RequestEvent',
    'RequestOptions',
    'ResponseEvent',
    'ResponseInfo',
    'RetryEvent',
    'Scope',
    'ServerError',
    'SmtpActivity',
    'SmtpClient',
    'SmtpFault',
    'SmtpFaults',
    'SmtpLogin',
    'SmtpStage',
    'SpfResult',
    'StreamResponse',
    'Subscription',
    'TextFilter',
    'Transport',
    'TxtRecord',
    'UnexpectedAnswerError',
    'Webhook',
    'WebhookCreated',
    'WebhookDelivery',
    'WebhookEvent',
    'WebhookForm',
    'WebhookVerificationError',
    '__version__',
    'webhooks',
]

# tracebacks, and the summary of pytest, name errors as programs import them
for _error in [value for value in vars().values() if isinstance(value, type) and issubclass(value, Exception)]:
    _error.__module__ = __name__
