"""Kernel PCA: the points along two directions of feature space, what each direction explains, and one of them
as a function of the input."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.colours import blend
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text
from kernelviz.drawing.insight.landscape import Landscape
from kernelviz.drawing.insight.picture import InsightPicture, NothingToShow, Remark, nearest_mark, padded
from kernelviz.drawing.insight.plot import Axis, Plot
from kernelviz.drawing.insight.ranges import SteadyRange
from kernelviz.drawing.insight.scatter import draw_points, encircle, thinned
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import named
from kernelviz.engine.analysis.lifts import MOST_POINTS, FeatureCloud
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, choice
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.workspaces.registry import workspace_of

COMPONENTS = 9  # To choose from.
LEAST = SteadyRange.of_any_size(both_sides=True)
# Height of the bars with their numbers, at least, in units of the text's size and of the whole.
BARS, BARS_SHARE = 4.4, 0.16
# Height, in units of the text's size, from which there are bars, and width from which the map and the
# function stand side by side.
ROOM_FOR_BARS, ROOM_BESIDE = 15, 26
FADED = 0.35
ABOUT = (
    "Kernel PCA centres the points in feature space and finds the directions in which they spread most. "
    "Each is a function of the input; its share is that of the whole variance, and the two axes together "
    "show this much of it."
)


def _component(default: int, label: str, help: str) -> Any:
    return choice(
        str(default), tuple(str(k + 1) for k in range(COMPONENTS)), label=label, help=f"The component {help}"
    )


@dataclass(frozen=True)
class ComponentSwitches(Declared):
    """Which components are the axes of the map."""

    name: ClassVar[str] = "the map"
    across: str = _component(
        1, "Across", "to the right, also shown as a function; a click on its bar does it"
    )
    up: str = _component(2, "up", "upwards")


@dataclass(frozen=True, eq=False, kw_only=True)
class ComponentsPicture(InsightPicture):
    """The map of two components; below it the share of each, beside it the first as contours or curve."""

    title = "Kernel PCA"
    switches = ComponentSwitches

    cloud: FeatureCloud
    axes_shown: tuple[int, int]
    classes: Indices
    landscape: Landscape | None
    x: SteadyRange = LEAST
    y: SteadyRange = LEAST

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: ComponentsPicture | None
    ) -> InsightPicture:
        try:
            cloud = FeatureCloud.of(frame.model.problem, COMPONENTS, before.cloud if before else None)
        except BadInput as problem:
            return NothingToShow(reason=str(problem))
        if not cloud.pca.components:
            return NothingToShow(reason="In feature space all points are the same: there is no direction.")
        across, up = int(switches.across) - 1, int(switches.up) - 1
        x, y = cloud.places[:, across], cloud.places[:, up]
        same = before is not None and before.axes_shown == (across, up)
        last = (before.x, before.y) if before is not None and same else (LEAST, LEAST)
        return cls(
            cloud=cloud,
            axes_shown=(across, up),
            classes=workspace_of(frame.data).groups(frame.data),
            landscape=_landscape(frame, cloud, across, before),
            x=last[0].covering(float(x.min()), float(x.max())),
            y=last[1].covering(float(y.min()), float(y.max())),
            remark=Remark(_told(cloud, {across, up}), ABOUT),
        )

    @property
    def data(self) -> Data:
        return self.cloud.problem.data

    # Where everything is --------------------------------------------------------------------------------
    def _map(self, rect: QRectF, style: Style) -> Plot:
        across, up = self.axes_shown
        x = Axis(self.x.low, self.x.high, self._label(across))
        return Plot(style, self._parts(rect, style)[0], x, Axis(self.y.low, self.y.high, self._label(up)))

    def _label(self, k: int) -> str:
        shares = self.cloud.pca.shares
        return f"component {k + 1}" + ("" if k < len(shares) else " (none)")

    def _parts(self, rect: QRectF, style: Style) -> tuple[QRectF, QRectF | None, QRectF | None]:
        """Of the map, the function and the bars: beside or above each other, as there is room."""
        rect, bars = padded(rect, style), None
        if rect.height() > ROOM_FOR_BARS * style.text:
            high = max(BARS * style.text, BARS_SHARE * rect.height())
            bars = QRectF(rect.left(), rect.bottom() - high, rect.width(), high)
            rect = QRectF(rect.topLeft(), bars.topRight())
        if self.landscape is None:
            return rect, None, bars
        if rect.width() > max(rect.height(), ROOM_BESIDE * style.text):
            half = 0.5 * rect.width()
            return rect.adjusted(0, 0, -half, 0), rect.adjusted(half + style.text, 0, 0, 0), bars
        half = 0.5 * rect.height()
        return rect.adjusted(0, 0, 0, -half), rect.adjusted(0, half, 0, -0.5 * style.text), bars

    def _marks_of(self, rect: QRectF, style: Style) -> list[tuple[Array, Indices]]:
        """On the map and on the function: where the points are, and which of them are drawn."""
        plot, (_, side, _) = self._map(rect, style), self._parts(rect, style)
        across, up = self.axes_shown
        places = [plot.at(self.cloud.places[:, across], self.cloud.places[:, up])]
        if self.landscape is not None and side is not None:
            places.append(self.landscape.at(side, style))
        return [(xy, thinned(xy, 1 + self.classes % 15)) for xy in places]

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        for xy, drawn in self._marks_of(rect, style):
            if found := nearest_mark(xy[drawn], drawn, at):
                return found
        return ()

    def component_at(self, at: QPointF, rect: QRectF, style: Style) -> int | None:
        """The component whose bar is at a place."""
        bars = self._parts(rect, style)[2]
        if bars is None or not bars.contains(at):
            return None
        k = int((at.x() - bars.left()) / (bars.width() / COMPONENTS))
        return k if k < self.cloud.pca.components else None

    # What is drawn --------------------------------------------------------------------------------------
    @property
    def ground(self) -> Hashable:
        return self.x, self.y, self.axes_shown, self.landscape, self.cloud

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        self._map(rect, style).draw_axes(painter)
        _, side, bars = self._parts(rect, style)
        if side is not None and self.landscape is not None:
            self.landscape.draw(painter, side, style)
        if bars is not None:
            self._draw_bars(painter, bars, style)

    def _draw_bars(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The shares of the variance, those of the two axes in full colour."""
        text, theme, wide = style.text, style.theme, rect.width() / COMPONENTS
        highest = rect.height() - 2.6 * text
        top = max(float(self.cloud.pca.shares.max()), 1e-12)
        for k, share in enumerate(self.cloud.pca.shares.tolist()):
            colour = theme.positive if k in self.axes_shown else blend(theme.paper, theme.positive, FADED)
            high = max(0.5, highest * share / top)
            middle, foot = rect.left() + (k + 0.5) * wide, rect.bottom() - 1.3 * text
            painter.fillRect(QRectF(middle - 0.32 * wide, foot - high, 0.64 * wide, high), QColor(colour))
            soft = theme.soft_ink
            at = QPointF(middle, rect.bottom() - 0.2 * text)
            draw_text(painter, style, at, str(k + 1), colour=soft, anchor="centre")
            above = QPointF(middle, foot - high - 0.3 * text)
            told = f"{100 * share:.2g} %" if share < 0.995 else "100 %"
            draw_text(painter, style, above, told, points=min(text, wide / 3.2), colour=soft, anchor="centre")

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        small, count = style.among(self.data.n), len(self.data.class_names)
        plot, marks = self._map(rect, style), self._marks_of(rect, style)
        for xy, drawn in marks:
            draw_points(painter, small, xy[drawn], self.classes[drawn], count, stamps)
            for i in self.marks.among(self.data.n):
                encircle(painter, style, xy[i], i == self.marks.hovered)
        hovered = self.marks.hovered
        if hovered is not None and hovered < self.data.n:
            at, text = QPointF(*marks[0][0][hovered].tolist()), named(self.data, hovered)
            plot.draw_label(painter, at, text, style.theme.highlight, style.ring_radius(0.6))


def _landscape(
    frame: Frame, cloud: FeatureCloud, k: int, before: ComponentsPicture | None
) -> Landscape | None:
    """The component to the right as a function of the input; None where it is none, or cannot be drawn."""
    if k >= cloud.pca.components:
        return None
    last = before.landscape if before is not None else None
    if before is not None and before.cloud is cloud and before.axes_shown[0] == k:
        return last
    model, name = cloud.component(k, frame.model.algorithm), f"component {k + 1} as a function of x"
    return Landscape.of(model, frame.data, cloud.places[:, k], name, last)


def _told(cloud: FeatureCloud, shown: set[int]) -> str:
    share = sum(float(cloud.pca.shares[k]) for k in shown if k < cloud.pca.components)
    told = f"{100 * share:.3g} %"
    n = cloud.problem.n
    return told if n <= MOST_POINTS else f"{told}; spanned by {MOST_POINTS} of {n} points"
