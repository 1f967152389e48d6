"""Renews what a child process of `os.fork` must not share with its parent."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Forked(Protocol):
    def after_fork(self) -> None:
        """Called in a child process: replaces locks, which another thread may have held, and drops the connections of the parent."""
        ...


_known: weakref.WeakSet[Forked] = weakref.WeakSet()


def renew_after_fork(value: Forked) -> None:
    """Calls `value.after_fork()` in each child process, as long as `value` exists."""
    _known.add(value)


def _renew_all() -> None:
    for value in list(_known):
        value.after_fork()


if hasattr(os, 'register_at_fork'):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_renew_all)
