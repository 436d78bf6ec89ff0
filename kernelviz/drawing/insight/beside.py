"""A run in the weights of the points and the same in explicit features, on one plot."""

from __future__ import annotations

import numpy as np

from kernelviz.drawing.insight.picture import Remark
from kernelviz.drawing.insight.plot import Curve
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import shown
from kernelviz.engine.core.arrays import Array
from kernelviz.runtime.messages import Frame
from kernelviz.runtime.trace import Trace

DUAL, PRIMAL = "mean squared, dual", "primal"


def runs_beside(trace: Trace) -> dict[str, Array]:
    """Their mean squared errors at the steps of the trace, by names that say what a step costs; of the dual
    form alone while the other is not known."""
    beside = trace.beside
    if beside is None:
        return {DUAL: trace.column("loss")}
    at = trace.column("step").astype(np.intp)
    # The last frame of a run only says that it has ended.
    known = 2.0 * np.append(beside.primal, beside.primal[-1])
    primal = np.where(at < len(known), known[np.minimum(at, len(known) - 1)], np.nan)
    return {
        f"{DUAL} ({_first_step(beside.dual_cost)} products a step)": trace.column("loss"),
        f"{PRIMAL} ({_first_step(beside.primal_cost)})": primal,
    }


def _first_step(cost: Array) -> int:
    """What the first step cost: none costs more."""
    return int(cost[min(1, len(cost) - 1)])


def curve_beside(name: str, theme: Theme) -> Curve | None:
    """Dashes over a line: where both are the same, both are seen."""
    if name.startswith(DUAL):
        return Curve(name, theme.positive, 2.2)
    return Curve(name, theme.negative, 1.4, (4.0, 3.0)) if name.startswith(f"{PRIMAL} (") else None


def about_features(frame: Frame) -> Remark | None:
    """What a step costs in either form; None for algorithms that are not run in both."""
    problem, beside = frame.model.problem, frame.trace.beside
    if frame.model.algorithm.in_features(problem) is None:
        return None
    n = problem.n
    dual = f"for each point of a step the dual form takes n = {n} products, one with every weight"
    if beside is not None:
        q = beside.features
        meaning = (
            f"Both take the same steps: their scores differ by {shown(beside.difference, 2)} at most. But "
            f"{dual}; the primal form takes 2q = {2 * q}, q for the score and q for the step."
        )
        return Remark(f"n = {n} against 2q = {2 * q}", meaning)
    if problem.kernel.feature_map(np.shape(problem.X)[1]) is None:
        return Remark(
            "no finite features: dual only",
            f"{problem.kernel} has infinitely many features, so there is no primal form to run: {dual}.",
        )
    return Remark()
