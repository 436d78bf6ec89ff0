"""Draw figures into files (png, svg, pdf, or gif and apng of the algorithm at work), without any display."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.terminal import BAD_INPUT, DONE, NOT_CONVERGED, NOT_WRITTEN, complain, progress

if TYPE_CHECKING:
    from kernelviz.drawing.export.batch import Job, Outcome
    from kernelviz.drawing.export.options import Options


FORMATS = (".png", ".svg", ".pdf", ".gif", ".apng")
PLACEHOLDER = "{name}"
FILM_SIZE = "800x600"
FILM_DPI = 100.0


def configure(parser: ArgumentParser) -> None:
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
        metavar="FIG.{png,svg,pdf,gif}",
        help='the figure; with several sources a pattern such as "figures/{name}.png"',
    )
    parser.add_argument("--kernel", metavar="EXPR", help="(default: the session's, or as usual for the data)")
    parser.add_argument(
        "--algorithm", metavar="EXPR", help="(default: the session's, or as usual for the data)"
    )
    parser.add_argument(
        "--fit",
        action="append",
        default=[],
        metavar="KERNEL ; ALGORITHM",
        help="kernel and algorithm together; repeat to compare fits side by side",
    )
    parser.add_argument("--columns", metavar="A,B,LABEL", help="columns of a file, the label last")
    parser.add_argument("--standardise", action="store_true", help="scale each coordinate first")
    parser.add_argument(
        "--test", metavar="SHARE|SOURCE", help="points to test on: a share such as 0.3, or other data"
    )
    look = parser.add_argument_group("look")
    look.add_argument("--size", metavar="WxH", help=f"pixels (default: 1600x1200; {FILM_SIZE} for films)")
    look.add_argument("--dpi", type=float, help=f"pixels per inch (default: 200; {FILM_DPI:g} for films)")
    look.add_argument("--preset", metavar="NAME", help="one-column, two-columns, slide or poster")
    look.add_argument("--theme", choices=("light", "dark", "high-contrast"), default="light")
    look.add_argument("--text", type=float, metavar="POINTS", help="size of the type (default: 9)")
    look.add_argument("--lines", type=float, metavar="FACTOR", help="scale of lines and glyphs (default: 1)")
    look.add_argument("--transparent", action="store_true", help="no paper behind the figure")
    look.add_argument("--outlines", action="store_true", help="text of an SVG as shapes")
    look.add_argument("--title", default="", help="a heading")
    look.add_argument("--no-formula", action="store_true", help="leave the kernel's formula out")
    look.add_argument("--no-caption", action="store_true", help="leave the line with the parameters out")
    look.add_argument("--show", default="", metavar="A,B", help="also show, such as slack or grid")
    look.add_argument("--hide", default="", metavar="A,B", help="hide, such as legend or rings")
    film = parser.add_argument_group("films")
    film.add_argument("--frames", type=int, default=60, help="at most so many steps (default: 60)")
    film.add_argument("--fps", type=float, default=10.0, help="frames per second (default: 10)")


def run(arguments: Namespace) -> int:
    from kernelviz.drawing.qt_check import library_problem

    if problem := library_problem():
        raise BadInput(problem)
    jobs = _jobs(arguments)
    from kernelviz.drawing.export.batch import in_parallel

    worst = DONE
    for done, outcome in enumerate(in_parallel(jobs), start=1):
        if len(jobs) > 1:
            progress(done, len(jobs))
        worst = _graver(worst, _told(outcome, named=len(jobs) > 1))
    return worst


def _told(outcome: Outcome, named: bool) -> int:
    """Say how a job ended, if there is anything to say; its exit code."""
    about = f"{outcome.job.source}: " if named else ""
    for sentence in filter(None, (outcome.note, outcome.sentence)):
        complain(f"{about}{sentence}")
    return int(outcome.code)


def _graver(one: int, other: int) -> int:
    order = (DONE, NOT_CONVERGED, BAD_INPUT, NOT_WRITTEN)
    return max(one, other, key=order.index)


def _jobs(arguments: Namespace) -> list[Job]:
    from kernelviz.drawing.export.batch import Job, known_toggles
    from kernelviz.drawing.export.states import Words
    from kernelviz.session.sources import Asked

    if not 1 <= arguments.frames <= 2000:
        raise BadInput(f"A film has 1 to 2000 frames, not {arguments.frames}.")
    outputs = _outputs(arguments.sources, arguments.output)
    options = _options(arguments, film=Path(arguments.output).suffix.lower() in (".gif", ".apng"))
    shared: dict[str, Any] = {
        "options": options,
        "asked": Asked(arguments.kernel, arguments.algorithm, tuple(arguments.fit)),
        "columns": arguments.columns,
        "standardise": arguments.standardise,
        "test": arguments.test,
        "show": known_toggles(arguments.show),
        "hide": known_toggles(arguments.hide),
        "words": Words(arguments.title, not arguments.no_formula, not arguments.no_caption),
        "frames": arguments.frames,
        "per_second": arguments.fps,
    }
    return [Job(source, output, **shared) for source, output in zip(arguments.sources, outputs, strict=True)]


def _outputs(sources: list[str], pattern: str) -> list[str]:
    """One file for each source, named after it where the pattern says so."""
    if Path(pattern).suffix.lower() not in FORMATS:
        raise BadInput(
            f"Figures are written as {', '.join(f[1:] for f in FORMATS)}; {pattern!r} is none of them."
        )
    if PLACEHOLDER not in pattern:
        if len(sources) > 1:
            raise BadInput(
                f"Several sources need a pattern for their figures, such as -o 'figures/{PLACEHOLDER}.png'."
            )
        return [pattern]
    names = [_name(source) for source in sources]
    numbered = [
        f"{name}-{names[: i + 1].count(name)}" if names.count(name) > 1 else name
        for i, name in enumerate(names)
    ]
    return [pattern.replace(PLACEHOLDER, name) for name in numbered]


def _name(source: str) -> str:
    """A file name for a source: data/iris.csv -> iris, rings(n=20) -> rings-n-20."""
    stem = source if "(" in source else Path(source).stem
    return re.sub(r"[^\w.]+", "-", stem).strip("-.")[:80] or "figure"


def _options(arguments: Namespace, film: bool) -> Options:
    from kernelviz.drawing.export.options import PRESETS, Options

    if arguments.preset is not None:
        if arguments.preset not in PRESETS:
            raise BadInput(f"There is no preset called {arguments.preset!r}. Known: {', '.join(PRESETS)}.")
        base = PRESETS[arguments.preset].options(dpi=arguments.dpi)
    else:
        base = Options()
    given: dict[str, Any] = {
        "theme": arguments.theme,
        "transparent": arguments.transparent,
        "outlines": arguments.outlines,
    }
    size = arguments.size or (FILM_SIZE if film and arguments.preset is None else None)
    if size is not None:
        given["width"], given["height"] = _size(size)
    dpi = FILM_DPI if arguments.dpi is None and film and arguments.preset is None else arguments.dpi
    given |= {
        key: value
        for key, value in (("dpi", dpi), ("text", arguments.text), ("strokes", arguments.lines))
        if value is not None
    }
    from dataclasses import replace

    return replace(base, **given)


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,6})\s*[xX×]\s*(\d{1,6})\s*", text)
    if found is None:
        raise BadInput(f"The size is width x height in pixels, as in 1600x1200, not {text!r}.")
    return int(found[1]), int(found[2])
