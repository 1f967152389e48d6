"""Stands for the package testcontainers on a machine without Docker: a container is a process of the program CONTAINER_PROGRAM."""

from __future__ import annotations

import json
import os
import re
import subprocess
import urllib.request

from testcontainers.core.wait_strategies import HttpWaitStrategy


class DockerContainer:
    def __init__(self, image: str) -> None:
        self._variables = {name: value for name, value in os.environ.items() if name == 'PATH' or name.startswith(('MAYFLY_', 'NODE_COMPILE'))}

    def with_exposed_ports(self, *ports: int) -> DockerContainer:
        self._ports = ports
        return self

    def with_env(self, name: str, value: str) -> DockerContainer:
        self._variables[name] = value
        return self

    def waiting_for(self, strategy: HttpWaitStrategy) -> DockerContainer:
        self._strategy = strategy
        return self

    def __enter__(self) -> DockerContainer:
        self._process = subprocess.Popen(json.loads(os.environ['CONTAINER_PROGRAM']), env=self._variables, stdout=subprocess.PIPE)
        self._log = b''
        while b'"event":"listening"' not in self._log:
            self._log += self._process.stdout.readline()
        url = f'http://127.0.0.1:{self.get_exposed_port(self._strategy.port)}{self._strategy.path}'
        urllib.request.urlopen(url).close()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def get_container_host_ip(self) -> str:
        return '127.0.0.1'

    def get_exposed_port(self, port: int) -> int:
        assert port in self._ports
        name = {3000: b'http', 2525: b'smtp'}[port]
        return int(re.search(rb'"%s":"[^"]*:(\d+)"' % name, self._log)[1])

    def get_logs(self) -> tuple[bytes, bytes]:
        return self._log, b''
