"""Fit an algorithm with a kernel to points and print the model as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

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
        "--columns",
        metavar="A,B,LABEL",
        help="columns of a file by name or number, the label or target last (- for none)",
    )
    parser.add_argument(
        "--standardise", action="store_true", help="scale each coordinate to mean 0 and variance 1 first"
    )


def run(arguments: Namespace) -> int:
    from kernelviz.engine.api import algorithm, kernel
    from kernelviz.engine.fitting import fit_data
    from kernelviz.session.preparation import prepared
    from kernelviz.session.report import as_json, report
    from kernelviz.session.sources import open_source
    from kernelviz.session.state import START_ALGORITHM, START_KERNEL

    asked_kernel = kernel(arguments.kernel) if arguments.kernel is not None else None
    asked = algorithm(arguments.algorithm) if arguments.algorithm is not None else None
    source = open_source(arguments.source, arguments.columns, asked or algorithm(START_ALGORITHM))
    chosen = asked or source.algorithm or algorithm(START_ALGORITHM)
    data, note = prepared(source.data, chosen, arguments.standardise)
    model = fit_data(data, asked_kernel or source.kernel or kernel(START_KERNEL), chosen)
    say(as_json(report(model, note)))
    return DONE if model.converged else NOT_CONVERGED
