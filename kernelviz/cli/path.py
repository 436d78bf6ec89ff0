"""Print the soft margin for every C, all breakpoints of its path, or ridge over its λ, as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any

import numpy as np

from kernelviz.cli.points import READING, add_arguments, answer, open_points
from kernelviz.cli.terminal import DONE, NOT_CONVERGED, progress_if_long
from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
from kernelviz.engine.analysis.path import LARGEST_C, SMALLEST_C, path
from kernelviz.engine.analysis.shrinkage import shrinkage, shrinks
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.models.problem import Problem, compute_gram
from kernelviz.engine.selection.tunable import parse_range
from kernelviz.runtime.jobs import interruptible
from kernelviz.session.report import as_json

COUNT = 50  # Values of λ where --range names no number.


def configure(parser: ArgumentParser) -> None:
    """Add the arguments of `kernelviz path`."""
    add_arguments(parser, "source", *READING, "--test", "--output")
    kernel = "(default: the session's, or one that suits the data)"
    algorithm = "soft-margin-svm, ridge or gaussian-process, over its C, λ or σ²"
    add_arguments(parser, "--kernel", "--algorithm", kernel=kernel, algorithm=algorithm)
    parser.add_argument(
        "--range",
        metavar="LOW:HIGH",
        help="(default: 0.001:1000 for C; the range of the slider for λ and σ²); LOW:HIGH:COUNT prints COUNT "
        "values, for C instead of its breakpoints",
    )


def run(arguments: Namespace) -> int:
    """Print the path as JSON; the exit code is NOT_CONVERGED for a path that ends early, which its message
    explains."""
    points = open_points(arguments)
    fit = points.fits[0]
    data, note = points.prepared(fit)
    work = partial(_path, Problem(data, fit.kernel), fit.algorithm, points.held_out, arguments.range)
    found, ends = interruptible(work)
    message = " ".join(filter(None, (note, ends)))
    table = {"kernel": str(fit.kernel), "n": data.n, "message": message, **found}
    answer(as_json(table), arguments.output)
    return NOT_CONVERGED if ends else DONE


def _path(
    problem: Problem, algorithm: Algorithm, held_out: Data | None, limits: str | None
) -> tuple[dict[str, Any], str]:
    """Return the path as JSON values, and why it ends early, or an empty text."""
    report = progress_if_long()
    for share in compute_gram(problem):
        report(share)
    if isinstance(algorithm, SoftMarginSVM):
        return _breakpoints(problem, held_out, limits)
    if (name := shrinks(algorithm)) is not None:
        return _curve(problem, algorithm, name, held_out, limits), ""
    raise BadInput(
        "A path can be computed for soft-margin-svm (over C), ridge (over lam) and gaussian-process "
        f"(over noise), not for {algorithm.name}."
    )


def _breakpoints(problem: Problem, held_out: Data | None, limits: str | None) -> tuple[dict[str, Any], str]:
    """Return the path of the soft margin over C, and why it ends early, or an empty text.

    The rows are its breakpoints, or with LOW:HIGH:COUNT the values of C that were asked for."""
    C = SoftMarginSVM.parameter("C")
    ends = (SMALLEST_C, LARGEST_C) if limits is None else parse_range(limits, C, SoftMarginSVM.name, 2)
    found, rows = path(problem, ends[0], ends[-1]), "breakpoints"
    if limits is not None and limits.count(":") > 1:
        found, rows = found.along(np.array([C for C in ends if found.C[-1] >= C])), "curve"
    columns: dict[str, Any] = {
        "C": found.C,
        "b": found.b + 0.0,
        "beta": found.beta + 0.0,
        "support_vectors": found.support_vectors,
        "training_error": found.training_error,
        "margin_width": found.margin_width,
    }
    if held_out is not None:
        columns["test_error"] = found.held_out_error(held_out)
    return {"algorithm": "soft-margin-svm", rows: _rows(columns)}, found.ends


def _curve(
    problem: Problem, algorithm: Algorithm, name: str, held_out: Data | None, limits: str | None
) -> dict[str, Any]:
    """Return ridge or a Gaussian process for many values of the parameter `name`: training, leave-one-out and
    held-out errors, degrees of freedom, and the likelihood."""
    declared = algorithm.parameter(name)
    low, high = declared.soft
    values = parse_range(limits or f"{low!r}:{high!r}", declared, algorithm.name, COUNT)
    found = shrinkage(problem, algorithm, values, held=held_out)
    columns: dict[str, Any] = {
        name: found.values,
        "training_error": found.training_error,
        "leave_one_out_error": found.left_out_error,
        "degrees_of_freedom": found.degrees_of_freedom,
        "test_error": found.held_out_error,
        "log_marginal_likelihood": found.log_marginal_likelihood,
    }
    known = {key: values for key, values in columns.items() if values is not None}
    return {"algorithm": algorithm.name, "curve": _rows(known)}


def _rows(columns: dict[str, Any]) -> list[dict[str, Any]]:
    """Return arrays of equal length as a list of records, one for each value of the parameter."""
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
