"""Random features: the waves drawn, how near their inner products come to the kernel, and the fit."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.colours import field_image
from kernelviz.drawing.figure.strokes import draw_lines, pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, fitted
from kernelviz.drawing.figure.transform import Transform
from kernelviz.drawing.insight.landscape import Landscape
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, nearest_mark, padded
from kernelviz.drawing.insight.plot import Axis, Curve, Plot
from kernelviz.drawing.insight.ranges import decades
from kernelviz.drawing.insight.scatter import draw_points, encircle
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import shown
from kernelviz.engine.algorithms.on_features import RandomFeatures
from kernelviz.engine.analysis.random_features import approximation_error, exact_limit, expected_error
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data, Task
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, integer
from kernelviz.engine.kernels.random_cosines import RandomCosines
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.features import FeatureModel
from kernelviz.engine.models.problem import Problem
from kernelviz.engine.models.sampling import LineSample
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.workspaces.registry import workspace_of

WAVES = 12  # Shown, those with the largest weights.
NODES = 24
MEASURED = tuple(2**k for k in range(11))
COMPARED = 120  # Points whose Gram matrix is approximated.
MOST_POINTS = 500
LAM = 0.1
ROUNDING = 1e-13  # Of the targets.


@dataclass(frozen=True)
class WavesSwitches(Declared):
    """Which cosines are drawn."""

    name: ClassVar[str] = "the waves"
    q: int = integer(30, low=1, high=1000, scale="log", label="q", help="Number of random cosines")
    seed: int = integer(0, low=0, high=2**31 - 1, soft=(0, 100), label="seed", help="Draw other cosines")


@dataclass(frozen=True, eq=False)
class Errors:
    """The root mean square error of the Gram matrix for several q, and what is to be expected."""

    data: Data
    kernel: Any
    seed: int
    measured: Array
    expected: Array

    @classmethod
    def of(cls, problem: Problem, seed: int, before: Errors | None) -> Errors:
        if before is not None and (before.data, before.kernel, before.seed) == (
            problem.data,
            problem.kernel,
            seed,
        ):
            return before
        rows = np.unique(np.linspace(0, problem.n - 1, min(problem.n, COMPARED)).astype(np.intp))
        X = problem.X[rows]
        found = [approximation_error(problem.kernel, X, q, seed).root_mean_square for q in MEASURED]
        once = expected_error(problem.kernel, X, 1)
        return cls(problem.data, problem.kernel, seed, np.array(found), once / np.sqrt(MEASURED))


@dataclass(frozen=True, eq=False, kw_only=True)
class WavesPicture(InsightPicture):
    """Those of the fit itself if it is one on random features, else least squares on others.

    Left the waves with their weights, then errors over q, then the fit with the exact kernel's dashed."""

    title = "Random features"
    switches = WavesSwitches

    model: FeatureModel
    q: int
    errors: Errors
    fit: Landscape | None
    exact: Landscape | None
    own: bool  # Whether these are the waves of the fit itself, and not some beside it.

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: WavesPicture | None
    ) -> InsightPicture:
        problem, data = frame.model.problem, frame.data
        if data.task not in (Task.TWO_CLASSES, Task.REGRESSION) or not Landscape.possible(data):
            return NothingToShow(reason="Random features are shown for two classes or real targets.")
        if problem.n > MOST_POINTS:
            return NothingToShow(reason=f"Random features are shown of up to {MOST_POINTS} points.")
        own = _own_waves(frame.model)
        how = own or RandomFeatures(q=switches.q, seed=switches.seed, model="ridge", lam=LAM)
        if before is not None and before._is_of(problem, how, frame.model if own else None):
            return before
        try:
            model = frame.model if own else how.fit(problem)
            exact = exact_limit(problem, how, how.lam) if how.model == "ridge" else None
            errors = Errors.of(problem, how.seed, None if before is None else before.errors)
        except (BadInput, np.linalg.LinAlgError) as trouble:
            return NothingToShow(reason=str(trouble))
        assert isinstance(model, FeatureModel)
        last = (None, None) if before is None else (before.fit, before.exact)
        dashed = "; dashed: the kernel itself" if exact is not None else f", {how.model}"
        name = f"{'' if own else 'least squares, '}q = {how.q}{dashed}"
        return cls(
            model=model,
            q=how.q,
            errors=errors,
            fit=Landscape.of(model, data, model.training_scores, name, last[0]),
            exact=None if exact is None else Landscape.of(exact, data, exact.training_scores, "", last[1]),
            own=own is not None,
        )

    @property
    def switchable(self) -> Collection[str]:
        """Its own numbers are set where the algorithm's are."""
        return () if self.own else super().switchable

    def _is_of(self, problem: Problem, how: RandomFeatures, model: Model | None) -> bool:
        mine = self.model.problem
        same = mine.data is problem.data and mine.kernel == problem.kernel and self.model.algorithm == how
        return same and (model is None or model is self.model)

    @property
    def cosines(self) -> RandomCosines:
        features = self.model.features
        assert isinstance(features, RandomCosines)
        return features

    @property
    def nothing(self) -> float:
        """What rounding leaves of a weight that is 0."""
        return ROUNDING * self.model.problem.data.largest_target

    # Where everything is --------------------------------------------------------------------------------
    def _parts(self, rect: QRectF, style: Style) -> tuple[QRectF, QRectF, QRectF]:
        room, gap = padded(rect, style), style.text
        if room.width() >= room.height():
            wide = room.width() / 3
            parts = [QRectF(room.left() + k * wide, room.top(), wide - gap, room.height()) for k in range(3)]
        else:
            high = room.height() / 3
            parts = [QRectF(room.left(), room.top() + k * high, room.width(), high - gap) for k in range(3)]
        return parts[0], parts[1], parts[2]

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        if self.fit is None:
            return ()
        xy = self.fit.at(self._parts(rect, style)[2], style)
        return nearest_mark(xy, np.arange(len(xy)), at)

    # What is drawn --------------------------------------------------------------------------------------
    @property
    def ground(self) -> Hashable:
        return self.model, self.errors, self.fit

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        waves, errors, fit = self._parts(rect, style)
        self._draw_waves(painter, waves, style)
        self._draw_errors(painter, errors, style)
        if self.fit is not None:
            self.fit.draw(painter, fit, style)
            self._draw_exact(painter, fit, style)

    def _draw_waves(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The waves with the largest weights, each over all of the view, with its weight below."""
        text, weights = style.text, self.model.weights
        chosen = np.argsort(-np.abs(weights), kind="stable")[:WAVES]
        count = len(chosen)
        if rect.width() <= 0.0:
            return  # a figure of so many panels has no room for it
        columns = max(1, round(float(np.sqrt(count * rect.width() / max(1.0, rect.height())))))
        rows = -(-count // columns)
        wide, high = rect.width() / columns, (rect.height() - 1.9 * text) / rows
        told = f"{count} of {len(weights)} waves" if count < len(weights) else "the waves"
        at = QPointF(rect.left(), rect.top() + text)
        title, size = fitted(f"{told}, wⱼ", text, rect.width())
        draw_text(painter, style, at, title, points=size, colour=style.theme.soft_ink)
        for k, j in enumerate(chosen.tolist()):
            row, column = divmod(k, columns)
            box = QRectF(
                rect.left() + column * wide,
                rect.top() + 1.9 * text + row * high,
                0.9 * wide,
                high - 1.5 * text,
            )
            self._draw_wave(painter, box, j, style)
            below = QPointF(box.center().x(), box.bottom() + 1.0 * text)
            size = min(text, wide / 4)
            weight = shown(float(weights[j]), 2, zero=self.nothing)
            draw_text(painter, style, below, weight, points=size, anchor="centre")

    def _draw_wave(self, painter: QPainter, box: QRectF, j: int, style: Style) -> None:
        view = (
            self.fit.view if self.fit is not None else workspace_of(self.errors.data).extent(self.errors.data)
        )
        w, u = self.cosines.frequencies[j], float(self.cosines.phases[j])
        x = np.linspace(view.left, view.right, NODES if len(w) > 1 else 4 * NODES)
        painter.setPen(pen(style.theme.soft_ink, style.axis_width))
        if len(w) == 1:
            y = np.cos(w[0] * x + u)
            places = np.column_stack(
                [
                    box.left() + (x - x[0]) / (x[-1] - x[0]) * box.width(),
                    box.center().y() - 0.45 * y * box.height(),
                ]
            )
            painter.drawPolyline(polygon(places))
            return
        x2 = np.linspace(view.bottom, view.top, NODES)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box, field_image(np.cos(w[0] * x + w[1] * x2[:, None] + u), style.theme, 0.6))
        painter.drawRect(box)

    def _plot(self, rect: QRectF, style: Style) -> Plot:
        low, high = decades(np.concatenate([self.errors.measured, self.errors.expected]))
        return Plot(style, rect, Axis(1.0, 10_000.0, "q", log=True), Axis(low, high, "error of K", log=True))

    def _draw_errors(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        plot, theme, q = self._plot(rect, style), style.theme, np.array(MEASURED, dtype=np.float64)
        plot.draw_axes(painter)
        line = Curve("c/√q", theme.soft_ink, 1.4, (4.0, 2.0))
        plot.draw_curve(painter, q, self.errors.expected, line)
        painter.setPen(pen(theme.positive, 4.0 * style.strokes))
        for x, y in plot.at(q, self.errors.measured).tolist():
            painter.drawPoint(QPointF(x, y))
        plot.draw_upright(painter, float(self.q))
        plot.draw_strip(painter, [(line, ""), (Curve("measured", theme.positive, 3.0), "")])

    def _draw_exact(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """Over the fit, dashed: the boundary, or the curve, of the kernel itself."""
        if self.fit is None or self.exact is None:
            return
        room, sample = self.fit.room(rect, style), self.exact.sample
        painter.save()
        painter.setClipRect(room)
        if isinstance(sample, LineSample):
            plot = self.fit._plot(rect, style)
            plot.draw_curve(painter, sample.x, sample.s, Curve("", style.theme.highlight, 1.6, (4.0, 3.0)))
        else:
            painter.setPen(pen(style.theme.highlight, 1.8 * style.strokes, dash=(4.0, 3.0)))
            for level, lines in self.exact.lines:
                if level == 0.0:
                    draw_lines(painter, Transform.between(self.exact.view, room), lines)
        painter.restore()

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        if self.fit is None:
            return
        data, part = self.model.problem.data, self._parts(rect, style)[2]
        xy = self.fit.at(part, style)
        painter.save()
        painter.setClipRect(self.fit.room(part, style).adjusted(-3, -3, 3, 3))
        groups = workspace_of(data).groups(data)
        draw_points(painter, style.among(max(data.n, 100)), xy, groups, len(data.class_names), stamps)
        for i in self.marks.among(data.n):
            encircle(painter, style, xy[i], i == self.marks.hovered)
        painter.restore()


def _own_waves(model: Model) -> RandomFeatures | None:
    """The algorithm of a model that is a fit on random features itself."""
    how = model.algorithm
    return how if isinstance(how, RandomFeatures) and isinstance(model, FeatureModel) else None
