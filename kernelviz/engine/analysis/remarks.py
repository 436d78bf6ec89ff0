"""Remarks on a fit that a number alone would not explain: constant scores, an open duality gap.

Each function returns a sentence or two, or an empty text where there is nothing to explain."""

from __future__ import annotations

from kernelviz.engine.core.data import Task
from kernelviz.engine.models.base import Model
from kernelviz.engine.numbers.of_fit import is_indefinite


def about_flatness(model: Model) -> str:
    """Return two sentences saying that a finished model is constant, and why; else empty."""
    data = model.problem.data
    said_otherwise = ("running", "not separable")
    if not model.flat or model.status in said_otherwise:
        return ""
    remedy = "Another kernel or other parameters may."
    if model.algorithm.ignores_labels:
        return (
            "w is 0: in feature space the points surround the origin, so that nothing separates inside from "
            f"outside. {remedy}"
        )
    if data.task is not Task.TWO_CLASSES:
        return ""
    if model.zero_everywhere:
        return f"The score is 0 everywhere: this model does not distinguish anything. {remedy}"
    named = data.class_names[int((model.training_scores > 0).any())]
    sentence = f"The score is the same everywhere: all is classified as {named}"
    if len(set(data.class_of_each)) == 1:
        return f"{sentence}, the only class there is."
    return f"{sentence}. Another kernel or other parameters may separate the points."


def share_of_the_dual(model: Model) -> str:
    """Return the duality gap of a converged machine as "9 % of the" or "23 times the" dual objective.

    Empty if it is narrow, or no machine with KKT conditions has converged."""
    gap, dual, violation = (
        model.numbers[name] for name in ("duality_gap", "dual_objective", "kkt_violation")
    )
    wide = 0.01  # Relative to the dual objective: a gap that people would take for a failure.
    if not model.converged or violation is None or gap is None or not dual or gap <= wide * abs(dual):
        return ""
    ratio = gap / abs(dual)
    return f"{100 * ratio:.0f} % of the" if ratio < 1 else f"{ratio:.2g} times the"


def about_the_gap(model: Model) -> str:
    """Return a sentence explaining a wide gap; empty if it is narrow.

    The conditions hold to the tolerance t, so points that belong on the margin may have up to about t of
    slack. The primal charges C for a unit of it, n C t at most: with a large C far more than the dual."""
    share = share_of_the_dual(model)
    if not share:
        return ""
    advice = " A smaller tolerance narrows it." if "tol" in model.algorithm.values() else ""
    return (
        f"The duality gap is {share} dual objective although the KKT conditions hold to the tolerance: "
        f"the primal charges for all the slack that the tolerance leaves.{advice}"
    )


def about_other_optima(model: Model) -> str:
    """Return a sentence saying that a dual with an indefinite kernel, where the KKT conditions hold, may
    be larger elsewhere."""
    if not model.converged or model.numbers["kkt_violation"] is None or not is_indefinite(model):
        return ""
    return "The kernel is not positive semi-definite, so that other weights may be better still."
