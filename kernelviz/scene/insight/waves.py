"""Random features: the waves drawn, how near their inner products come to the kernel, and the fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.colours import shaded_image
from kernelviz.drawing.figure.stamps import Stamps
from kernelviz.drawing.figure.strokes import pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text
from kernelviz.drawing.wording import Remark, shown
from kernelviz.engine.algorithms.on_features import RandomFeatures
from kernelviz.engine.analysis.random_features import approximation_error, exact_limit, expected_error
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import integer
from kernelviz.engine.kernels.features import RandomCosines
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, decades, ink
from kernelviz.scene.landscape import can_be_drawn, landscape, steady_extent
from kernelviz.scene.layers import Contours, Coordinates, Layer, Lines, Upright
from kernelviz.scene.nodes import Column, Node, Placed, Size, Text, Tiles
from kernelviz.scene.plots import Field, Plot
from kernelviz.scene.view import Memory, Now, Scene, View, message
from kernelviz.session.view import ViewRange

WAVES = 12  # Waves shown: those with the largest weights.
NODES = 24  # Values of a wave in each direction.
MEASURED = tuple(2**k for k in range(11))  # Numbers of cosines for which the error is measured.
COMPARED = 120  # Points whose Gram matrix is approximated.
MOST_POINTS = 500
CROWD = 100  # Points are drawn as small as among so many.
LAM = 0.1  # Regularisation of the fit on random features that is made for the view.
ROUNDING = 1e-13  # Weights below this, in units of the largest target, are written 0.
EXACT = Curve("", "highlight", 1.6, (4.0, 3.0))
EXPECTED = Curve("c/√q", "soft_ink", 1.4, (4.0, 2.0))
FOUND = Curve("measured", "ink", 3.0)
INSTEAD = Remark(
    "least squares",
    "The algorithm of the fit does not use random features, so least squares is fitted on q random cosines.",
)


@dataclass(frozen=True)
class WavesView(View):
    """The waves with their weights, errors over q, and the fit with that of the exact kernel dashed. A fit on
    random features shows its own waves; for any other least squares is fitted on q random cosines."""

    name = "waves"
    title = "Random features"
    family = "Geometry"
    summary_line = "Random cosines that stand in for the kernel: waves, weights, error over q, and the fit."
    number = 17
    domains = ("vectors",)
    in_background = True
    pause = 300  # It fits two models and draws a thousand cosines.

    q: int = integer(30, low=1, high=1000, scale="log", label="q", help="Number of random cosines")
    seed: int = integer(0, low=0, high=2**31 - 1, soft=(0, 100), label="seed", help="Draw other cosines")

    def scene(self, frame: Frame, now: Now, memory: Memory) -> Scene:
        problem, data = frame.model.problem, frame.data
        if data.task not in (Task.TWO_CLASSES, Task.REGRESSION) or not can_be_drawn(data):
            return message("Random features are shown for two classes or real targets.")
        if problem.n > MOST_POINTS:
            return message(f"Random features are shown for up to {MOST_POINTS} points.")
        used = frame.model.algorithm
        own = isinstance(used, RandomFeatures) and isinstance(frame.model, FeatureModel)
        how = RandomFeatures(q=self.q, seed=self.seed, model="ridge", lam=LAM)
        if isinstance(used, RandomFeatures) and own:
            how = used
        key, exact = (problem.data, problem.kernel, how), None
        try:
            model = frame.model if own else memory.keep("model", key, lambda: how.fit(problem))
            if how.model == "ridge":
                exact = memory.keep("exact model", key, lambda: exact_limit(problem, how, how.lam))
            errors = memory.keep("errors", (*key[:2], how.seed), lambda: _errors(problem, how.seed))
        except (BadInput, np.linalg.LinAlgError) as trouble:
            return message(str(trouble))
        assert isinstance(model, FeatureModel)
        below: tuple[Layer, ...] = ()
        if exact is not None:
            below = _dashed(landscape(exact, data, exact.training_scores, "", memory, part="exact"))
        fit = landscape(
            model,
            data,
            model.training_scores,
            f"q = {how.q}; exact kernel dashed" if below else f"q = {how.q}, {how.model}",
            memory,
            part="fit",
            below=below,
            found=True,
            crowd=max(data.n, CROWD),
        )
        parts = (_waves(model, steady_extent(data, memory)), _error_plot(errors, how.q), fit)
        root = Tiles(tuple(part for part in parts if part is not None), gap=1.0)
        # The numbers of a fit on random features are set where the algorithm's are.
        return Scene(root, ()) if own else Scene(root, remark=INSTEAD)


def _errors(problem: Problem, seed: int) -> tuple[Array, Array]:
    """Return the root mean square error of the Gram matrix for each q of MEASURED, and the expected
    one."""
    rows = np.unique(np.linspace(0, problem.n - 1, min(problem.n, COMPARED)).astype(np.intp))
    X = problem.X[rows]
    found = [approximation_error(problem.kernel, X, q, seed).root_mean_square for q in MEASURED]
    return np.array(found), expected_error(problem.kernel, X, 1) / np.sqrt(MEASURED)


def _error_plot(errors: tuple[Array, Array], q: int) -> Plot:
    (found, expected), at = errors, np.array(MEASURED, dtype=np.float64)
    low, high = decades(np.concatenate(errors))
    return Plot(
        part="errors",
        x=Axis(1.0, 10_000.0, "q", log=True),
        y=Axis(low, high, "error of K", log=True),
        ground=(
            Lines(part="expected", x=at, y=expected, curve=EXPECTED),
            Dots(part="measured", x=at, y=found, curve=FOUND),
        ),
        layers=(Upright(part="q", x=float(q)),),
        legend=((EXPECTED, ""), (FOUND, "")),
    )


def _dashed(exact: Node | None) -> tuple[Layer, ...]:
    """Return the boundary, or the curve, of a landscape as a dashed line to be drawn in another one."""
    drawn = exact.ground[0] if isinstance(exact, Field | Plot) else None
    if isinstance(drawn, Contours):
        gap = np.full((1, 2), np.nan)
        zero = [
            part for level, lines in drawn.lines if level == 0.0 for line in lines for part in (line, gap)
        ]
        x, y = np.concatenate([gap, *zero]).T
        return (Lines(part="exact", x=x, y=y, curve=EXACT),)
    return (replace(drawn, part="exact", curve=EXACT),) if isinstance(drawn, Lines) else ()


def _waves(model: FeatureModel, view: ViewRange) -> Node:
    """Return the waves with the largest weights, each over all of the extent, below a title."""
    weights, cosines = model.weights, model.features
    assert isinstance(cosines, RandomCosines)
    chosen = np.argsort(-np.abs(weights), kind="stable")[:WAVES].tolist()
    named = f"{len(chosen)} of {len(weights)} waves" if len(chosen) < len(weights) else "the waves"
    nothing = ROUNDING * model.problem.data.largest_target
    waves = tuple(
        Wave(
            frequencies=cosines.frequencies[j],
            phase=float(cosines.phases[j]),
            weight=shown(float(weights[j]), 2, zero=nothing),
            view=view,
        )
        for j in chosen
    )
    return Column(((Text(f"{named}, weight wⱼ", lines=1), Size(lines=1.0)), (Tiles(waves), None)), gap=0.9)


@dataclass(frozen=True, eq=False, kw_only=True)
class Wave(Node):
    """cos(w·x + u) over the extent: a curve, or shades of grey; and its weight below."""

    frequencies: Array
    phase: float
    weight: str
    view: ViewRange

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedWave(self, rect, style)

    @property
    def values(self) -> Array:
        """The wave along a line, or on a grid of the plane."""
        view, w = self.view, self.frequencies
        if len(w) == 1:
            x = np.linspace(view.left, view.right, 4 * NODES)
            return np.asarray(np.cos(w[0] * x + self.phase))
        x, y = np.linspace(view.left, view.right, NODES), np.linspace(view.bottom, view.top, NODES)
        return np.asarray(np.cos(w[0] * x + w[1] * y[:, None] + self.phase))


class PlacedWave(Placed):
    """A wave in its rectangle."""

    def __init__(self, node: Wave, rect: QRectF, style: Style) -> None:
        super().__init__("wave", rect, style)
        self.node, self.ground = node, node.value
        self.inner = rect.adjusted(0, 0, -0.1 * rect.width(), -1.5 * style.text)

    def draw_ground(self, painter: QPainter) -> None:
        style, box, values = self.style, self.inner, self.node.values
        if box.width() <= 0.0:
            return  # a figure of many panels has no room for it
        painter.setPen(pen(style.theme.soft_ink, style.axis_width))
        if values.ndim == 1:
            x = np.linspace(box.left(), box.right(), len(values))
            painter.drawPolyline(
                polygon(np.column_stack([x, box.center().y() - 0.45 * values * box.height()]))
            )
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(box, shaded_image(0.5 + 0.5 * values, style.theme))
            painter.drawRect(box)
        below = QPointF(box.center().x(), box.bottom() + style.text)
        size = min(style.text, self.rect.width() / 4)
        draw_text(painter, style, below, self.node.weight, points=size, anchor="centre")


@dataclass(frozen=True, eq=False, kw_only=True)
class Dots(Lines):
    """A dot at each place."""

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setPen(pen(ink(axes.style.theme, self.curve.colour), 4.0 * axes.style.strokes))
        painter.drawPoints(polygon(axes.at(self.x, self.y)))
