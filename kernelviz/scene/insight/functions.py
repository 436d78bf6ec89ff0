"""The fit as a vector: its norm as a sum over the points, its distance to another function, and its inner
product with K(x₀, ·), which is its value at x₀ (the reproducing property).

f = Σ βᵢ K(xᵢ, ·) is the fit without b, so ‖f‖² = Σ βᵢ (Kβ)ᵢ, and the bars are the terms of that sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kernelviz.engine.analysis.functions import FunctionPair, compared, inner_product, norm_terms, response
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice
from kernelviz.engine.models.kernel import KernelModel
from kernelviz.runtime.messages import Failure, Frame
from kernelviz.scene.axes import Axis, SteadyRange, written
from kernelviz.scene.plot_layers import Bars
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Now, Scene, View, ViewMemory, each_pair_has, message
from kernelviz.scene.wording import named, readable, shown

ABOUT = (
    "f is the fit without b, a sum of βᵢK(xᵢ, ·). ⟨f, g⟩ is a sum over pairs of points, weights times K; "
    "‖f − g‖² = ‖f‖² − 2⟨f, g⟩ + ‖g‖². The bars are βᵢ(Kβ)ᵢ, which add up to ‖f‖²; with g = K(x₀, ·) they "
    "are βᵢK(xᵢ, x₀), which add up to ⟨f, g⟩ = s(x₀) − b."
)
BEFORE, OTHER, AT_POINT = "earlier", "another", "K(x₀, ·)"
UNEDITED = "edit something: g is the function before the edit"  # A hint, which is not printed.


@dataclass(frozen=True)
class FunctionsView(View):
    """A bar for each point's share of ‖f‖², largest first; above them the numbers of f and g.

    If g is K(x₀, ·) for the point x₀ that is hovered or selected, a bar is the point's share of ⟨f, g⟩."""

    name = "functions"
    title = "Function space"
    family = "Fit"
    summary_line = (
        "The norm as a sum over points, and the distance to the fit before an edit or to another fit."
    )
    number = 18
    in_background = True
    all_fits = True
    follows_point = True
    hovers_in_background = True

    other: str = choice(
        BEFORE,
        (BEFORE, OTHER, AT_POINT),
        label="Compare with g,",
        help="g: the fit before the last edit, another fit of the session, or the kernel at the point x₀ "
        f"that you point at or select. {ABOUT}",
    )

    def repeatable(self, now: Now) -> bool:
        missing = {BEFORE: now.previous, OTHER: None, AT_POINT: now.point}
        return missing[self.other] is None

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the bars of the terms, largest first, with the numbers of f and g above them."""
        f, data = frame.model, frame.data
        if not isinstance(f, KernelModel) or not f.problem.kernel.positive_definite:
            pairs = each_pair_has(f, "a function", lambda model: isinstance(model, KernelModel))
            return message(pairs or "This fit is not a function in a kernel's space, so it has no norm.")
        if self.other == AT_POINT:
            x0 = 0 if now.point is None or now.point >= data.n else now.point
            terms, numbers = _at_point(f, x0)
            numbers.append((f"x₀: {named(data, x0)}", ""))
        else:
            terms = memory.keep("terms", f, lambda: norm_terms(f))
            comparison, words = self._compared(frame, f, now)
            numbers = [("‖f‖² = Σ =", shown(float(terms.sum()))), *_numbers(comparison)]
            if not (now.on_paper and words == UNEDITED):
                numbers.append((words, ""))
        order = np.flatnonzero(terms)
        order = order[np.argsort(-terms[order], kind="stable")]
        values = terms[order]
        counted = np.array([float(len(order))])
        height = "βᵢK(xᵢ, x₀)" if self.other == AT_POINT else "βᵢ(Kβ)ᵢ"
        bars = Bars(
            part="terms",
            values=values,
            inks=tuple(np.where(values >= 0, "soft_ink", "misclassified").tolist()),
            points=order,
            base=0.0,
            label=lambda i: f"{named(data, i)}: {shown(float(terms[i]), 3)}",
        )
        any_height = SteadyRange.of_any_size()
        fewest = SteadyRange.at_least(0.0, 5.0)
        plot = Plot(
            part="functions",
            x=memory.axis("count", fewest, counted, "points, largest term first", whole=True),
            y=memory.axis(height, any_height, values, height) if len(values) else Axis(0.0, 1.0, height),
            layers=(bars,),
            legend=tuple(written(name, value) for name, value in numbers),
        )
        return Scene(plot)

    def _compared(self, frame: Frame, f: KernelModel, now: Now) -> tuple[FunctionPair | None, str]:
        """Return the geometry of f and g with a description of g, or the reason why there is none."""
        g, words = self._previous(f, now) if self.other == BEFORE else _another(frame, f, now)
        try:
            return (None if g is None else compared(f, g)), words
        except BadInput as problem:  # inputs of another kind
            return None, str(problem)

    @staticmethod
    def _previous(f: KernelModel, now: Now) -> tuple[KernelModel | None, str]:
        """Return the function before the last edit."""
        g = None if now.previous is None else now.previous.model
        if not isinstance(g, KernelModel):
            return None, UNEDITED
        if g.problem.kernel != f.problem.kernel:
            return None, "the kernel changed, so f and g are in different spaces"
        return g, "g: the fit before"


def _at_point(f: KernelModel, i: int) -> tuple[Array, list[tuple[str, str]]]:
    """Return the terms βⱼK(xⱼ, xᵢ) of ⟨f, g⟩ with g = K(xᵢ, ·), and the numbers: ⟨f, g⟩, the value s(xᵢ) − b
    it is equal to, and ‖f‖ ‖g‖, which it cannot exceed."""
    x0 = f.problem.data.subset([i]).X
    g, zero = response(f.problem.kernel, x0, f.algorithm), f.accuracy
    norms = compared(f, g).norms
    numbers = [
        ("⟨f, K(x₀, ·)⟩ = Σ =", shown(inner_product(f, g), zero=zero)),
        ("s(x₀) − b =", shown(float(f.score(x0)[0]) - f.b, zero=zero)),
        ("‖f‖ ‖g‖ =", shown(norms[0] * norms[1])),
    ]
    return f.weights * f.problem.cross(x0)[0], numbers


def _another(frame: Frame, f: KernelModel, now: Now) -> tuple[KernelModel | None, str]:
    """Return the function of the first other fit that has the same kernel."""
    kernel = f.problem.kernel
    for k, fit in enumerate(frame.request.fits):
        if k != frame.fit and fit.kernel == kernel:
            answer = now.answers[k] if k < len(now.answers) else None
            if isinstance(answer, Failure):
                return None, answer.sentence
            if answer is None:
                return None, "g is being computed"
            g = answer.model
            if not isinstance(g, KernelModel):
                return None, "g has no norm"
            return g, f"g: {readable(fit.algorithm)}"
    return None, "no other fit has this kernel"


def _numbers(comparison: FunctionPair | None) -> list[tuple[str, str]]:
    """Return the numbers of f and g for the legend; none without g."""
    if comparison is None:
        return []
    nothing = 1e-7  # A share of the norms below which a distance is 0.
    return [
        ("‖g‖ =", shown(comparison.norms[1])),
        ("⟨f, g⟩ =", shown(comparison.product)),
        ("‖f − g‖ =", shown(comparison.distance, 4, nothing * max(*comparison.norms, 1e-300))),
    ]
