"""Fit the same points in several ways and print the numbers side by side, as JSON or as a table."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from kernelviz.commands._points import add_points, opened
from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.terminal import DONE, NOT_CONVERGED, if_long, say


def configure(parser: ArgumentParser) -> None:
    add_points(parser)
    parser.add_argument(
        "--fit",
        action="append",
        default=[],
        metavar="KERNEL ; ALGORITHM",
        help='two to four of them, as in "rbf(gamma=1) ; ridge(lam=0.1)" (default: those of the session)',
    )
    parser.add_argument("--table", action="store_true", help="print a table instead of JSON")


def run(arguments: Namespace) -> int:
    from kernelviz.engine.fits.solve import fit_data
    from kernelviz.runtime.interruptible import interruptible
    from kernelviz.session.comparison import as_table, compared
    from kernelviz.session.report import as_json, report
    from kernelviz.session.tables.row_limits import prepared

    points = opened(arguments, every=True)
    if len(points.fits) < 2:
        raise BadInput("To compare takes at least two fits: give --fit twice, or a session with several.")
    data, note = prepared(points.data, points.fits, points.standardise)
    models, reports = [], []
    for fit in points.fits:
        models.append(interruptible(partial(fit_data, data, fit.kernel, fit.algorithm, told=if_long())))
        reports.append(report(models[-1], note, points.held))
    told = compared(models, reports)
    say(as_table(told) if arguments.table else as_json(told))
    return DONE if all(model.converged for model in models) else NOT_CONVERGED
