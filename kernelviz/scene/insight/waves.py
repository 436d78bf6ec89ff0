"""Random features: the waves drawn, how near their inner products come to the kernel, and the fit.

A kernel of differences, such as the Gaussian, is the expectation of products of cosines. With frequencies wⱼ
drawn from its spectrum and phases uⱼ from [0, 2π], K(x, x′) ≈ (2/q) Σⱼ cos(wⱼ·x + uⱼ) cos(wⱼ·x′ + uⱼ), and
the error falls like 1/√q (Rahimi and Recht, 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.engine.algorithms.on_features import RandomFeatures, exact_limit
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice, flag, integer
from kernelviz.engine.kernels.random_features import (
    RandomCosines,
    along_first_axis,
    approximation_error,
    expected_error,
    mean_of_cosines,
    spectral_density,
)
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.problem import Problem
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, decades, round_above
from kernelviz.scene.figure.colours import shaded_image
from kernelviz.scene.figure.strokes import pen, polygon
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text
from kernelviz.scene.landscape import can_be_drawn, dashed, landscape, steady_extent
from kernelviz.scene.layers import Layer
from kernelviz.scene.nodes import Column, Custom, Node, Size, Text, Tiles
from kernelviz.scene.plot_layers import Dots, Lines, Upright
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Now, Scene, View, ViewMemory, message
from kernelviz.scene.wording import shown
from kernelviz.session.view import ViewRange

WAVES, COSINES, ONE_BY_ONE = "waves", "cosines", "one by one"
MOST_WAVES = 12  # Waves shown: those with the largest weights.
MEASURED = tuple(2**k for k in range(11))  # Numbers of cosines for which the error is measured.
MOST_FITTED = 500
LAM = 0.1  # Regularisation of the fit on random features that is made for the view.
COSINE = Curve("cos ω(x − x′)", "shade 0.35 soft_ink", 0.9)


@dataclass(frozen=True)
class WavesView(View):
    """Random features of the kernel, in three faces.

    "waves" shows those with the largest weights, the error of the Gram matrix over q, and the fit, with
    that of the exact kernel dashed. "cosines" shows the frequencies with the density they are drawn from,
    and the mean of the cosines, which tends to the kernel. "one by one" adds up the m waves with the
    largest weights; the whole fit is dashed.

    A fit on random features shows its own waves, and q, the seed and the phases are set where the
    algorithm's parameters are. For any other algorithm least squares is fitted on `q` cosines drawn with
    `seed`."""

    name = "waves"
    title = "Random features"
    family = "Geometry"
    summary_line = "Random cosines that stand in for the kernel: waves, weights, error over q, and the fit."
    number = 17
    pictured = ("moons(n=40, noise=0.2)", "rbf(gamma=2) ; random-features(q=100)")
    domains = ("vectors",)
    in_background = True
    pause = 300  # It fits two models and draws a thousand cosines.

    face: str = choice(
        WAVES,
        (WAVES, COSINES, ONE_BY_ONE),
        label="Show",
        help="The waves, the error of K and the fit; the frequencies and the mean of their cosines, which "
        "tends to K; or the sum of the m waves with the largest weights",
    )
    m: int = integer(
        3, low=1, high=1000, scale="log", label="m", help="Waves added up, those of the largest weights first"
    )
    q: int = integer(30, low=1, high=1000, scale="log", label="q", help="Number of random cosines")
    seed: int = integer(0, low=0, high=2**31 - 1, soft=(0, 100), label="seed", help="Draw other cosines")
    phases: bool = flag(True, label="Phases", help="Shift each wave; without phases the fit has s(x) = s(−x)")

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return the parts of the chosen face, side by side; a model on random features is fitted if the
        fit is none."""
        problem, data = frame.model.problem, frame.data
        if data.task not in (Task.TWO_CLASSES, Task.REGRESSION) or not can_be_drawn(data):
            return message("Random features are shown for two classes or real targets.")
        if problem.n > MOST_FITTED:
            return message(f"Random features are shown for up to {MOST_FITTED} points.")
        used = frame.model.algorithm
        own = isinstance(used, RandomFeatures) and isinstance(frame.model, FeatureModel)
        how = RandomFeatures(q=self.q, seed=self.seed, model="ridge", lam=LAM, phases=self.phases)
        if isinstance(used, RandomFeatures) and own:
            how = used
        key = (problem.data, problem.kernel, how)
        try:
            model = frame.model if own else memory.keep("model", key, lambda: how.fit(problem))
            assert isinstance(model, FeatureModel)
            parts = {WAVES: _overview, COSINES: _draws, ONE_BY_ONE: self._one_by_one}[self.face](
                model, how, memory
            )
        except (BadInput, np.linalg.LinAlgError) as trouble:
            return message(str(trouble))
        # The numbers of a fit on random features are set where the algorithm's are.
        of_draw = () if own else ("q", "seed", "phases")
        of_face = ("face", "m") if self.face == ONE_BY_ONE else ("face",)
        return Scene(Tiles(parts, gap=1.0), (*of_face, *of_draw))

    def _one_by_one(self, model: FeatureModel, how: RandomFeatures, memory: ViewMemory) -> tuple[Node, ...]:
        """Return the m waves of the largest weights, and their sum with the whole fit dashed."""
        data, m = model.problem.data, min(self.m, how.q)
        sum_of_m = memory.keep("sum", (model, m), lambda: model.with_largest(m))
        summed = landscape(
            sum_of_m,
            data,
            f"b + the sum of {m} of {how.q} waves; all of them dashed",
            memory,
            part="sum",
            below=dashed(model, data, memory, "whole"),
            found=True,
        )
        shown_waves = _waves(model, steady_extent(data, memory), min(m, MOST_WAVES))
        return (shown_waves,) if summed is None else (shown_waves, summed)


def _overview(model: FeatureModel, how: RandomFeatures, memory: ViewMemory) -> tuple[Node, ...]:
    """Return the waves, the error of K over q, and the fit."""
    problem, data = model.problem, model.problem.data
    below: tuple[Layer, ...] = ()
    if how.model == "ridge":
        key = (data, problem.kernel, how.lam)
        exact = memory.keep("exact model", key, lambda: exact_limit(problem, how, how.lam))
        below = dashed(exact, data, memory, "exact")
    key = (data, problem.kernel, how.seed)
    errors = memory.keep("errors", key, lambda: _errors(problem, how.seed))
    named = "least squares" if how.model == "ridge" else how.model
    fit = landscape(
        model,
        data,
        f"{named}; exact dashed" if below else named,
        memory,
        part="fit",
        below=below,
        found=True,
    )
    waves = _waves(model, steady_extent(data, memory), MOST_WAVES)
    parts = (waves, _error_plot(errors, how.q), fit)
    return tuple(part for part in parts if part is not None)


def _draws(model: FeatureModel, how: RandomFeatures, memory: ViewMemory) -> tuple[Node, ...]:
    """Return the frequencies along the first axis as a histogram with the density they are drawn from, and
    the mean of their cosines with K."""
    kernel, p = model.problem.kernel, model.problem.X.shape[1]
    assert isinstance(model.features, RandomCosines)
    drawn = model.features.frequencies[:, 0]
    # The histogram shows this share of so many frequencies, so that it stays the same while q changes.
    share_seen, count = 0.9, 2000
    many = np.abs(RandomCosines.draw(kernel, model.problem.X, count, np.random.default_rng(0)).frequencies)
    reach = round_above(float(np.quantile(many[:, 0], share_seen)))
    bins, along, some = 24, 201, 4  # Bars of the histogram, nodes of a curve, and cosines drawn one by one.
    heights, edges = np.histogram(drawn, bins, (-reach, reach))
    heights = heights / (len(drawn) * (edges[1] - edges[0]))
    at = np.linspace(-reach, reach, along)
    density = memory.keep("density", (kernel, p, reach), lambda: spectral_density(kernel, p, at))
    x, y = np.repeat(edges, 2), np.concatenate([[0.0], np.repeat(heights, 2), [0.0]])
    drawn_curve, density_curve = Curve("drawn", "soft_ink", 1.2), Curve("density", "highlight", 1.8)
    lines, top = (
        [Lines(part="drawn", x=x, y=y, curve=drawn_curve, number=f"of {len(drawn)}")],
        float(heights.max()),
    )
    if density is not None:
        lines.append(Lines(part="density", x=at, y=density, curve=density_curve, number=""))
        top = max(top, float(density.max()))
    frequencies = Plot(
        part="frequencies",
        x=Axis(-reach, reach, "ω₁" if p > 1 else "ω"),
        y=Axis(0.0, round_above(top)),
        ground=tuple(lines),
    )
    view = steady_extent(model.problem.data, memory)
    d = np.linspace(0.0, view.right - view.left, along)
    mean, exact = mean_of_cosines(drawn, d), along_first_axis(kernel, p, d)
    few = [np.column_stack([d, np.cos(w * d)]) for w in drawn[:some]]
    off = shown(float(np.abs(mean - exact).max()), 2)
    mean_curve = Curve("mean", "boundary", 1.8)
    kernel_curve = Curve("K", "highlight", 1.6, (4.0, 3.0))
    cosines = Plot(
        part="cosines",
        x=Axis(0.0, float(d[-1]), "x₁ − x₁′" if p > 1 else "x − x′"),
        y=Axis(-1.05, 1.05),
        ground=(
            Lines.joined("some cosines", few, COSINE, number=""),
            Lines(part="mean", x=d, y=mean, curve=mean_curve, number=f"of {len(drawn)}"),
            Lines(part="kernel", x=d, y=exact, curve=kernel_curve, number=f"off by {off}"),
        ),
    )
    return frequencies, cosines


def _errors(problem: Problem, seed: int) -> tuple[Array, Array]:
    """Return the root mean square error of the Gram matrix for each q of MEASURED, and the expected
    one."""
    compared = 120  # Points whose Gram matrix is approximated.
    rows = np.unique(np.linspace(0, problem.n - 1, min(problem.n, compared)).astype(np.intp))
    X = problem.X[rows]
    found = [approximation_error(problem.kernel, X, q, seed).root_mean_square for q in MEASURED]
    return np.array(found), expected_error(problem.kernel, X, 1) / np.sqrt(MEASURED)


def _error_plot(errors: tuple[Array, Array], q: int) -> Plot:
    """Return the error of K over q, as measured and as expected, with an upright line at the present q."""
    (found, expected), at = errors, np.array(MEASURED, dtype=np.float64)
    low, high = decades(np.concatenate(errors))
    expected_curve = Curve("c/√q", "soft_ink", 1.4, (4.0, 2.0))
    found_curve = Curve("measured", "ink", 3.0)
    return Plot(
        part="errors",
        x=Axis(1.0, 10_000.0, "q", log=True),
        y=Axis(low, high, "error of K", log=True),
        ground=(
            Lines(part="expected", x=at, y=expected, curve=expected_curve, number=""),
            Dots(part="measured", x=at, y=found, curve=found_curve, number=""),
        ),
        layers=(Upright(part="q", x=float(q)),),
    )


def _waves(model: FeatureModel, view: ViewRange, count: int) -> Node:
    """Return the waves with the largest |wⱼ|, each over the whole extent of the points, below a title with
    their number."""
    weights, cosines = model.weights, model.features
    assert isinstance(cosines, RandomCosines)
    chosen = np.argsort(-np.abs(weights), kind="stable")[:count].tolist()
    named = f"{len(chosen)} of {len(weights)} waves" if len(chosen) < len(weights) else "the waves"
    rounding = 1e-13  # Weights below this, in units of the largest target, are written 0.
    nothing = rounding * float(np.abs(model.problem.y).max())
    waves = tuple(
        Wave(
            cosines.frequencies[j],
            float(cosines.phases[j]),
            shown(float(weights[j]), 2, zero=nothing),
            view,
        )
        for j in chosen
    )
    tiles = Tiles(tuple(Custom("wave", wave, draw_wave) for wave in waves))
    return Column(((Text(f"{named}, wⱼ", lines=1), Size(lines=1.0)), (tiles, None)), gap=0.9)


class Wave(NamedTuple):
    """cos(w·x + u) and its weight."""

    frequencies: Array
    phase: float
    weight: str
    view: ViewRange  # The part of the line or plane on which it is drawn.


def draw_wave(
    w: Array, u: float, weight: str, view: ViewRange, painter: QPainter, rect: QRectF, style: Style
) -> None:
    """Draw a wave as a curve along the line, or in shades of grey over the plane; and its weight below."""
    box = rect.adjusted(0, 0, -0.1 * rect.width(), -1.5 * style.text)
    if box.width() <= 0.0:
        return  # a figure of many panels has no room for it
    painter.setPen(pen(style.theme.soft_ink, style.axis_width))
    nodes = 24  # Values of a wave in each direction.
    if len(w) == 1:
        heights = np.cos(w[0] * np.linspace(view.left, view.right, 4 * nodes) + u)
        x, y = (
            np.linspace(box.left(), box.right(), 4 * nodes),
            box.center().y() - 0.45 * heights * box.height(),
        )
        painter.drawPolyline(polygon(np.column_stack([x, y])))
    else:
        x, y = np.linspace(view.left, view.right, nodes), np.linspace(view.bottom, view.top, nodes)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(
            box, shaded_image(0.5 + 0.5 * np.cos(w[0] * x + w[1] * y[:, None] + u), style.theme)
        )
        painter.drawRect(box)
    below = QPointF(box.center().x(), box.bottom() + style.text)
    draw_text(painter, style, below, weight, points=min(style.text, rect.width() / 4), anchor="centre")
