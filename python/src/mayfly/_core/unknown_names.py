"""Errors for misspelled names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .errors import MayflyError


def unknown_name(name: str, known: Iterable[str], text: str, *, is_listed: bool = False) -> MayflyError:
    """
    The error of an unknown name, with the nearest known one.
    :param text: its beginning
    :param is_listed: whether it lists all known names, also when one is near
    """
    given = _letters(name)
    costs = sorted(((_cost_of(given, _letters(each)), each) for each in known), key=lambda pair: pair[0])
    cost, nearest = costs[0]
    is_near = cost * 3 <= len(given) + 2  # at most a third of the letters is wrong, rounded up
    hint = f' Did you mean {nearest}?' if is_near else ''
    names = f' Known are {", ".join(each for _, each in costs)}.' if is_listed or not is_near else ''
    return MayflyError(f'{text} {name}.{hint}{names}')


def _letters(name: str) -> str:
    """A name without its case and its separators: `baseUrl` and `base_url` are the same."""
    return re.sub('[^a-z0-9]', '', name.lower())


def _cost_of(given: str, known: str) -> float:
    """The edit distance of two names; small where one contains the other, as `max_retries` contains `retries`."""
    if len(given) > 2 and given in known:
        return (len(known) - len(given)) / 99  # below 1: less than one wrong letter
    row = list(range(len(known) + 1))
    for letter in given:
        above = row
        row = [above[0] + 1]
        for i, other in enumerate(known):
            row.append(min(above[i + 1] + 1, row[i] + 1, above[i] + (letter != other)))
    return row[-1]
