"""How the present fit comes about, step by step, run beside the live result when nobody is in a hurry."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from time import perf_counter

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.core.generators import Steps
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.solvers.linear.descent import SideBySide
from kernelviz.runtime.jobs import Beat
from kernelviz.runtime.trace import Recorder, Trace

MOST_STEPS = 20_000
MOST_SECONDS = 4.0  # A course that is longer is shown as far as it came.


class CourseRun:
    """Runs `algorithm.steps` to its end; `so_far` may be asked at any time."""

    def __init__(self, algorithm: Algorithm, problem: Problem) -> None:
        self.algorithm, self.problem = algorithm, problem
        self._recorder = Recorder()
        self.so_far: Trace = self._recorder.trace()

    def work(self, beat: Beat) -> Generator[float, None, Trace]:
        """Work for `Jobs`; the share done is that of the time it may take."""
        # The worker may go on to change what the problem remembers, such as its Gram matrix.
        own = Problem(self.problem.data, self.problem.kernel)
        began = told = perf_counter()
        for step, iterate in enumerate(self.algorithm.steps(own)):
            self._recorder.see(step, iterate)
            beat()
            now = perf_counter()
            if now - told > 0.1:
                told, self.so_far = now, self._recorder.trace()
                yield min(1.0, (now - began) / MOST_SECONDS)
            if step >= MOST_STEPS or now - began > MOST_SECONDS:
                break
        self.so_far = self._recorder.trace()
        beside = self._beside(own, beat)
        self.so_far = replace(self.so_far, beside=beside)
        return self.so_far

    def _beside(self, problem: Problem, beat: Beat) -> SideBySide | None:
        """The same run in explicit features, if it comes to an end in time."""
        work, began = self.algorithm.in_features(problem), perf_counter()
        if work is None:
            return None
        steps = Steps(work)
        for _ in steps:
            beat()
            if perf_counter() - began > MOST_SECONDS:
                return None
        found: SideBySide | None = steps.result
        return found
