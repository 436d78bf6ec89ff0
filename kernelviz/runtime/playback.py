"""Walking an algorithm forward and back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.problem import Problem
from kernelviz.runtime.trace import Recorder, Trace

__all__ = ["Playback"]

KEPT = 2000
"""Iterates of a few hundred points that stay in memory."""
BYTES_OF_ITERATES = 64e6
"""Bytes the kept iterates may take together, about."""
SIZE = 32
"""Bytes of an iterate for each point: weights, scores and what is derived from them."""


class Playback:
    """One run of `algorithm.steps`, at any step on demand.

    The last `KEPT` iterates stay in memory, of many points fewer; going further back replays the run from
    its start, which gives the same steps again because algorithms are deterministic."""

    def __init__(self, algorithm: Algorithm, problem: Problem) -> None:
        self.algorithm = algorithm
        self.problem = problem
        self._restart()

    def _restart(self) -> None:
        self._run = self.algorithm.steps(self.problem)
        kept = int(BYTES_OF_ITERATES / (SIZE * max(1, self.problem.n)))
        self._kept: deque[Iterate] = deque(maxlen=max(1, min(KEPT, kept)))
        self._seen = 0
        self._recorder = Recorder()

    def go(self, step: int) -> Iterator[tuple[int, Iterate]]:
        """Every position passed on the way to `step`; the last one yielded is it, or the algorithm's end."""
        first_kept = self._seen - len(self._kept)
        if step < first_kept:
            self._restart()
        if step < self._seen:
            yield step, self._kept[step - (self._seen - len(self._kept))]
            return
        for iterate in self._run:
            self._kept.append(iterate)
            self._seen += 1
            self._recorder.see(self._seen - 1, iterate)
            yield self._seen - 1, iterate
            if self._seen > step:
                return
        if self._kept:
            yield self._seen - 1, self._kept[-1]

    def trace(self) -> Trace:
        """The whole course seen so far."""
        return self._recorder.trace()
