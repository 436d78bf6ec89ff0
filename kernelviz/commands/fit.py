"""Fit an algorithm with a kernel to points and print the model as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from kernelviz.commands._points import add_fit, add_points, opened
from kernelviz.runtime.terminal import DONE, NOT_CONVERGED, if_long, say


def configure(parser: ArgumentParser) -> None:
    add_points(parser)
    add_fit(parser)
    parser.add_argument(
        "--fit",
        action="append",
        default=[],
        metavar="KERNEL ; ALGORITHM",
        help="kernel and algorithm together; repeat for a list of models",
    )


def run(arguments: Namespace) -> int:
    from kernelviz.engine.fits.solve import fit_data
    from kernelviz.runtime.interruptible import interruptible
    from kernelviz.session.report import as_json, report

    points, reports = opened(arguments), []
    for fit in points.fits:
        data, note = points.prepared(fit)
        model = interruptible(partial(fit_data, data, fit.kernel, fit.algorithm, told=if_long()))
        reports.append(report(model, note, points.held))
    say(as_json(reports[0] if len(reports) == 1 else {"fits": reports}))
    return DONE if all(told["converged"] for told in reports) else NOT_CONVERGED
