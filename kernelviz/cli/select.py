"""Choose one or two parameters of a fit by the error on points left out, and print all results as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from kernelviz.cli.points import READING, add_arguments, answer, open_points
from kernelviz.cli.terminal import DONE, NOT_CONVERGED, progress
from kernelviz.engine.core.generators import Steps
from kernelviz.engine.fits import registry
from kernelviz.engine.selection.choice import Selection
from kernelviz.runtime.jobs import interruptible
from kernelviz.runtime.parallel_selection import SelectionRun, prepare_selection
from kernelviz.session.report import as_json


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz select`."""
    add_arguments(parser, "source", *READING, "--kernel", "--algorithm", "--multiclass", "--output")
    parser.add_argument(
        "--over",
        action="append",
        default=[],
        metavar="NAME=LOW:HIGH:COUNT",
        help='once or twice: as in "gamma=0.01:100:10", evenly on the scale of its slider; '
        "LOW:HIGH:COUNT:linear or :log for another",
    )
    parser.add_argument(
        "--folds",
        type=int,
        default=5,
        help="all errors that cv prints, training_error too, are means over the fits without one fold "
        "(default: 5)",
    )
    parser.add_argument(
        "--by",
        default="cv",
        help="cv leaves out folds, loo single points; likelihood is for gaussian-process (default: cv)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the folds (default: 0)")
    parser.add_argument("--jobs", type=int, help="number of processes (default: automatic)")


def run(arguments: Namespace) -> int:
    """Try all settings, with a progress bar on a terminal, and print the table and the choices as JSON.

    The exit code is NOT_CONVERGED if the chosen setting did not converge, or if none can be chosen."""
    points = open_points(arguments)
    fit = points.fits[0]
    data, note = points.prepared(fit)
    generated = registry.knows(arguments.source.partition("(")[0].strip(), registry.datasets())
    source = arguments.source if generated and not points.standardise else ""
    run = prepare_selection(
        data, fit, arguments.over, arguments.folds, arguments.by, arguments.seed, arguments.jobs, source
    )
    found = interruptible(partial(_with_progress, run))
    table = {"kernel": str(fit.kernel), "algorithm": str(fit.algorithm), "n": data.n, **found.report()}
    table["message"] = " ".join(filter(None, (note, found.message)))
    answer(as_json(table), arguments.output)
    best = found.best
    return DONE if best is not None and found.outcomes[best].converged else NOT_CONVERGED


def _with_progress(run: SelectionRun) -> Selection:
    """Try all settings, with a progress bar."""
    steps = Steps(run.work(lambda: None))
    for share in steps:
        progress(round(share * len(run.grid)), len(run.grid))
    return steps.result
