"""Many figures at once: each source is read, fitted and drawn in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from kernelviz.drawing.export.animation import write_animation
from kernelviz.drawing.export.options import Options
from kernelviz.drawing.export.states import EVERYTHING_SAID, Words, check_plane, render_state, run_frames
from kernelviz.engine.errors import BadInput
from kernelviz.engine.model import Model
from kernelviz.session.preparation import prepared
from kernelviz.session.sources import Asked, open_source
from kernelviz.session.state import (
    TOGGLES,
    Document,
    Look,
    State,
    fitting_view,
)
from kernelviz.terminal import BAD_INPUT, DONE, NOT_CONVERGED, exit_code

__all__ = ["Job", "Outcome", "in_parallel", "render"]

SESSIONS = (".kviz", ".png")
AS_USUAL = Asked()
FILMS = (".gif", ".apng")


@dataclass(frozen=True)
class Job:
    """One figure to be made; only plain values, so that it can travel to another process."""

    source: str
    output: str
    options: Options
    asked: Asked = AS_USUAL
    columns: str | None = None
    standardise: bool = False
    show: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    words: Words = EVERYTHING_SAID
    frames: int = 60
    per_second: float = 10.0


@dataclass(frozen=True)
class Outcome:
    """How a job ended: its exit code and, unless it ended well, a sentence."""

    job: Job
    sentence: str = ""
    code: int = DONE


def render(job: Job) -> Outcome:
    """Do one job."""
    try:
        state = _state(job)
        if Path(job.output).suffix.lower() in FILMS:
            count, frames = run_frames(state, job.options, job.frames, job.words)
            for _ in write_animation(job.output, frames, count, job.per_second):
                pass
            return Outcome(job)
        models = render_state(state, job.output, job.options, job.words)
        sentence = " ".join(filter(None, map(_how_it_ended, models)))
        return Outcome(job, sentence, NOT_CONVERGED if sentence else DONE)
    except BadInput as problem:
        return Outcome(job, str(problem), exit_code(problem))
    except MemoryError:
        return Outcome(job, "There is not enough memory for this. Use fewer points or pixels.", BAD_INPUT)


def _how_it_ended(model: Model) -> str:
    return "" if model.converged else model.message or f"{str(model.status).capitalize()}."


def _state(job: Job) -> State:
    """The state a job's source and its own wishes make."""
    if Path(job.source).suffix.lower() in SESSIONS:
        from kernelviz.session.files import load

        state, _ = load(job.source)
        document, look = state.document, state.look
        fits, active = job.asked.fits_of(document.fits, document.active)
        document = document.replace(fits=fits, active=active)
    else:
        fits, active = job.asked.fits_of()
        chosen = fits[active].algorithm
        source = open_source(job.source, job.columns, chosen)
        data, _ = prepared(source.data, chosen, job.standardise)
        document = Document(data, fits, active, job.source, job.standardise)
        check_plane(data)
        look = Look(view=fitting_view(data))
    return State(document, look.replace(shown=(look.shown | set(job.show)) - set(job.hide)))


def in_parallel(jobs: Sequence[Job], workers: int | None = None) -> Iterator[Outcome]:
    """Do all jobs, as many at a time as there are processors; outcomes arrive as they are ready."""
    workers = min(len(jobs), workers or os.cpu_count() or 1)
    if workers <= 1:
        yield from map(render, jobs)
        return
    # Fresh processes: a copied one would share Qt's and BLAS' threads.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for future in as_completed([pool.submit(render, job) for job in jobs]):
            yield future.result()


def known_toggles(names: str) -> tuple[str, ...]:
    """ "slack, grid" as toggles; BadInput names the nearest known one."""
    from kernelviz.engine.params import nearest

    found = tuple(name.strip().replace("-", "_") for name in names.split(",") if name.strip())
    for name in found:
        if name not in TOGGLES:
            raise BadInput(
                f"There is nothing called {name!r} to show or hide. {nearest(name, list(TOGGLES))}"
            )
    return found
