"""Mayfly in a container, for tests: a context manager."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

# takes mail of any app, with any login or none, from any network
environment = {
    'MAYFLY_CATCH_ALL': 'app',  # mail to addresses that no test has issued arrives in app@mail.localhost
    'MAYFLY_CATCH_ALL_NETWORKS': '0.0.0.0/0,::/0',  # the app is outside of the container
    'MAYFLY_SMTP_INSECURE_AUTH': 'true',
    'MAYFLY_RATE_LIMIT': '0',
}


@contextmanager
def mayfly_container(image: str = 'mayfly') -> Iterator[dict[str, str]]:
    """Runs the image of packaging/Dockerfile. Yields the variables that the client and the app under test read."""
    container = DockerContainer(image).with_exposed_ports(3000, 2525)
    for name, value in environment.items():
        container.with_env(name, value)
    container.waiting_for(HttpWaitStrategy(3000, '/readyz').for_status_code(200))
    with container:
        host = container.get_container_host_ip()
        smtp_port = str(container.get_exposed_port(2525))
        yield {
            'MAYFLY_BASE_URL': f'http://{host}:{container.get_exposed_port(3000)}',
            'MAYFLY_API_KEY': _read_key(container.get_logs()[0].decode()),
            'SMTP_HOST': host,
            'SMTP_PORT': smtp_port,
            'SMTP_URL': f'smtp://{host}:{smtp_port}',
        }


def _read_key(log: str) -> str:
    """The log begins with the key of the new database: {"event":"account","account":"owner@mail.localhost","key":"svc_live_…"}."""
    found = re.search(r'"event":"account".*"key":"(svc_live_\w+)"', log)
    if not found:
        raise RuntimeError(f'The container has not shown a key: {log}')
    return found[1]
