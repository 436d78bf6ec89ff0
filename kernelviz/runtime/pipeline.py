"""From a request to frames: fit and sample, step by step or to the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from time import perf_counter

from kernelviz.engine.algorithms.base import Algorithm, Iterate
from kernelviz.engine.analysis.functions import bump_between_points
from kernelviz.engine.fits.solve import algorithm_for, can_be_polished, polished
from kernelviz.engine.kernels.mercer import MOST_JUDGED, Mercer, mercer
from kernelviz.engine.models.problem import Problem, compute_gram
from kernelviz.engine.numbers.bounds import mistakes_at_most
from kernelviz.engine.numbers.of_fit import ResidualTable, on_held_out, residual_table
from kernelviz.runtime.messages import Answer, Frame, Pause, Progress, Request, Verdict
from kernelviz.runtime.runs import Playback, Trace, TraceRecorder

FRAME_SECONDS = 0.028  # A sample slower than this is first shown coarsely.
SECONDS_BETWEEN_FRAMES = 0.03  # Seconds of stepping between two frames of a long run.
LONG = 0.3  # Seconds of solving between two reports of progress.


@dataclass(frozen=True)
class Solved:
    """The last optimum and how it was found."""

    algorithm: Algorithm
    iterate: Iterate
    trace: Trace
    seconds: float
    polished: bool = False  # Whether it was solved to full precision.

    def answers(self, algorithm: Algorithm, problem: Problem) -> bool:
        """Return True if it is the optimum of this problem."""
        return _same(self.algorithm, self.iterate.model.problem, algorithm, problem)


@dataclass
class FitCache:
    """The worker's memory of a fit between requests.

    It has the last optimum to start from, the run being watched, the last inputs that were compared, and how
    long the last sample took."""

    posed: tuple[Algorithm, Problem] | None = None
    gathered: Problem | None = None  # The last problem whose inputs were all compared.
    solved: Solved | None = None
    playback: Playback | None = None
    sample_seconds: float = 0.0
    sampled_kernel: type | None = None


def answers(request: Request, fit: int, memory: FitCache) -> Iterator[Answer | None]:
    """Yield the pictures of one fit of the request, the best one last; None wherever it may be cancelled.

    First the inputs are compared, which takes long for strings; then the problem is solved from the last
    optimum on, or stepped to where the user watches; then the model is sampled, coarsely first if that takes
    longer than a frame."""
    chosen = request.fits[fit]
    problem = Problem(request.data, chosen.kernel)
    algorithm = algorithm_for(request.data, chosen.algorithm)
    memory.posed = algorithm, problem
    algorithm.check(problem)
    run = memory.playback
    if run is not None and not _same(run.algorithm, run.problem, algorithm, problem):
        memory.playback = None  # frees its matrix and all its steps
    yield from _gather(request, problem, memory)
    if request.step is None:
        yield from _optimum(request, fit, algorithm, problem, memory)
    else:
        yield from _watched(request, fit, algorithm, problem, memory)


def polish(request: Request, fit: int, memory: FitCache) -> Iterator[Answer | Pause | None]:
    """Yield the same picture solved to full precision, once the user stops editing."""
    solved = memory.solved
    if request.step is not None or solved is None or solved.polished:
        return
    if not can_be_polished(solved.iterate.model):
        return
    yield Pause.LATER
    began = perf_counter()
    better = yield from polished(solved.iterate.model)
    seconds = solved.seconds + perf_counter() - began
    last = replace(solved.iterate, model=better)
    memory.solved = replace(solved, iterate=last, seconds=seconds, polished=True)
    yield from _frames(request, fit, last, last.step, solved.trace, seconds, memory)


def afterwards(request: Request, memory: FitCache) -> Iterator[Answer | Pause | None]:
    """Yield the verdict on the active fit, after its picture."""
    if memory.posed is None or not request.verdict:
        return
    algorithm, problem = memory.posed
    if problem.n:
        yield Pause.LATER
        verdict = _verdict(problem)
        yield None
        bound = mistakes_at_most(algorithm, problem)
        yield None
        residuals = _residuals(memory, algorithm, problem)
        yield None
        yield Verdict(request, verdict, bound, residuals, bump_between_points(algorithm, problem))


def active_answers(request: Request) -> tuple[Frame | None, Verdict | None]:
    """Return the final frame of the active fit, and the verdict if the request asks for one."""
    memory, fit = FitCache(), request.active
    frame, verdict = None, None
    for answer in chain(
        answers(request, fit, memory), afterwards(request, memory), polish(request, fit, memory)
    ):
        if isinstance(answer, Frame):
            frame = answer
        elif isinstance(answer, Verdict):
            verdict = answer
    return frame, verdict


def _verdict(problem: Problem) -> Mercer:
    """Return Mercer's check of the first points: the matrix of very many would not fit into memory."""
    if problem.n <= MOST_JUDGED:
        return mercer(problem.gram)
    return mercer(problem.kernel(problem.data.subset(slice(MOST_JUDGED)).X), problem.n)


def _residuals(memory: FitCache, algorithm: Algorithm, problem: Problem) -> ResidualTable | None:
    """Return leverage and leave-one-out residuals of the optimum; None for too many points for a matrix."""
    solved = memory.solved
    if solved is None or not solved.answers(algorithm, problem) or problem.n > MOST_JUDGED:
        return None
    return residual_table(solved.iterate.model)


def _gather(request: Request, problem: Problem, memory: FitCache) -> Iterator[Answer | None]:
    """Compare inputs that take long in parts, with progress, and never twice."""
    reported = perf_counter()
    for share in compute_gram(problem, memory.gathered):
        if perf_counter() - reported > LONG:
            yield Progress(request, f"{problem.data.noun}s compared: {100 * share:.0f} %")
            reported = perf_counter()
        yield None
    memory.gathered = problem


def _optimum(
    request: Request, fit: int, algorithm: Algorithm, problem: Problem, memory: FitCache
) -> Iterator[Answer | None]:
    """Solve the problem, from the last optimum on, and yield its picture."""
    solved = memory.solved
    if solved is None or not solved.answers(algorithm, problem):
        began = reported = perf_counter()
        recorder = TraceRecorder()
        iterate: Iterate | None = None
        for iterate in algorithm.solve(problem, solved.iterate.model if solved else None):
            recorder.see(iterate.step, iterate)
            if not iterate.done and perf_counter() - reported > LONG:
                yield Progress(request, iterate.model.message)
                reported = perf_counter()
            yield None
        assert iterate is not None
        solved = Solved(algorithm, iterate, recorder.trace(), perf_counter() - began)
        memory.solved = solved
    # For another view of the same problem the optimum, and the time it took, are known.
    last = solved.iterate
    yield from _frames(request, fit, last, last.step, solved.trace, solved.seconds, memory)


def _watched(
    request: Request, fit: int, algorithm: Algorithm, problem: Problem, memory: FitCache
) -> Iterator[Answer | None]:
    """Yield the pictures on the way to the step that the request asks for."""
    step = request.step
    assert step is not None
    began = perf_counter()
    run = memory.playback
    if run is None:
        run = memory.playback = Playback(algorithm, problem)
    shown = began
    position, iterate = -1, None
    for position, iterate in run.go(step):
        if perf_counter() - shown > SECONDS_BETWEEN_FRAMES and position != step:
            yield from _frames(request, fit, iterate, position, run.trace(), perf_counter() - began, memory)
            shown = perf_counter()
        yield None
    assert iterate is not None
    yield from _frames(request, fit, iterate, position, run.trace(), perf_counter() - began, memory)


def _same(known: Algorithm, posed: Problem, algorithm: Algorithm, problem: Problem) -> bool:
    """Return True if a known algorithm and problem are these: equal settings, and the very same data."""
    return known == algorithm and posed.data is problem.data and posed.kernel == problem.kernel


def _frames(
    request: Request, fit: int, iterate: Iterate, step: int, trace: Trace, seconds: float, memory: FitCache
) -> Iterator[Answer | None]:
    """Yield the picture of one iterate, a coarse one first when the full sample takes longer than a frame."""
    coarse = 4
    model = iterate.model
    kernel = type(model.problem.kernel)
    slow = memory.sampled_kernel is kernel and memory.sample_seconds > FRAME_SECONDS
    _ = model.numbers  # computed here, so that the window finds them ready
    test = on_held_out(model, request.held_out) if request.held_out is not None else None
    for coarser in (coarse, 1) if slow else (1,):
        began = perf_counter()
        sample = yield from request.sampling.sample(model, coarser)
        if coarser == 1:
            memory.sampled_kernel, memory.sample_seconds = kernel, perf_counter() - began
        yield Frame(
            request=request,
            fit=fit,
            model=model,
            sample=sample,
            test=test,
            trace=trace,
            step=step,
            change=iterate.change,
            finished=iterate.done,
            refined=coarser == 1,
            seconds=seconds,
        )
