"""Fit an algorithm with a kernel to points and print the model as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from kernelviz.cli.points import READING, add_arguments, answer, fitted, open_points
from kernelviz.cli.terminal import DONE, NOT_CONVERGED
from kernelviz.session.report import as_json, report


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz fit`."""
    add_arguments(
        parser,
        "source",
        *READING,
        "--test",
        "--kernel",
        "--algorithm",
        "--multiclass",
        "--output",
    )
    add_arguments(parser, "--fit", fit="kernel and algorithm together; repeat for a list of models")


def run(arguments: Namespace) -> int:
    """Fit, and print the model as JSON, or a list of models for several fits.

    The exit code is NOT_CONVERGED if one of the fits did not converge."""
    points, reports = open_points(arguments), []
    for fit in points.fits:
        data, note = points.prepared(fit)
        reports.append(report(fitted(data, fit), note, points.held_out))
    answer(as_json(reports[0] if len(reports) == 1 else {"fits": reports}), arguments.output)
    return DONE if all(model["converged"] for model in reports) else NOT_CONVERGED
