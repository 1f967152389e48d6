"""Time and random numbers, which tests replace."""

from __future__ import annotations

import random as _random
import threading
import time
from datetime import datetime, timezone


class Clock:
    def now(self) -> float:
        """Seconds since a fixed time, never decreasing."""
        return time.monotonic()

    def today(self) -> datetime:
        """The time of day, with UTC."""
        return datetime.now(timezone.utc)

    def random(self) -> float:
        """From 0 up to, but not including, 1."""
        return _random.random()

    def sleep(self, seconds: float, ended: threading.Event) -> None:
        """Returns after the time, or as soon as `ended` is set."""
        ended.wait(max(0.0, min(seconds, threading.TIMEOUT_MAX)))


class ClockHolder:
    """The clock of the package; tests set `clock.current`."""

    current: Clock = Clock()

    def now(self) -> float:
        return self.current.now()

    def today(self) -> datetime:
        return self.current.today()

    def random(self) -> float:
        return self.current.random()

    def sleep(self, seconds: float, ended: threading.Event) -> None:
        self.current.sleep(seconds, ended)


clock = ClockHolder()
