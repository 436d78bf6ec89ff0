"""Print the soft margin for every C, all breakpoints of its path, or ridge over its λ, as JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from functools import partial
from typing import TYPE_CHECKING, Any

from kernelviz.commands._points import add_points, opened
from kernelviz.engine.core.errors import BadInput
from kernelviz.runtime.terminal import DONE, NOT_CONVERGED, if_long, say

if TYPE_CHECKING:
    from kernelviz.engine.algorithms.base import Algorithm
    from kernelviz.engine.core.data import Data
    from kernelviz.engine.models.problem import Problem


COUNT = 50  # Values of λ unless told otherwise.


def configure(parser: ArgumentParser) -> None:
    add_points(parser)
    parser.add_argument("--kernel", metavar="EXPR", help="(default: the session's, or by the data)")
    parser.add_argument(
        "--algorithm", metavar="EXPR", help="soft-margin-svm, ridge or gaussian-process, over its C, λ or σ²"
    )
    parser.add_argument(
        "--range",
        metavar="LOW:HIGH",
        help="(default: 0.001:1000 for C; for λ and σ² as far as their sliders); LOW:HIGH:COUNT for so many "
        "values, of C in place of its breakpoints",
    )


def run(arguments: Namespace) -> int:
    from kernelviz.engine.models.problem import Problem
    from kernelviz.runtime.interruptible import interruptible
    from kernelviz.session.report import as_json

    points = opened(arguments)
    fit = points.fits[0]
    data, note = points.prepared(fit)
    problem = Problem(data, fit.kernel)
    told = interruptible(partial(_told, problem, fit.algorithm, points.held, arguments.range))
    message = " ".join(filter(None, (note, told.pop("ends", ""))))
    say(as_json({"kernel": str(fit.kernel), "n": data.n, "message": message, **told}))
    return DONE if message == note else NOT_CONVERGED


def _told(problem: Problem, algorithm: Algorithm, held: Data | None, limits: str | None) -> dict[str, Any]:
    from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
    from kernelviz.engine.analysis.ridge_path import shrinks
    from kernelviz.engine.models.problem import gathered

    tell = if_long()
    for share in gathered(problem):
        tell(share)
    if isinstance(algorithm, SoftMarginSVM):
        return _breakpoints(problem, held, limits)
    if shrinks(algorithm) is not None:
        return _curve(problem, algorithm, held, limits)
    raise BadInput(
        f"There is a path of soft-margin-svm over C, of ridge over lam, and of gaussian-process over noise, "
        f"not of {algorithm.name}."
    )


def _breakpoints(problem: Problem, held: Data | None, limits: str | None) -> dict[str, Any]:
    import numpy as np

    from kernelviz.engine.algorithms.soft_margin import SoftMarginSVM
    from kernelviz.engine.analysis.path import LARGEST, SMALLEST, path
    from kernelviz.engine.selection.tunable import parse_range

    C = SoftMarginSVM.parameter("C")
    ends = (SMALLEST, LARGEST) if limits is None else parse_range(limits, C, SoftMarginSVM.name, 2)
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
    if held is not None:
        columns["test_error"] = found.held_out_error(held)
    return {"algorithm": "soft-margin-svm", "ends": found.ends, rows: _rows(columns)}


def _curve(problem: Problem, algorithm: Algorithm, held: Data | None, limits: str | None) -> dict[str, Any]:
    from kernelviz.engine.analysis.ridge_path import shrinkage, shrinks
    from kernelviz.engine.selection.tunable import parse_range

    name = shrinks(algorithm) or ""
    declared = algorithm.parameter(name)
    low, high = declared.soft
    values = parse_range(limits or f"{low!r}:{high!r}", declared, algorithm.name, COUNT)
    found = shrinkage(problem, algorithm, values, held=held)
    columns: dict[str, Any] = {
        name: found.values,
        "training_error": found.training_error,
        "leave_one_out_error": found.left_out_error,
        "degrees_of_freedom": found.degrees_of_freedom,
    }
    if found.held_out_error is not None:
        columns["test_error"] = found.held_out_error
    if found.log_marginal_likelihood is not None:
        columns["log_marginal_likelihood"] = found.log_marginal_likelihood
    return {"algorithm": algorithm.name, "curve": _rows(columns)}


def _rows(columns: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
