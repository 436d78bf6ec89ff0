"""Fit the same points in several ways and print the numbers side by side, as JSON or as a table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from kernelviz.cli.points import READING, add_arguments, answer, fitted, open_points
from kernelviz.cli.terminal import DONE, NOT_CONVERGED
from kernelviz.engine.core.errors import BadInput
from kernelviz.session.report import as_json, as_table, compared, report


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz compare`."""
    about = 'two to four of them, as in "rbf(gamma=1) ; ridge(lam=0.1)" (default: those of the session)'
    add_arguments(parser, "source", *READING, "--test", "--fit", "--output", fit=about)
    parser.add_argument("--table", action="store_true", help="print a table instead of JSON")


def run(arguments: Namespace) -> int:
    """Fit the points by all requested fits, and print the numbers side by side.

    The exit code is NOT_CONVERGED if one of the fits did not converge."""
    points = open_points(arguments, every=True)
    if len(points.fits) < 2:
        raise BadInput(
            "A comparison needs at least two fits: give --fit twice, or a session with several fits."
        )
    data, note = points.prepared(*points.fits)
    models = [fitted(data, fit) for fit in points.fits]
    comparison = compared(models, [report(model, note, points.held_out) for model in models])
    answer(as_table(comparison) if arguments.table else as_json(comparison), arguments.output)
    return DONE if all(model.converged for model in models) else NOT_CONVERGED
