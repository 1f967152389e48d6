"""`mayfly.request`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import parse_qs

from ._core.body import max_email_bytes
from ._core.request import Request, RequestOptions
from ._resource import Resource

Dialect = Literal['primary', 'classic']


class RawCalls(Resource):
    """Requests of the caller's own."""

    def request(
        self, method: str, path: str, params: Mapping[str, object] | None, json: object, dialect: Dialect | None,
        options: RequestOptions | None,
    ) -> Any:
        """Sends a request, and returns the decoded JSON of its answer."""
        name, verb = f'{method} {path}', method.upper()
        plain, _, query = path.removeprefix('/api/v1').partition('?')
        values: dict[str, list[object]] = {key: [*items] for key, items in parse_qs(query, keep_blank_values=True).items()}
        for parameter, value in (params or {}).items():
            values.setdefault(parameter, []).append(value)
        request = Request[Any](name, verb, plain, lambda body: body, verb != 'GET', values, json, dialect)
        given = self._with_cancellation(options, name)
        given['max_bytes'] = max_email_bytes
        return self._connection.call(request, given)
