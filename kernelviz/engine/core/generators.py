"""Long computations as generators, which yield progress and return the result.

Every `yield` is a chance to stop. A caller who needs only the result writes `finished(work)`; one who reports
progress iterates over `Steps(work)` and then reads its `result`."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Y = TypeVar("Y")
R = TypeVar("R")


class Steps(Generic[Y, R]):
    """An iterable over the values a generator yields, which keeps the value it returns as `result`.

        steps = Steps(work)
        for share in steps:
            report(share)
        use(steps.result)

    `result` exists once the iteration has come to its end."""

    result: R

    def __init__(self, work: Generator[Y, None, R]) -> None:
        self._work = work

    def __iter__(self) -> Iterator[Y]:
        self.result = yield from self._work


def finished(work: Generator[Y, None, R]) -> R:
    """Run a generator to its end and return its result."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        result: R = end.value
        return result
