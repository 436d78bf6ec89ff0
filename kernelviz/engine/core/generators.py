"""Long work as generators: what they yield is progress, what they return is the result."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Y = TypeVar("Y")
R = TypeVar("R")


class Steps(Generic[Y, R]):
    """What a generator yields, as a plain iterable that keeps what it returns."""

    result: R

    def __init__(self, work: Generator[Y, None, R]) -> None:
        self._work = work

    def __iter__(self) -> Iterator[Y]:
        self.result = yield from self._work


def finished(work: Generator[Y, None, R]) -> R:
    """What a generator returns once it is run to its end."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        result: R = end.value
        return result
