"""The client."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

from ._addresses import Addresses
from ._core.connection import Connection
from ._core.hooks import Hooks
from ._core.rate_limit import RateLimit
from ._core.request import RequestOptions
from ._core.transport import Transport
from ._emails import Emails
from ._event_operations import Events
from ._generated import resources
from ._inboxes import Inboxes
from ._raw_calls import Dialect, RawCalls
from ._seen_mail import SeenMail


class Mayfly:
    """
    A client of one Mayfly server and one account, for any number of threads. Every method raises a `MayflyError` when it fails.

        with Mayfly(api_key='svc_test_…', base_url='http://localhost:3000') as mayfly:
            with mayfly.inboxes.create(expires_in=600) as inbox:
                print(f'Send the code to {inbox.address}')
                print(inbox.wait_for_code())
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float = 30.0,
        max_retries: int = 2,
        hooks: Hooks | None = None,
        transport: Transport | None = None,
        wait_timeout: float = 30.0,
    ) -> None:
        """
        :param api_key: `svc_live_…` or `svc_test_…`. Default: the environment variable `MAYFLY_API_KEY`.
        :param base_url: URL of the server. Default: `MAYFLY_BASE_URL`, else `http://localhost:3000`.
        :param timeout: Seconds that a call may take, with all its attempts and its body.
        :param max_retries: Maximum number of attempts after the first; only transient errors are retried.
        :param hooks: Functions that are called for each request, answer and retry: for logs and measurements.
        :param transport: Sends the requests, in place of HTTP connections: for tests.
        :param wait_timeout: Seconds that a wait for mail without a `timeout` takes: less than the test runner gives to a test.
        :raises MayflyError: when an option cannot be used
        """
        self._connection = Connection(
            api_key=api_key, base_url=base_url, timeout=timeout, max_retries=max_retries, hooks=hooks, transport=transport,
        )
        seen = SeenMail()
        self._raw_calls = RawCalls(self._connection)
        self.addresses = Addresses(self._connection, seen)
        """Temporary addresses, each with a lifetime."""
        self.emails = Emails(self._connection, seen, wait_timeout)
        """Mail that the addresses received or sent."""
        self.inboxes = Inboxes(self.addresses, self.emails)
        """Temporary addresses with methods for their mail, for tests: wait, list, delete."""
        self.domains = resources.DomainsOperations(self._connection)
        """Custom domains for addresses, verified through DNS records."""
        self.forwarding_addresses = resources.ForwardingAddressesOperations(self._connection)
        """Personal addresses that mail may be forwarded to, once verified."""
        self.forwarding_rules = resources.ForwardingRulesOperations(self._connection)
        """For each temporary address a rule with the filters and the target of forwarded mail."""
        self.analytics = resources.AnalyticsOperations(self._connection)
        """Counters of the account."""
        self.audit_logs = resources.AuditLogsOperations(self._connection)
        """The record of every authenticated call of the API."""
        self.webhooks = resources.WebhooksOperations(self._connection)
        """Subscriptions that post events to a server of yours."""
        self.events = Events(self._connection)
        """The live stream of the account's events."""
        self.api_keys = resources.ApiKeysOperations(self._connection)
        """Keys with at most the rights of the own one, which needs the scope `keys:manage`."""
        self.test = resources.TestOperations(self._connection)
        """Operations for test keys alone."""

    def request(
        self, method: str, path: str, *, params: Mapping[str, object] | None = None, json: object = None,
        dialect: Dialect | None = None, options: RequestOptions | None = None,
    ) -> Any:
        """
        Sends a request of your own, with the key, the retries and the errors of the other methods, and returns the decoded JSON of the
        answer unchanged: for the classic dialect, and for what this version does not know.

            body = mayfly.request('POST', '/addresses', json={'expiresIn': 2}, dialect='classic')
            print(body['data']['email'])

        :param path: Such as `/addresses`, with or without `/api/v1`.
        :param params: Parameters of the query. Those that are None are left out.
        :param json: The body.
        :param dialect: Of the request and of its answer. Default: that of the key.
        :returns: None for an answer without a body
        :raises NotFoundError: when the account has nothing at this path
        """
        return self._raw_calls.request(method, path, params, json, dialect, options)

    @property
    def base_url(self) -> str:
        """The URL of the server."""
        return self._connection.base_url

    @property
    def rate_limit(self) -> RateLimit | None:
        """The rate limit, from the last answer. None before the first."""
        return self._connection.rate_limit

    def close(self) -> None:
        """Closes the connections. Calls that are under way end with a MayflyError."""
        self._connection.close()

    def __enter__(self) -> Mayfly:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f'Mayfly(base_url={self.base_url!r})'
