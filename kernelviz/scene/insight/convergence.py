"""The course of the algorithm: its own loss and the error above, objectives and their gap below.

A run that is watched has a trace. A live result has none, as it is found in a faster way; its iterations
are run on their own when editing rests, as long work of the view."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernelviz.engine.algorithms.base import Algorithm
from kernelviz.engine.analysis.remarks import about_the_gap, share_of_the_dual
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import flag
from kernelviz.engine.numbers.declared import label
from kernelviz.runtime.background_results import ConvergenceRun
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.runtime.runs import Trace
from kernelviz.scene.axes import Axis, Curve, SteadyRange, decades
from kernelviz.scene.insight.parts.errors import TRAINING
from kernelviz.scene.layers import Layer
from kernelviz.scene.nodes import Hit, Message, Size, Stack
from kernelviz.scene.plot_layers import Lines, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import GoTo, Intent, Needed, Now, Scene, View, ViewMemory
from kernelviz.scene.wording import Remark, about_mistakes, counted, shown
from kernelviz.session.state import Document

# A loss beyond this would press the error, which is at most 1, flat onto the axis: it gets a plot of its own.
TALL = 5.0
IN_WEIGHTS, IN_FEATURES = "mean squared, dual", "primal"
LOSS_CURVES = {
    curve.name: curve
    for curve in (
        TRAINING,
        Curve("primal", "negative", 1.4),
        Curve("dual", "positive", 1.4),
        Curve("gap", "class 2", 1.2, (4.0, 2.0)),
    )
}


@dataclass(frozen=True)
class ConvergenceView(View):
    """Mean of the algorithm's loss and training error per iteration; its objectives where they are defined.

    While watching, a click goes to that step. Live, the iterations of the present fit are run when editing
    rests; an algorithm that can be run in explicit features too is also run so, and both are drawn."""

    name = "convergence"
    title = "Convergence"
    family = "Fit"
    summary_line = "Objectives, loss and error over the steps of the algorithm."
    number = 2
    pictured = ("moons(n=40, noise=0.2)", "rbf(gamma=2) ; logistic(lam=0.001)")

    log: bool = flag(
        False,
        label="Logarithmic",
        help="Show powers of ten at equal distances: a straight line is geometric convergence",
    )

    def needs(self, document: Document, frame: Frame | None) -> Needed | None:
        """Return the run of a finished live result. The course of what is watched is known, but not what it
        is in features."""
        if frame is None:
            return None
        model = frame.model
        worth_it = frame.finished
        if frame.request.step is not None:
            worth_it = model.algorithm.in_features(model.problem) is not None
        if not worth_it:
            return None
        key, how = _run_of(frame), model.algorithm
        assert isinstance(how, Algorithm)
        begin = partial(ConvergenceRun, how, model.problem)
        return Needed(key, begin, lambda run: (key, run.so_far), stoppable=False)

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return a plot for the losses and one for the objectives, above each other, with an upright line
        at the step shown."""
        frame = _with_course(frame, now.result)
        trace, remark = frame.trace, _remark(frame, now.verdict)
        if len(trace) < 2:
            return Scene(Message(_no_course(frame)), remark=remark)
        steps = trace.column("step")
        fewest_steps, least_height = SteadyRange.at_least(0.0, 10.0), SteadyRange.at_least(0.0, 1e-3)
        extent = memory.axis("steps", fewest_steps, steps, whole=True)
        groups, plots = _groups(frame), []
        at = int(np.searchsorted(steps, frame.step).clip(0, len(steps) - 1))
        foot = 2.35  # Height of the numbers and the name below the lowest plot, in units of the type size.
        for k, series in enumerate(groups):
            lowest = k == len(groups) - 1
            curves = [(_curve(name), values) for name, values in series.items()]
            present = [float(values[at]) for values in series.values()]
            layers: list[Layer] = [
                Lines(part=curve.name, x=steps, y=values, curve=curve, number=shown(value, 3))
                for (curve, values), value in zip(curves, present, strict=True)
            ]
            every = np.concatenate(list(series.values()))
            height = memory.axis(f"plot {k + 1}", least_height, every)
            if self.log and (every > 0).any():
                height = Axis(*decades(every), log=True)
            layers.append(Upright(part="step", x=float(frame.step), width=0.9, dots=tuple(present)))
            plot = Plot(
                part=f"plot {k + 1}",
                x=replace(extent, label="iteration" if lowest else "", bare=not lowest),
                y=height,
                layers=tuple(layers),
            )
            # The lowest plot also carries the numbers and the name of the axis.
            plots.append((plot, None if lowest else Size(share=1 / len(groups), lines=-foot / len(groups))))
        return Scene(Stack(tuple(plots)), remark=remark)

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        return None if hit.at is None else GoTo(max(0, round(hit.at[0])))


def _run_of(frame: Frame) -> object:
    """Return the key of a run: everything it depends on."""
    return frame.model.problem.data, frame.model.problem.kernel, frame.model.algorithm


def _with_course(frame: Frame, result: tuple[object, Trace] | None) -> Frame:
    """Return a live result, which has no course of its own, with the one that was run for it; and either with
    what was run in explicit features."""
    if result is None or result[0] != _run_of(frame):
        return frame
    trace, step = result[1], frame.step
    if frame.request.step is not None:
        trace = replace(frame.trace, in_features=trace.in_features)
    elif len(trace):
        step = int(trace.rows[-1, 0])
    return replace(frame, trace=trace, step=step)


def _groups(frame: Frame) -> list[dict[str, Array]]:
    """Return the series of each plot by name, from above, as far as they are defined."""
    trace, mean = frame.trace, f"mean {frame.model.own_loss.name}"
    if frame.model.algorithm.in_features(frame.model.problem) is not None:
        return [_both_forms(trace)]
    losses = _defined({mean: trace.column("loss"), label("training_error"): trace.column("training_error")})
    primal, dual = trace.column("primal"), trace.column("dual")
    goals = _defined({"primal": primal, "dual": dual, "gap": primal - dual})
    tall = len(losses) > 1 and np.nanmax(losses[mean]) > TALL
    parts = [{name: values} for name, values in losses.items()] if tall else [losses]
    return [group for group in (*parts, goals) if group]


def _defined(series: dict[str, Array]) -> dict[str, Array]:
    """Return the series that have at least one number."""
    return {name: values for name, values in series.items() if np.isfinite(values).any()}


def _curve(name: str) -> Curve:
    """Return how a series is drawn; dashes over a line show both forms of a run where they are the same."""
    if name.startswith(IN_WEIGHTS):
        return Curve(name, "positive", 2.2)
    if name.startswith(f"{IN_FEATURES} ("):
        return Curve(name, "negative", 1.4, (4.0, 3.0))
    return LOSS_CURVES.get(name) or Curve(name, "ink", 1.4)


def _both_forms(trace: Trace) -> dict[str, Array]:
    """Return the mean squared errors of a run in the weights of the points and of the same in explicit
    features, by names that give the cost of a step; only the first while the other is not known."""
    both = trace.in_features
    if both is None:
        return {IN_WEIGHTS: trace.column("loss")}
    at = trace.column("step").astype(np.intp)
    # The last frame of a run only says that it has ended.
    known = 2.0 * np.append(both.primal, both.primal[-1])
    primal = np.where(at < len(known), known[np.minimum(at, len(known) - 1)], np.nan)
    # The first step costs as much as any.
    dual_cost, primal_cost = (int(c[min(1, len(c) - 1)]) for c in (both.dual_cost, both.primal_cost))
    return {
        f"{IN_WEIGHTS} ({dual_cost} products a step)": trace.column("loss"),
        f"{IN_FEATURES} ({primal_cost})": primal,
    }


def _no_course(frame: Frame) -> str:
    """Return why no iterations are shown."""
    iterations = frame.model.numbers.get("iterations") or 0
    if iterations > 1 and frame.request.step is None:
        return "The iterations are computed when you stop editing."
    if not frame.finished:
        return "The iterations appear here step by step."
    return "This result took a single step, so there are no iterations to show."


def _remark(frame: Frame, verdict: Verdict | None) -> Remark:
    """Return a perceptron's mistakes and their bound, why a converged machine has a wide gap, or else that
    the iterations shown for a live result are those of another run."""
    remark = _about_features(frame) or about_mistakes(frame, verdict)
    if not remark.words and (meaning := about_the_gap(frame.model)):
        return Remark(f"gap {share_of_the_dual(frame.model)} dual", meaning)
    if remark.words or frame.request.step is not None or len(frame.trace) < 2:
        return remark
    taken = counted(frame.model.iterations, "iteration")
    return Remark(
        "the run step by step",
        "These are the steps of the algorithm as it is watched. The result itself was found in a faster way, "
        f"in {taken}, and to more digits: its numbers are in the status line.",
    )


def _about_features(frame: Frame) -> Remark | None:
    """Return a remark on the cost of a step in either form; None for algorithms that are not run in both."""
    problem, both = frame.model.problem, frame.trace.in_features
    if frame.model.algorithm.in_features(problem) is None:
        return None
    n = problem.n
    dual = f"for each point of a step the dual form takes n = {n} products, one with every weight"
    if both is not None:
        q = both.features
        meaning = (
            f"Both take the same steps: their scores differ by {shown(both.difference, 2)} at most. But "
            f"{dual}; the primal form takes 2q = {2 * q}, q for the score and q for the step."
        )
        return Remark(f"n = {n} against 2q = {2 * q}", meaning)
    if problem.kernel.feature_map(np.shape(problem.X)[1]) is None:
        return Remark(
            "no finite features: dual only",
            f"{problem.kernel} has infinitely many features, so there is no primal form to run: {dual}.",
        )
    return Remark()
