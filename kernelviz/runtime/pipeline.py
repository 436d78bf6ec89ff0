"""From a request to its frames: fit, field, contours. Every `yield` is a chance to be abandoned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.analysis.mercer import ENOUGH, Mercer, mercer
from kernelviz.engine.analysis.points import point_table
from kernelviz.engine.arrays import Array
from kernelviz.engine.data import Task
from kernelviz.engine.fields.contours import nice_levels, quick_contours
from kernelviz.engine.fitting import algorithm_for
from kernelviz.engine.model import Model
from kernelviz.engine.problem import Problem
from kernelviz.engine.solvers.mistake_driven import MistakeDriven
from kernelviz.runtime.messages import Answer, Frame, Pause, Request, Verdict
from kernelviz.runtime.playback import Playback
from kernelviz.runtime.trace import Recorder, Trace

__all__ = ["Memory", "answers"]

FRAME_SECONDS = 0.025
"""A field slower than this is first shown coarsely."""
COARSE = 4
PATIENCE = 0.03
"""Seconds of stepping between two frames of a long run."""


@dataclass(frozen=True)
class Solved:
    """The last optimum and how it was reached."""

    algorithm: Algorithm
    iterate: Iterate
    trace: Trace
    seconds: float

    def answers(self, algorithm: Algorithm, problem: Problem) -> bool:
        return _same(self.algorithm, self.iterate.model.problem, algorithm, problem)


@dataclass
class Memory:
    """What the worker remembers between requests: the last optimum to start from, the run being watched."""

    solved: Solved | None = None
    playback: Playback | None = None
    field_seconds: float = 0.0
    field_kernel: type | None = None


def answers(request: Request, memory: Memory) -> Iterator[Answer | Pause | None]:
    """The answers to a request, the best last; None between them wherever it may be abandoned."""
    problem = Problem(request.data, request.kernel)
    algorithm = algorithm_for(request.data, request.algorithm)
    algorithm.check(problem)
    run = memory.playback
    if run is not None and not _same(run.algorithm, run.problem, algorithm, problem):
        memory.playback = None  # with its matrix and all its steps
    if request.step is None:
        yield from _optimum(request, algorithm, problem, memory)
    else:
        yield from _watched(request, algorithm, problem, request.step, memory)
    if request.verdict and problem.n:
        yield Pause.LATER
        verdict = _verdict(problem)
        yield None
        yield Verdict(request, verdict, _mistake_bound(algorithm, problem))


def _verdict(problem: Problem) -> Mercer:
    """Mercer's check on as many points as it looks at: of very many the whole matrix would not fit."""
    if problem.n <= ENOUGH:
        return mercer(problem.gram)
    return mercer(problem.kernel(problem.data.subset(slice(ENOUGH)).X), problem.n)


def _mistake_bound(algorithm: Algorithm, problem: Problem) -> float | None:
    if not isinstance(algorithm, MistakeDriven) or problem.n > ENOUGH:
        return None
    try:
        return algorithm.mistake_bound(problem)
    except (RuntimeError, np.linalg.LinAlgError):  # not found in time, or no numbers to find it with
        return None


def _optimum(
    request: Request, algorithm: Algorithm, problem: Problem, memory: Memory
) -> Iterator[Answer | None]:
    solved = memory.solved
    if solved is None or not solved.answers(algorithm, problem):
        began = perf_counter()
        recorder = Recorder()
        iterate: Iterate | None = None
        for iterate in algorithm.solve(problem, solved.iterate.model if solved else None):
            recorder.see(iterate.step, iterate)
            yield None
        assert iterate is not None
        solved = Solved(algorithm, iterate, recorder.trace(), perf_counter() - began)
        memory.solved = solved
    # Another view of the same problem: its optimum, and how long it took to find, are known.
    yield from _frames(request, solved.iterate, solved.iterate.step, solved.trace, solved.seconds, memory)


def _watched(
    request: Request, algorithm: Algorithm, problem: Problem, step: int, memory: Memory
) -> Iterator[Answer | None]:
    began = perf_counter()
    run = memory.playback
    if run is None:
        run = memory.playback = Playback(algorithm, problem)
    shown = began
    position, iterate = -1, None
    for position, iterate in run.go(step):
        if perf_counter() - shown > PATIENCE and position != step:
            yield from _frames(request, iterate, position, run.trace(), perf_counter() - began, memory)
            shown = perf_counter()
        yield None
    assert iterate is not None
    yield from _frames(request, iterate, position, run.trace(), perf_counter() - began, memory)


def _same(known: Algorithm, posed: Problem, algorithm: Algorithm, problem: Problem) -> bool:
    return known == algorithm and posed.data is problem.data and posed.kernel == problem.kernel


def _frames(
    request: Request, iterate: Iterate, step: int, trace: Trace, seconds: float, memory: Memory
) -> Iterator[Answer | None]:
    """The picture of one iterate, coarse first when the full field would miss the frame."""
    kernel, model = type(request.kernel), iterate.model
    slow = memory.field_kernel is kernel and memory.field_seconds > FRAME_SECONDS
    _ = model.numbers  # computed here, so that the window finds them ready
    table = point_table(model)
    for factor in (COARSE, 1) if slow else (1,):
        x1, x2 = request.grid.axes(factor)
        began = perf_counter()
        F = _field(model, x1, x2)
        if factor == 1:
            memory.field_kernel, memory.field_seconds = kernel, perf_counter() - began
        yield None
        lines = () if F is None or F.ndim != 2 else quick_contours(x1, x2, F, nice_levels(F))
        yield Frame(
            request=request,
            model=model,
            x1=x1,
            x2=x2,
            field=F,
            lines=lines,
            table=table,
            trace=trace,
            step=step,
            change=iterate.change,
            finished=iterate.done,
            refined=factor == 1,
            seconds=seconds,
        )


def _field(model: Model, x1: Array, x2: Array) -> Array | None:
    data = model.problem.data
    if data.task is Task.REGRESSION or np.ndim(data.X) != 2 or data.X.shape[1] != 2:
        return None
    F = model.on_grid(x1, x2)
    F.flags.writeable = False
    return F
