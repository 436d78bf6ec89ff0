"""Why primal and dual can lie far apart although a solver has converged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernelviz.engine.analysis.numbers import is_indefinite

if TYPE_CHECKING:
    from kernelviz.engine.model import Model

__all__ = ["about_other_optima", "about_the_gap", "share_of_the_dual"]

WIDE = 0.01
"""Relative to the dual objective: a gap that people would take for a failure."""


def share_of_the_dual(model: Model) -> str:
    """How wide the duality gap of a converged machine is, as "9 % of the" or "23 times the" dual objective.

    Empty where it is narrow, or no machine with KKT conditions has converged."""
    gap, dual, violation = (
        model.numbers[name] for name in ("duality_gap", "dual_objective", "kkt_violation")
    )
    if not model.converged or violation is None or gap is None or not dual or gap <= WIDE * abs(dual):
        return ""
    ratio = gap / abs(dual)
    return f"{100 * ratio:.0f} % of the" if ratio < 1 else f"{ratio:.2g} times the"


def about_the_gap(model: Model) -> str:
    """Why it is so wide, in a sentence; empty where it is not.

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
    """That a dual with an indefinite kernel, where the KKT conditions hold, may be larger elsewhere."""
    if not model.converged or model.numbers["kkt_violation"] is None or not is_indefinite(model):
        return ""
    return "The kernel is not positive semi-definite, so that other weights may be better still."
