"""Draw figures into files (png, svg, pdf, or gif and apng of the algorithm at work), without any display."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, Namespace, _ArgumentGroup
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kernelviz.cli.points import READING, STANDARD_OUTPUT, add_arguments
from kernelviz.cli.terminal import BAD_INPUT, DONE, NOT_CONVERGED, NOT_WRITTEN, exit_code, progress, remark
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Parameter, nearest, number
from kernelviz.engine.fits.expressions import calls
from kernelviz.runtime.processes import cores, spread
from kernelviz.runtime.streams import complain, say
from kernelviz.scene.qt_check import require_qt
from kernelviz.session.figure_options import FILM_DPI, FILM_SIZE, FigureOptions, size_in_pixels
from kernelviz.session.files.link import is_link
from kernelviz.session.grids import MOST_PANELS
from kernelviz.session.labels import LABEL, LABELS
from kernelviz.session.scripts.command import COMMAND_NAMES
from kernelviz.session.size_presets import PRESETS
from kernelviz.session.sources import Requested
from kernelviz.session.state import MOST_FITS, State, start_up
from kernelviz.session.view import ViewRange
from kernelviz.session.workspaces.base import origin
from kernelviz.session.workspaces.registry import workspaces

if TYPE_CHECKING:
    from kernelviz.scene.export.options import Options


FILMS = (".gif", ".apng", ".html")  # Files with frames; the last is a page that plays.
PRINTED = ("png", "svg", "pdf")  # The formats of figures on standard output.
# The figure options that are arguments of their own; --size has the others.
OPTIONS = [p for p in FigureOptions.parameters() if p.name not in ("width", "height")]


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz render`, those of figures from the declared options."""
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="a data set expression, a file of points, a session, or a PNG with one; repeat for several",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="FIG.{png,svg,pdf,gif,apng,html}",
        help="the figure; with several sources one of all, or a pattern such as figures/{name}.png for one "
        "of each; - for standard output",
    )
    about = f"the format on standard output: {', '.join(PRINTED)} (default: {PRINTED[0]})"
    parser.add_argument("--format", choices=PRINTED, help=about)
    together = "kernel and algorithm together; repeat to compare fits side by side"
    add_arguments(parser, "--kernel", "--algorithm", "--multiclass", "--fit", fit=together)
    add_arguments(parser, *READING, "--test")
    look = parser.add_argument_group("look")
    look.add_argument(
        "--size",
        metavar="WxH",
        help=f"in pixels, or on paper as in 85x80mm, cm or in (default: 1600x1200; {FILM_SIZE} for films)",
    )
    look.add_argument("--preset", metavar="NAME", help=f"a common size: {', '.join(PRESETS)}")
    for parameter in OPTIONS:
        _add_option(look, parameter)
    look.add_argument("--show", default="", metavar="A,B", help="also show, such as slack or grid")
    look.add_argument("--hide", default="", metavar="A,B", help="hide, such as legend or rings")
    look.add_argument(
        "--limits", metavar="L,R,B,T", help="exact limits of the axes: left, right, bottom, top"
    )
    look.add_argument(
        "--views",
        default="",
        metavar="A,B",
        help='insight views to draw as well, as in "loss(hinge=true), gram"',
    )
    look.add_argument(
        "--each", action="store_true", help="also write every panel of a grid as a figure of its own"
    )
    film = parser.add_argument_group("films, and figures that play in a browser (html)")
    film.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="NAME=VALUES",
        help='frames over a parameter, as in "gamma=0.01:100:60", not the steps of the run; repeat for a '
        "second one",
    )
    film.add_argument("--frames", type=int, default=60, help="maximum number of frames (default: 60)")
    film.add_argument(
        "--fps", type=float, help="frames per second (default: 10; fewer if a film lasts under 3 s)"
    )


def _add_option(group: _ArgumentGroup, parameter: Parameter) -> None:
    """Add the argument of a figure option. Its value is None where it is not given."""
    name = COMMAND_NAMES.get(parameter.name, parameter.name)
    option = f"--no-{name}" if parameter.default is True else f"--{name}"
    if parameter.kind.values_are == "truth":
        action = "store_false" if parameter.default else "store_true"
        about = f"leave this out: {parameter.help}" if parameter.default else parameter.help
        group.add_argument(option, action=action, dest=parameter.name, default=None, help=about)
    elif parameter.kind is LABEL or parameter.kind.several:
        metavar = "TEXT" if parameter.kind in (LABEL, LABELS) else "NAME=…"
        action = "append" if parameter.kind.several else "store"
        about = f"{parameter.help}{'; repeat for several' if parameter.kind.several else ''}"
        group.add_argument(
            option, action=action, dest=parameter.name, metavar=metavar, type=_text, help=about
        )
    elif parameter.kind.values_are == "word":
        about = f"{parameter.help} (default: {parameter.default})".strip()
        group.add_argument(option, choices=parameter.options or None, dest=parameter.name, help=about)
    else:
        about = f"{parameter.help or parameter.label} (default: {number(parameter.default)})"
        group.add_argument(option, type=float, dest=parameter.name, metavar="NUMBER", help=about)


def _text(argument: str) -> str:
    """Return what was typed: where the locale has a small alphabet, Python keeps the other letters as bytes,
    and a terminal sends UTF-8."""
    return os.fsencode(argument).decode(errors="replace")


def run(arguments: Namespace) -> int:
    """Draw a figure or film of each source. Every problem is one line; the exit code is that of the worst."""
    require_qt()
    jobs = _jobs(arguments)
    worst = DONE
    for done, outcome in enumerate(draw_all(jobs), start=1):
        if len(jobs) > 1:
            progress(done, len(jobs))
        name = f"{outcome.job.requested.source}: " if len(jobs) > 1 else ""
        if outcome.note:
            remark(f"{name}{outcome.note}")
        if outcome.sentence:
            complain(f"{name}{outcome.sentence}")
        worst = max(worst, outcome.code, key=(DONE, NOT_CONVERGED, BAD_INPUT, NOT_WRITTEN).index)
    return worst


def draw_instead_of_window(file: str | None) -> int:
    """Draw to `kernelviz.png` what the window would have shown, for a machine without a display.

    file: what was asked for on the command line; None draws the start-up example. The answer says where the
    picture is and how to get a window."""
    from kernelviz.scene.export.options import Options

    require_qt()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    picture = "kernelviz.png"  # The figure drawn where there is no display for the window.
    outcome = draw(FigureJob(Requested(file or start_up().document.source), picture, Options()))
    if outcome.code not in (DONE, NOT_CONVERGED):
        complain(outcome.sentence)
        return outcome.code
    path = Path(picture).resolve()
    say(
        f"There is no display, so kernelviz drew {file or 'its start-up example'} to {path}.\n"
        "Start it from a desktop session to open the window, or see: kernelviz render --help\n"
    )
    return DONE


def _jobs(arguments: Namespace) -> list[FigureJob]:
    """Return a job for each source."""
    from kernelviz.scene.export.film_formats import check_film

    check_film(arguments.frames, arguments.fps)
    film = Path(arguments.output).suffix.lower() in FILMS
    outputs = _outputs(arguments.sources, arguments.output, film)
    options = _options(arguments, film)
    if film and (arguments.views or arguments.grid or arguments.each):
        what = "views" if arguments.views else "grid" if arguments.grid else "each"
        raise BadInput(f"A film shows the canvas alone: leave --{what} out, or choose PNG, SVG or PDF.")
    if arguments.sweep and not film:
        raise BadInput("--sweep needs frames: name a file that ends in .html, .gif or .apng.")
    if arguments.each and arguments.output == STANDARD_OUTPUT:
        raise BadInput("--each writes several files: name the first of them.")
    look = partial(
        FigureJob,
        options=options,
        show=known_toggles(arguments.show),
        hide=known_toggles(arguments.hide),
        limits=None if arguments.limits is None else ViewRange.of(arguments.limits),
        views=known_views(arguments.views),
        frames=arguments.frames,
        sweep=tuple(arguments.sweep),
        per_second=arguments.fps,
        format=_format(arguments),
        each=arguments.each,
    )
    most = MOST_FITS if film else MOST_PANELS
    asked = [
        Requested.by({**vars(arguments), "source": source, "most_fits": most}) for source in arguments.sources
    ]
    if len(outputs) == 1:
        return [look(asked[0], outputs[0], beside=tuple(asked[1:]))]
    return [look(requested, output) for requested, output in zip(asked, outputs, strict=True)]


def _format(arguments: Namespace) -> str:
    """Return the format of a figure on standard output. BadInput for pixels on a terminal, and for a file,
    whose name says its format."""
    if arguments.output != STANDARD_OUTPUT:
        if arguments.format is not None:
            raise BadInput("--format is only for -o -; the name of a file gives its format.")
        return ""
    kind = arguments.format or PRINTED[0]
    if kind != "svg" and sys.stdout.isatty():
        raise BadInput(f"A terminal cannot show a {kind.upper()}: redirect standard output, or name a file.")
    return kind


def _outputs(sources: list[str], pattern: str, film: bool) -> list[str]:
    """Return a file name for each source; the pattern's placeholder stands for the name of the source. One
    without a placeholder is that of a figure of all sources.

    Sources of the same name are numbered. BadInput for an unknown format, or for a film of several sources
    without a placeholder."""
    formats = (".png", ".svg", ".pdf", *FILMS)
    if pattern != STANDARD_OUTPUT and Path(pattern).suffix.lower() not in formats:
        raise BadInput(
            f"Figures are written as {', '.join(f[1:] for f in formats)}; {pattern!r} is none of them."
        )
    placeholder = "{name}"
    if placeholder not in pattern:
        if len(sources) > 1 and film:
            raise BadInput(
                f"Several sources need a pattern for their films, such as -o 'films/{placeholder}.gif'."
            )
        return [pattern]
    names = [_name(source) for source in sources]
    numbered = [
        f"{name}-{names[: i + 1].count(name)}" if names.count(name) > 1 else name
        for i, name in enumerate(names)
    ]
    return [pattern.replace(placeholder, name) for name in numbered]


def _name(source: str) -> str:
    """Return a file name for a source: data/iris.csv -> iris, rings(n=20) -> rings-n-20."""
    stem = "link" if is_link(source) else source if "(" in source else Path(source).stem
    return re.sub(r"[^\w.]+", "-", stem).strip("-.")[:80] or "figure"


def _options(arguments: Namespace, film: bool) -> Options:
    """Return the options of the figure: those of the preset or the usual ones, and what was given.

    Films are smaller than figures unless a size or a preset is given."""
    from kernelviz.scene.export.options import Options

    base = Options()
    if arguments.preset is not None:
        if arguments.preset not in PRESETS:
            raise BadInput(f"There is no preset called {arguments.preset!r}. Known: {', '.join(PRESETS)}.")
        base = PRESETS[arguments.preset].applied(base, arguments.dpi)
    elif film:
        width, height = size_in_pixels(FILM_SIZE, FILM_DPI)
        base = base.replace(width=width, height=height, dpi=FILM_DPI)
    given = {p.name: value for p in OPTIONS if (value := getattr(arguments, p.name)) is not None}
    if arguments.size is not None:
        given["width"], given["height"] = size_in_pixels(arguments.size, given.get("dpi", base.dpi))
    return base.replace(**given)


# Drawing, in this process or in others ------------------------------------------------------------------
@dataclass(frozen=True)
class FigureJob:
    """One figure to be drawn. It has only plain values, so that it can be sent to another process."""

    requested: Requested
    output: str
    options: Options
    show: tuple[str, ...] = ()
    hide: tuple[str, ...] = ()
    limits: ViewRange | None = None
    views: tuple[str, ...] = ()
    frames: int = 60
    sweep: tuple[str, ...] = ()
    per_second: float | None = None  # Frames of a film; None for a pace that suits their number.
    format: str = ""  # Of a figure on standard output.
    beside: tuple[Requested, ...] = ()  # Further sources in the same figure.
    each: bool = False  # Whether every panel of a grid is a figure of its own as well.

    def states(self) -> tuple[list[State], str]:
        """Return what is drawn, one state for each source, and sentences about what was done to the data."""
        every = [self.state(requested) for requested in (self.requested, *self.beside)]
        return [state for state, _ in every], " ".join(filter(None, (note for _, note in every)))

    def state(self, requested: Requested | None = None) -> tuple[State, str]:
        """Return what is drawn of a source, the first one unless another is given, and a sentence about what
        was done to the data, or an empty text."""
        state, note = (requested or self.requested).state()
        if "bayes" in self.show:
            made = origin(state.document.source)
            if made is None or made.class_densities(np.zeros((1, 2))) is None:
                raise BadInput(f"{state.document.source or 'This'} has no known Bayes boundary to show.")
        held, look = state.document.held_out, state.look
        # A session shows its own held-out points, or hides them.
        asked = held is not None and held.share is not None and self.requested.test is not None
        set_aside = {"held_out"} if asked else set()
        shown = (look.shown | set_aside | set(self.show)) - set(self.hide)
        look = look.replace(shown=shown, limits=self.limits or look.limits)
        return replace(state, look=look), note


@dataclass(frozen=True)
class JobOutcome:
    """How a job ended: its exit code and, unless it ended well, a sentence."""

    job: FigureJob
    sentence: str = ""
    code: int = DONE
    note: str = ""  # A sentence on changes to the data, if any.


def draw_all(jobs: Sequence[FigureJob]) -> Iterator[JobOutcome]:
    """Do all jobs, several at a time where there are processors, and yield each outcome when it is ready.

    A job whose process is killed has an outcome that says so, and the others are done all the same."""
    most_workers = 3  # Figures drawn at a time: one of 5000 points may need some 650 MB.
    workers = min(len(jobs), cores(), most_workers)
    if workers <= 1:
        yield from map(draw, jobs)
        return
    with closing(spread(draw, jobs, workers, if_lost=_failed)) as outcomes:
        for _, outcome in outcomes:
            yield outcome


def draw(job: FigureJob) -> JobOutcome:
    """Do one job, and return how it ended: nothing is raised, so that one bad source does not end the
    others."""
    from kernelviz.scene.export.playing import write_moving
    from kernelviz.scene.export.sheets import render_each, render_states
    from kernelviz.scene.panels import panel

    try:
        states, note = job.states()
        state = states[0]
        if Path(job.output).suffix.lower() in FILMS:
            count = write_moving(state, job.output, job.options, job.sweep, job.frames, job.per_second)
            alone = f"{state.document.algorithm.name} has no steps to watch: the film has a single frame."
            return JobOutcome(
                job, note=" ".join(filter(None, (note, alone if count == 1 < job.frames else "")))
            )
        panels = [panel(view) for view in job.views]
        printed = BytesIO() if job.output == STANDARD_OUTPUT else None
        models, left_out = render_states(states, printed or job.output, job.options, panels, job.format)
        if job.each:
            render_each(states, job.output, job.options)
        if printed is not None:
            say(printed.getvalue())
        note = " ".join(filter(None, (note, left_out)))
        unfinished = [m.message or f"{str(m.status).capitalize()}." for m in models if not m.converged]
        return JobOutcome(job, " ".join(unfinished), NOT_CONVERGED if unfinished else DONE, note)
    except BadInput as problem:
        return _failed(job, problem)
    except MemoryError:
        return JobOutcome(job, "There is not enough memory for this. Use fewer points or pixels.", BAD_INPUT)


def _failed(job: FigureJob, problem: BadInput) -> JobOutcome:
    """Return the outcome of a job that an error has ended."""
    return JobOutcome(job, str(problem), exit_code(problem))


def known_toggles(names: str) -> tuple[str, ...]:
    """Return the toggles in a text such as "slack, grid"; BadInput names the nearest known one."""
    found = tuple(name.strip().replace("-", "_") for name in names.split(",") if name.strip())
    known = list(dict.fromkeys(name for workspace in workspaces() for name in workspace.toggles))
    for name in found:
        if name not in known:
            raise BadInput(f"There is nothing called {name!r} to show or hide. {nearest(name, known)}")
    return found


def known_views(names: str) -> tuple[str, ...]:
    """Return the views in a text such as "loss(hinge=true), gram"; BadInput for one that cannot be drawn."""
    from kernelviz.scene.panels import panel

    found = tuple(calls(names))
    for name in found:
        panel(name)
    return found
