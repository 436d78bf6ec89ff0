"""Fit an algorithm with a kernel to points and print the model as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial

from kernelviz.terminal import DONE, NOT_CONVERGED, say

__all__ = ["configure", "run"]


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help='a data set, as in "rings(n=200, seed=1)", a CSV, svmlight or npz file, or - for standard input',
    )
    parser.add_argument(
        "--kernel", metavar="EXPR", help='as in "rbf(gamma=1) + 0.5*linear" (default: rbf(gamma=1))'
    )
    parser.add_argument("--algorithm", metavar="EXPR", help='(default: "soft-margin-svm(C=10)")')
    parser.add_argument(
        "--fit",
        action="append",
        default=[],
        metavar="KERNEL ; ALGORITHM",
        help="instead of the two; several make a list of models",
    )
    parser.add_argument(
        "--columns",
        metavar="A,B,LABEL",
        help="columns of a file by name or number, the label or target last (- for none)",
    )
    parser.add_argument(
        "--standardise", action="store_true", help="scale each coordinate to mean 0 and variance 1 first"
    )
    parser.add_argument(
        "--test",
        metavar="SHARE|SOURCE",
        help="points to test on: a share such as 0.3 of the source, set aside, or other data",
    )


def run(arguments: Namespace) -> int:
    from kernelviz.engine.fitting import fit_data
    from kernelviz.runtime.waiting import interruptible
    from kernelviz.session.preparation import prepared, standardised
    from kernelviz.session.report import as_json, report
    from kernelviz.session.sources import Asked, open_source

    asked = Asked(arguments.kernel, arguments.algorithm, tuple(arguments.fit))
    source = open_source(arguments.source, arguments.columns, asked.intended())
    fits, active = asked.fits_of(source.data, source.fits, source.active)
    source = source.tested(arguments.test, columns=arguments.columns)
    held = source.held_out.data if source.held_out is not None else None
    if held is not None and arguments.standardise:
        held = standardised(held, by=source.data)
    reports = []
    for fit in fits if arguments.fit else fits[active : active + 1]:
        data, note = prepared(source.data, (fit,), arguments.standardise)
        model = interruptible(partial(fit_data, data, fit.kernel, fit.algorithm))
        reports.append(report(model, note, held))
    say(as_json(reports[0] if len(reports) == 1 else {"fits": reports}))
    return DONE if all(told["converged"] for told in reports) else NOT_CONVERGED
