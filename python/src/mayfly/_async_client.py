"""The client for asyncio."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any

from ._async_emails import AsyncEmails
from ._async_events import AsyncEvents
from ._async_inboxes import AsyncInboxes
from ._async_resource import AsyncResource
from ._client import Mayfly
from ._core.hooks import Hooks
from ._core.rate_limit import RateLimit
from ._core.request import RequestOptions
from ._core.transport import Transport
from ._generated import async_resources
from ._raw_calls import Dialect, RawCalls
from ._threads import Threads


class AsyncMayfly:
    """
    The methods of `Mayfly`, to be awaited. Calls run in threads, so that they do not block the event loop; a task that is cancelled ends
    its call.

        async with AsyncMayfly() as mayfly:
            async with await mayfly.inboxes.create() as inbox:
                print(await inbox.wait_for_code())
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
        max_threads: int = 32,
    ) -> None:
        """
        The arguments are those of `Mayfly`. Hooks are called in other threads.

        :param max_threads: Maximum number of calls at a time; others wait for their turn. A wait and a subscription take one each.
        :raises MayflyError: when an option cannot be used
        """
        self._sync = sync = Mayfly(api_key, base_url, timeout, max_retries, hooks, transport, wait_timeout)
        self._threads = threads = Threads(max_threads)
        self._raw_calls = AsyncResource(RawCalls(sync._connection), threads)  # pyright: ignore[reportPrivateUsage]
        self.addresses = async_resources.AsyncAddressesOperations(sync.addresses, threads)
        """Temporary addresses, each with a lifetime."""
        self.emails = AsyncEmails(sync.emails, threads)
        """Mail that the addresses received or sent."""
        self.inboxes = AsyncInboxes(sync.addresses, sync.emails, self.emails, threads)
        """Temporary addresses with methods for their mail, for tests: wait, list, delete."""
        self.domains = async_resources.AsyncDomainsOperations(sync.domains, threads)
        """Custom domains for addresses, verified through DNS records."""
        self.forwarding_addresses = async_resources.AsyncForwardingAddressesOperations(sync.forwarding_addresses, threads)
        """Personal addresses that mail may be forwarded to, once verified."""
        self.forwarding_rules = async_resources.AsyncForwardingRulesOperations(sync.forwarding_rules, threads)
        """For each temporary address a rule with the filters and the target of forwarded mail."""
        self.analytics = async_resources.AsyncAnalyticsOperations(sync.analytics, threads)
        """Counters of the account."""
        self.audit_logs = async_resources.AsyncAuditLogsOperations(sync.audit_logs, threads)
        """The record of every authenticated call of the API."""
        self.webhooks = async_resources.AsyncWebhooksOperations(sync.webhooks, threads)
        """Subscriptions that post events to a server of yours."""
        self.events = AsyncEvents(sync.events, threads)
        """The live stream of the account's events."""
        self.api_keys = async_resources.AsyncApiKeysOperations(sync.api_keys, threads)
        """Keys with at most the rights of the own one, which needs the scope `keys:manage`."""
        self.test = async_resources.AsyncTestOperations(sync.test, threads)
        """Operations for test keys alone."""

    async def request(
        self, method: str, path: str, *, params: Mapping[str, object] | None = None, json: object = None,
        dialect: Dialect | None = None, options: RequestOptions | None = None,
    ) -> Any:
        """Sends a request of your own, and returns the decoded JSON of the answer: see `Mayfly.request`."""
        return await self._raw_calls.run(lambda sync: sync.request(method, path, params, json, dialect, options))

    @property
    def base_url(self) -> str:
        """The URL of the server."""
        return self._sync.base_url

    @property
    def rate_limit(self) -> RateLimit | None:
        """The rate limit, from the last answer. None before the first."""
        return self._sync.rate_limit

    async def aclose(self) -> None:
        """Closes the connections and ends the threads. Calls that are under way end with a MayflyError."""
        self._sync.close()
        self._threads.close()

    async def __aenter__(self) -> AsyncMayfly:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f'AsyncMayfly(base_url={self.base_url!r})'
