"""How many features a polynomial has, and what a gradient step costs with features and with a kernel.

All products of degree up to d of p inputs are C(p + d, d) features, or 1 + p + … + pᵈ if x₁x₂ and x₂x₁ are
counted apart. A step on weights of features takes two products for each of them; a step on the weights of the
points, with the Gram matrix computed beforehand, takes one for each point."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.params import integer
from kernelviz.engine.kernels.features import different_products, ordered_products
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve
from kernelviz.scene.nodes import Column, Either, Hit, Row
from kernelviz.scene.plot_layers import Dots, Lines, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Intent, Now, Scene, Set, View, ViewMemory
from kernelviz.scene.wording import counted, shown

COUNTED_DEGREES, INPUTS = range(1, 13), np.unique(np.geomspace(1, 100, 60).round())
POINTS = Curve("n points", "highlight", 1.4, (2.0, 2.0))
N = replace(POINTS, name="n")


@dataclass(frozen=True)
class CountsView(View):
    """Two charts: the number of features over the degree, and the cost of a step over the number of inputs.
    A click in one of them sets the degree or the number of inputs."""

    name = "counts"
    title = "Features counted"
    family = "Geometry"
    summary_line = "How many features a polynomial has, and what a step costs with features or with a kernel."
    number = 22
    pictured = ("moons(n=40, noise=0.2)", "homogeneous(degree=3) ; soft-margin-svm(C=10)")
    domains = ("vectors",)
    drags = True
    undoable = True

    p: int = integer(
        2, low=1, high=100, scale="log", label="inputs p", help="Number of coordinates of an input"
    )
    d: int = integer(3, low=1, high=12, label="degree d", help="The highest degree of a product of inputs")

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        n, p, d = frame.data.n, self.p, self.d
        degrees = np.array(COUNTED_DEGREES, dtype=np.float64)
        different = np.array([float(different_products(p, k)) for k in COUNTED_DEGREES])
        ordered = np.array([float(ordered_products(p, k)) for k in COUNTED_DEGREES])
        q, in_order = different_products(p, d), ordered_products(p, d)
        top = 1e9  # Where the axes end.
        different_curve, ordered_curve = (
            Curve("different", "ink", 1.8),
            Curve("ordered", "soft_ink", 1.6, (5.0, 2.0)),
        )
        features = Plot(
            part="features",
            x=Axis(1.0, float(COUNTED_DEGREES[-1]), f"degree d, for {counted(p, 'input')}", whole=True),
            y=Axis(1.0, top, "features", log=True),
            ground=(
                *_with_dots("different", degrees, different, different_curve, q),
                *_with_dots("ordered", degrees, ordered, ordered_curve, in_order),
                _level(n, degrees, POINTS),
            ),
            layers=(Upright(part="d", x=float(d)),),
            shorter=(
                ((different_curve, f"{q:,}"), (ordered_curve, f"{in_order:,}"), (N, f"{n:,}")),
                (
                    (different_curve, shown(float(q), 3)),
                    (ordered_curve, shown(float(in_order), 3)),
                    (N, f"{n:,}"),
                ),
            ),
        )
        primal = np.array([2.0 * different_products(int(k), d) for k in INPUTS])
        primal_curve, dual_curve = Curve("features: 2q", "ink", 1.8), Curve("points: n", "highlight", 1.6)
        cost = Plot(
            part="cost",
            x=Axis(1.0, 100.0, f"inputs p, for degree {d}", log=True),
            y=Axis(1.0, top, "products", log=True),
            ground=(
                Lines(part="primal", x=INPUTS, y=primal, curve=primal_curve, number=f"{2 * q:,}"),
                _level(n, INPUTS, dual_curve),
            ),
            layers=(Upright(part="p", x=float(p)),),
        )
        both = ((features, None), (cost, None))
        wide = 1.5  # Of a place, in units of its height, for the charts side by side.
        return Scene(Either(lambda width, height: width >= wide * height, Row(both, gap=1.0), Column(both)))

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        if hit.at is None or hit.part not in ("features", "cost"):
            return None
        name, most = ("d", COUNTED_DEGREES[-1]) if hit.part == "features" else ("p", int(INPUTS[-1]))
        return Set(name, min(max(round(hit.at[0]), 1), most))


def _with_dots(part: str, x: Array, y: Array, curve: Curve, present: int) -> tuple[Lines, Dots]:
    """Return a curve with a dot at each degree, and its present value in the legend."""
    line = Lines(part=part, x=x, y=y, curve=curve, number=f"{present:,}")
    return line, Dots(part=f"{part} dots", x=x, y=y, curve=curve)


def _level(n: int, x: Array, curve: Curve) -> Lines:
    """Return a line at the height of the number of points."""
    return Lines(part="points", x=x[[0, -1]], y=np.full(2, float(n)), curve=curve, number=f"{n:,}")
