"""The parts of pytest that this package and its tests use, so that pyright needs no installation of it."""

from collections.abc import Callable, Iterable
from typing import Literal, NoReturn, TypeVar, overload

F = TypeVar('F', bound=Callable[..., object])

@overload
def fixture(function: F, /) -> F: ...
@overload
def fixture(*, scope: Literal['function', 'class', 'module', 'package', 'session'] = ...) -> Callable[[F], F]: ...

def fail(reason: str, pytrace: bool = ...) -> NoReturn: ...

class _Mark:
    def parametrize(self, names: str, values: Iterable[object]) -> Callable[[F], F]: ...

mark: _Mark
