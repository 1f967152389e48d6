"""Repeats attempts after transient errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .clock import clock
from .deadline import Cancellation
from .errors import ApiError, MayflyTimeoutError, NetworkError

T = TypeVar('T')

min_pause = 0.5
"""Minimum seconds between two requests, also when the server asks for 0."""
max_pause = 8.0
last_attempt = 0.25
"""Seconds before the deadline at which the last attempt begins."""
permanent = frozenset({501, 505, 507})
"""Statuses of 500 and above after which the next attempt fails, too."""


def retry(
    run: Callable[[int], T], max_retries: float, deadline: float, cancellation: Cancellation,
    on_retry: Callable[[int, Exception, float], None],
) -> T:
    """
    Repeats `run` after transient errors until it succeeds.
    :param max_retries: attempts after the first
    :param deadline: the value of `clock.now()` at which the call ends
    :raises Exception: the last error
    """
    attempt = 1
    while True:
        began = clock.now()
        try:
            return run(attempt)
        except Exception as error:
            left = deadline - clock.now()
            # counted from the start of the attempt: a long wait whose connection broke is repeated soon
            own = min(left - last_attempt, max(0.0, backoff(attempt) - clock.now() + began)) if left > last_attempt else left
            after = error.retry_after if isinstance(error, ApiError) else None
            delay = own if after is None else max(min_pause, after)
            if attempt > max_retries or not is_transient(error) or delay >= left:
                raise
            on_retry(attempt, error, delay)
        clock.sleep(delay, cancellation.ended)
        cancellation.check()
        attempt += 1


def is_transient(error: BaseException) -> bool:
    """Whether the next attempt may succeed: the network failed, a time-out, 408, 429, or a 5xx other than 501, 505 and 507."""
    if isinstance(error, ApiError):
        return error.status not in permanent if error.status >= 500 else error.status in (408, 429)
    return isinstance(error, (NetworkError, MayflyTimeoutError))


def backoff(failures: int) -> float:
    """Seconds before the next attempt, half of them random, so that the clients of a restarted server do not return all at once."""
    return min(max_pause, min_pause * 2 ** min(failures - 1, 10)) * (0.5 + clock.random() / 2)
