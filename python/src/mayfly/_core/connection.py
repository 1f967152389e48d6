"""Sends the requests of all operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .answer import Answer, ResponseInfo
from .api_error import to_api_error
from .body import has_more_values, limits, max_bytes, max_email_bytes, max_values, parse_json, read_body
from .clock import clock
from .deadline import Cancellation, Cancelled, Deadline, DeadlineExceeded
from .errors import MayflyError, MayflyTimeoutError, NetworkError
from .forks import renew_after_fork
from .hooks import Hooks, RequestEvent, ResponseEvent, RetryEvent
from .http_transport import HttpTransport
from .masking import create_mask
from .network_reason import describe
from .options import check_hooks, check_retries, check_timeout, read_api_key, read_base_url
from .prepare import prepare
from .rate_limit import RateLimit, read_rate_limit
from .request import Request, RequestOptions
from .retry import retry
from .stream import StreamResponse
from .transport import HttpRequest, HttpResponse, Transport

content_types = {'emails.raw': 'message/', 'events.stream': 'text/event-stream'}
"""Beginnings of the content type of answers that are not JSON, by operation."""

T = TypeVar('T')
R = TypeVar('R')
R2 = TypeVar('R2')


class CallOptions(RequestOptions, total=False):
    """Options that the package itself sets."""

    attempt_timeout: float
    """Seconds that one attempt may take. Default: `timeout`, which is for all attempts."""
    max_bytes: int
    """Maximum bytes of JSON in an answer. Default: by the operation."""
    cancellation: Cancellation
    """Ends the call from another thread: the call raises a MayflyError."""
    endless_retries: bool
    """No maximum number of attempts."""


class Connection:
    """One server and one account, for all threads. The API key is in a closure, so a printed client does not show it."""

    def __init__(
        self, api_key: str | None = None, base_url: str | None = None, timeout: float = 30.0, max_retries: int = 2,
        hooks: Hooks | None = None, transport: Transport | None = None,
    ) -> None:
        """:raises MayflyError: when an option cannot be used"""
        key = read_api_key(api_key)
        self.base_url = read_base_url(base_url)
        self.timeout = check_timeout(timeout)
        self.max_retries = check_retries(max_retries)
        self.rate_limit: RateLimit | None = None
        """From the headers of the last answer that had them."""
        self._mask = create_mask(key)
        self._hooks = check_hooks(hooks)
        self._transport: Transport = transport or HttpTransport()
        self._closing = Cancellation()
        renew_after_fork(self._closing)

        def make(request: Request[Any], options: CallOptions) -> HttpRequest:
            return prepare(request, self.base_url, key, options.get('idempotency_key'), options.get('headers') or {})
        self._make = make

    def __repr__(self) -> str:
        return f'Connection({self.base_url!r})'

    def __reduce__(self) -> str:
        raise MayflyError('A client has connections and cannot be pickled. Make one in each process: Mayfly().')

    def call(self, request: Request[T], options: RequestOptions | None = None) -> T:
        """:raises MayflyError: of the kind of the failure"""
        return self.call_with_response(request, options).data

    def call_with_response(self, request: Request[T], options: RequestOptions | None = None) -> Answer[T]:
        """The result with status and headers of its answer. :raises MayflyError: of the kind of the failure"""
        def read(response: HttpResponse, _deadline: Deadline, cancellation: Cancellation) -> Answer[T]:
            data = self._parse(request, response, options)
            self._closing.remove(cancellation)
            request_id = self._mask(response.headers.get('x-request-id', '')) or None
            return Answer(data, ResponseInfo(response.status, response.headers, request_id), self.rate_limit)
        return self._exchange(request, options, read)

    def to_unexpected(self, request: Request[Any], response: ResponseInfo) -> MayflyError:
        """The error of an answer that is not Mayfly's, for callers that read its headers."""
        return self._to_api_error(request, response, b'')

    def open_stream(self, request: Request[Any], options: RequestOptions | None = None) -> StreamResponse:
        """
        Returns as soon as the answer begins, which `timeout` limits; later it limits the time without a byte.
        :raises MayflyError: of the kind of the failure
        """
        read_timeout = check_timeout((options or {}).get('timeout', self.timeout))

        def read(response: HttpResponse, deadline: Deadline, cancellation: Cancellation) -> StreamResponse:
            self._check_type(request, response)

            def guard(read_piece: Callable[[], bytes]) -> bytes:
                try:
                    return read_piece()
                except Exception as error:
                    silent = f'{request.operation}: no byte of the answer arrived within {stream.read_timeout:g} s'
                    raise self._to_error(request, error, silent, cancellation) from self._to_cause(error, None)
            stream = StreamResponse(response, deadline, read_timeout, guard, lambda: self._closing.remove(cancellation))
            return stream
        return self._exchange(request, options, read)

    def close(self) -> None:
        """Ends running calls, and closes the connections. Later calls raise a MayflyError."""
        self._closing.cancel()
        self._transport.close()

    def _exchange(
        self, request: Request[Any], given: RequestOptions | None, read: Callable[[HttpResponse, Deadline, Cancellation], R],
    ) -> R:
        """Sends a call's request until an attempt succeeds. `read` removes the cancellation from `_closing` when the answer is read."""
        options: CallOptions = {**(given or {})}
        seconds = check_timeout(options.get('timeout', self.timeout))
        attempt_seconds = options.get('attempt_timeout', float('inf'))
        retries = float('inf') if options.get('endless_retries') else check_retries(options.get('max_retries', self.max_retries))
        prepared = self._make(request, options)
        url = prepared.url
        deadline = clock.now() + seconds
        cancellation = options.get('cancellation') or Cancellation()
        last_error: Exception | None = None

        def on_retry(attempt: int, error: Exception, delay: float) -> None:
            nonlocal last_error
            last_error = error
            if self._hooks.on_retry:
                self._hooks.on_retry(RetryEvent(request.operation, request.method, url, attempt, error, delay))

        def run(attempt: int) -> R:
            limit = min(deadline - clock.now(), attempt_seconds)
            late = f'{self._no_answer(request)} within {min(seconds, attempt_seconds):g} s'
            event = (request.operation, request.method, url, attempt)
            if self._hooks.on_request:
                self._hooks.on_request(RequestEvent(*event))

            def guard(step: Callable[[], R2]) -> R2:
                try:
                    return step()
                except Exception as error:
                    raise self._to_error(request, error, late, cancellation) from self._to_cause(error, last_error)

            began = clock.now()
            until = Deadline(limit)
            response = guard(lambda: self._transport.send(prepared, until, cancellation))
            try:
                self.rate_limit = read_rate_limit(response.headers) or self.rate_limit
                request_id = self._mask(response.headers.get('x-request-id', '')) or None
                answered = ResponseEvent(*event, response.status, clock.now() - began, request_id)
                for hook in (self._hooks.on_response, options.get('on_response')):
                    if hook:
                        hook(answered)
                if not 200 <= response.status < 300:
                    body = guard(lambda: read_body(response, max_bytes))
                    raise self._to_api_error(request, response, body or b'')
                return guard(lambda: read(response, until, cancellation))
            except BaseException:
                response.close()
                raise

        try:
            self._closing.add(cancellation, cancellation.cancel)
            return retry(run, retries, deadline, cancellation, on_retry)
        except BaseException as error:
            self._closing.remove(cancellation)
            if isinstance(error, Cancelled):  # in a pause, or before the first attempt
                raise MayflyError(self._describe_end(request)) from None
            raise

    def _parse(self, request: Request[T], response: HttpResponse, given: RequestOptions | None) -> T:
        options: CallOptions = {**(given or {})}
        is_json = request.accept == 'application/json'
        limit = options.get('max_bytes', limits.get(request.operation, max_bytes)) if is_json else None
        self._check_type(request, response)
        body = read_body(response, limit)
        if body is None:
            hint = ' emails.raw gives the source of a long email.' if limit == max_email_bytes else ''
            raise self._to_api_error(request, response, b'', f'of more than {limit} bytes, which are not read.{hint}')
        if not is_json:
            return request.parse(body)
        if has_more_values(body, max_values):
            raise self._to_api_error(request, response, b'', f'of more than {max_values} values.')
        try:
            return request.parse(parse_json(body))
        except MayflyError:
            raise
        except Exception:
            # the body is not JSON, or lacks members that an answer of Mayfly has
            raise self._to_api_error(request, response, b'') from None

    def _check_type(self, request: Request[Any], response: HttpResponse) -> None:
        """Of a file or a stream: a web page of a proxy must not pass as one."""
        wanted = content_types.get(request.operation, '')
        if not response.headers.get('content-type', '').lower().startswith(wanted):
            raise self._to_api_error(request, response, b'')

    def _to_error(self, request: Request[Any], error: Exception, late: str, cancellation: Cancellation) -> MayflyError:
        if isinstance(error, Cancelled) or cancellation.ended.is_set():
            return MayflyError(self._describe_end(request))
        if isinstance(error, MayflyError):
            return error
        if isinstance(error, DeadlineExceeded):
            return MayflyTimeoutError(late)
        return NetworkError(f'{self._no_answer(request)}: {self._mask(describe(error))}')

    def _to_cause(self, error: Exception, last_error: Exception | None) -> BaseException | None:
        """Without the API key: an error of the HTTP parser holds text of the server, and a traceback the headers that were sent."""
        if isinstance(error, MayflyError):
            return error.__cause__
        if isinstance(error, (DeadlineExceeded, Cancelled)):
            return last_error
        error.args = tuple(self._mask(value) if isinstance(value, str) else value for value in error.args)
        for name, value in list(vars(error).items()):
            if isinstance(value, str):
                vars(error)[name] = self._mask(value)
        error.__context__ = error.__traceback__ = None
        return error

    def _describe_end(self, request: Request[Any]) -> str:
        return f'{request.operation}: the client is closed' if self._closing.ended.is_set() else f'{request.operation} was cancelled'

    def _to_api_error(self, request: Request[Any], response: HttpResponse | ResponseInfo, body: bytes, *fault: str) -> MayflyError:
        return to_api_error(response.status, response.headers, body, request.operation, self.base_url, self._mask, *fault)

    def _no_answer(self, request: Request[Any]) -> str:
        return self._mask(f'{request.operation} got no answer from {self.base_url}')
