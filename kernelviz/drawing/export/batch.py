"""Many figures at once: each source is read, fitted and drawn in a process of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from kernelviz.drawing.export.films import write_animation
from kernelviz.drawing.export.options import Options
from kernelviz.drawing.export.states import (
    EVERYTHING_SAID,
    Words,
    checked_workspace,
    render_state,
    run_frames,
)
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.generators import finished
from kernelviz.engine.models.base import Model
from kernelviz.runtime.processes import cores, spread
from kernelviz.runtime.terminal import BAD_INPUT, DONE, NOT_CONVERGED, exit_code
from kernelviz.session.sources import Asked, Source, open_source
from kernelviz.session.state import Document, State
from kernelviz.session.tables.row_limits import manageable, prepared, standardised
from kernelviz.session.workspaces.registry import workspaces

SESSIONS = (".kviz", ".png")
AS_USUAL = Asked()
FILMS = (".gif", ".apng")
MOST_WORKERS = 3  # Figures at a time: of 5000 points each may need some 650 MB.


@dataclass(frozen=True)
class Job:
    """One figure to be made; only plain values, so that it can travel to another process."""

    source: str
    output: str
    options: Options
    asked: Asked = AS_USUAL
    columns: str | None = None
    standardise: bool = False
    test: str | None = None
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
    note: str = ""  # What was done to the data, if anything.


def render(job: Job) -> Outcome:
    """Do one job."""
    try:
        state, note = _state(job)
        if Path(job.output).suffix.lower() in FILMS:
            count, frames = run_frames(state, job.options, job.frames, job.words)
            finished(write_animation(job.output, frames, count, job.per_second))
            alone = f"{state.document.algorithm.name} has no steps to watch: the film has a single frame."
            return Outcome(job, note=" ".join(filter(None, (note, alone if count == 1 < job.frames else ""))))
        models = render_state(state, job.output, job.options, job.words)
        sentence = " ".join(filter(None, map(_how_it_ended, models)))
        return Outcome(job, sentence, NOT_CONVERGED if sentence else DONE, note)
    except BadInput as problem:
        return _not_made(job, problem)
    except MemoryError:
        return Outcome(job, "There is not enough memory for this. Use fewer points or pixels.", BAD_INPUT)


def _how_it_ended(model: Model) -> str:
    return "" if model.converged else model.message or f"{str(model.status).capitalize()}."


def _state(job: Job) -> tuple[State, str]:
    """The state a job's source and its own options make, and what was done to the data in words."""
    if Path(job.source).suffix.lower() in SESSIONS:
        from kernelviz.session.files.kviz import load

        state, _ = load(job.source)
        document, look = state.document, state.look
        fits, active = job.asked.fits_of(document.data, document.fits, document.active)
        source = Source(document.data, held_out=document.held_out).tested(job.test)
        document = document.replace(fits=fits, active=active, data=source.data, held_out=source.held_out)
        document, note = manageable(document)
    else:
        source = open_source(job.source, job.columns, job.asked.intended(), job.asked.texts)
        fits, active = job.asked.fits_of(source.data)
        source = source.tested(job.test, columns=job.columns)
        data, note = prepared(source.data, fits, job.standardise)
        held = source.held_out
        if held is not None and job.standardise:
            held = held.with_data(standardised(held.data, by=source.data))
        document = Document(data, fits, active, job.source, job.standardise, held)
        look = checked_workspace(data).look(data)
    aside = {"held_out"} if document.held_out is not None and document.held_out.share is not None else set()
    return State(document, look.replace(shown=(look.shown | aside | set(job.show)) - set(job.hide))), note


def in_parallel(jobs: Sequence[Job]) -> Iterator[Outcome]:
    """Do all jobs, several at a time where there are processors; outcomes arrive as they are ready."""
    workers = min(len(jobs), cores(), MOST_WORKERS)
    if workers <= 1:
        yield from map(render, jobs)
        return
    with closing(spread(render, jobs, workers, if_lost=_not_made)) as outcomes:
        for _, outcome in outcomes:
            yield outcome


def _not_made(job: Job, problem: BadInput) -> Outcome:
    return Outcome(job, str(problem), exit_code(problem))


def known_toggles(names: str) -> tuple[str, ...]:
    """ "slack, grid" as toggles; BadInput names the nearest known one."""
    from kernelviz.engine.core.params import nearest

    found = tuple(name.strip().replace("-", "_") for name in names.split(",") if name.strip())
    known = list(dict.fromkeys(name for workspace in workspaces() for name in workspace.toggles))
    for name in found:
        if name not in known:
            raise BadInput(f"There is nothing called {name!r} to show or hide. {nearest(name, known)}")
    return found
