"""A kernel as a function of one input while the other stays: what a point says to its surroundings."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from kernelviz.drawing.figure.strokes import pen
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.transform import Transform
from kernelviz.drawing.insight.landscape import Landscape
from kernelviz.drawing.insight.picture import (
    InsightPicture,
    NothingToShow,
    PictureMaker,
    nearest_mark,
    padded,
)
from kernelviz.drawing.insight.plot import Axis, Curve, Plot
from kernelviz.drawing.insight.scatter import draw_points, encircle
from kernelviz.drawing.insight.stamps import Stamps
from kernelviz.drawing.wording import shown
from kernelviz.engine.analysis.response import response, taylor_sums, unfitted
from kernelviz.engine.core.arrays import Array
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import REAL, Declared, choice
from kernelviz.engine.kernels.base import Composite, Kernel
from kernelviz.engine.kernels.gaussian import Gaussian
from kernelviz.engine.models.base import Model
from kernelviz.runtime.messages import Failure, Frame, Verdict
from kernelviz.session.view import shows
from kernelviz.session.workspaces.registry import workspace_of

FACTORS = (1 / 8, 1.0, 8.0)  # Of the width's parameter, side by side.
CORNERS = ((0.3, 0.35), (0.7, 0.35), (0.5, 0.72))  # The three fixed points, as shares of the view.
DEGREES = (0, 1, 2, 4, 8)
NODES = 161
MOST_PARTS = 5
Place = tuple[float, ...]


@dataclass(frozen=True)
class ResponseSwitches(Declared):
    """What is seen of the kernel."""

    name: ClassVar[str] = "the response"
    face: str = choice(
        "one point",
        ("one point", "three widths", "Taylor sums", "parts"),
        label="Show",
        help="K(x₀, ·), x₀ moved by the mouse; the sum of three for several widths; the Gaussian degree by "
        "degree; or the parts of a composed kernel",
    )


@dataclass(frozen=True, eq=False)
class Section:
    """Curves along one input."""

    x: Array
    curves: tuple[tuple[str, Array], ...]
    label: str
    title: str = ""

    def plot(self, rect: QRectF, style: Style) -> Plot:
        values = np.concatenate([y for _, y in self.curves])
        low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
        air = 0.05 * (high - low or 1.0)
        return Plot(style, rect, Axis(float(self.x[0]), float(self.x[-1]), self.label), Axis(low, high + air))

    def draw(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        """The last curve in full, those before it paler and dashed."""
        plot, theme = self.plot(rect, style), style.theme
        plot.draw_axes(painter)
        entries = []
        for k, (name, y) in enumerate(self.curves):
            last = k == len(self.curves) - 1
            colour = theme.boundary if last else theme.classes[k % len(theme.classes)]
            curve = Curve(name, colour, 1.8 if last else 1.2, () if last else (4.0, 2.0))
            plot.draw_curve(painter, self.x, y, curve)
            entries.append((curve, ""))
        plot.draw_strip(painter, entries, self.title)


@dataclass(frozen=True, eq=False, kw_only=True)
class ResponsePicture(InsightPicture):
    """Functions of the input beside each other, and a section through the first."""

    title = "Kernel response"
    switches = ResponseSwitches

    data: Data
    kernel: Kernel
    place: Place  # x₀
    centres: Array  # x₀, or the three points.
    landscapes: tuple[Landscape, ...]
    kernels: tuple[Kernel, ...]  # Of each of these.
    section: Section | None
    face: str

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: ResponsePicture | None
    ) -> InsightPicture:
        return ResponseMaker(cls, switches).make(frame, verdict, before)

    # Where everything is --------------------------------------------------------------------------------
    def _tiles(self, rect: QRectF, style: Style) -> list[QRectF]:
        """One for each function and the section, in as many columns as make them largest."""
        room, count = padded(rect, style), len(self.landscapes) + (self.section is not None)
        columns = max(
            range(1, count + 1), key=lambda c: min(room.width() / c, room.height() / -(-count // c))
        )
        rows = -(-count // columns)
        wide, high = room.width() / columns, room.height() / rows
        places = (divmod(k, columns) for k in range(count))
        return [
            QRectF(room.left() + c * wide, room.top() + r * high, wide, high).adjusted(0, 0, -style.text, 0)
            for r, c in places
        ]

    @property
    def movable(self) -> bool:
        """Whether x₀ is in the picture."""
        return self.face != "three widths" and bool(self.landscapes)

    def place_beside(self, place: Place, right: float, up: float) -> Place | None:
        """The input so many widths to the right of another and heights above it, as far as is seen."""
        if not self.movable:
            return None
        view = self.landscapes[0].view
        x = min(max(place[0] + right * (view.right - view.left), view.left), view.right)
        if len(place) == 1:
            return (x,)
        return x, min(max(place[1] + up * (view.top - view.bottom), view.bottom), view.top)

    def place_at(self, at: QPointF, rect: QRectF, style: Style) -> Place | None:
        """The input at a place of the first function, which x₀ can be moved to."""
        if not self.movable:
            return None
        first = self.landscapes[0]
        room = first.room(self._tiles(rect, style)[0], style)
        if not room.adjusted(-1, -1, 1, 1).contains(at):
            return None
        x = first.view.left + (at.x() - room.left()) / room.width() * (first.view.right - first.view.left)
        if self.centres.shape[1] == 1:
            return (x,)
        tall = first.view.top - first.view.bottom
        return x, first.view.bottom + (room.bottom() - at.y()) / room.height() * tall

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        if not self.landscapes:
            return ()
        return nearest_mark(
            self.landscapes[0].at(self._tiles(rect, style)[0], style), np.arange(self.data.n), at, 5.0
        )

    # What is drawn --------------------------------------------------------------------------------------
    @property
    def ground(self) -> Hashable:
        return tuple(landscape.sample for landscape in self.landscapes), self.section

    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        tiles = self._tiles(rect, style)
        for tile, landscape in zip(tiles, self.landscapes, strict=False):
            landscape.draw(painter, tile, style)
        if self.section is not None:
            self.section.draw(painter, tiles[-1], style)

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        groups, count = workspace_of(self.data).groups(self.data), len(self.data.class_names)
        small = style.among(max(self.data.n, 100))
        for tile, landscape in zip(self._tiles(rect, style), self.landscapes, strict=False):
            xy, room = landscape.at(tile, style), landscape.room(tile, style)
            painter.save()
            painter.setClipRect(room.adjusted(-3, -3, 3, 3))
            draw_points(painter, small, xy, groups, count, stamps)
            for i in self.marks.among(self.data.n):
                encircle(painter, style, xy[i], i == self.marks.hovered)
            self._draw_centres(painter, landscape, room, style)
            painter.restore()

    def _draw_centres(self, painter: QPainter, landscape: Landscape, room: QRectF, style: Style) -> None:
        """A ring with a dot; on a curve a line from top to bottom."""
        painter.setPen(pen(style.theme.highlight, 1.6 * style.strokes))
        if self.centres.shape[1] == 1:
            wide = landscape.view.right - landscape.view.left
            for x in room.left() + (self.centres[:, 0] - landscape.view.left) / wide * room.width():
                painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
            return
        for at in Transform.between(landscape.view, room)(self.centres):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(*at.tolist()), 0.7 * style.text, 0.7 * style.text)
            painter.setBrush(QColor(style.theme.highlight))
            painter.drawEllipse(QPointF(*at.tolist()), 0.2 * style.text, 0.2 * style.text)
        painter.setBrush(Qt.BrushStyle.NoBrush)


@dataclass(frozen=True)
class ResponseMaker(PictureMaker):
    """Knows where x₀ is; at first at the first point."""

    place: Place | None = None

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        return NothingToShow() if frame is None else self._drawn(frame.model, before)

    def without_fit(self, failure: Failure | None, before: InsightPicture | None = None) -> InsightPicture:
        """The same: a response needs but kernel and points."""
        if failure is None or not failure.request.data.n:
            return super().without_fit(failure, before)
        fit = failure.request.fits[failure.fit]
        try:
            return self._drawn(unfitted(failure.request.data, fit.kernel, fit.algorithm), before)
        except BadInput as problem:
            return NothingToShow(reason=str(problem))

    def _drawn(self, model: Model, before: InsightPicture | None) -> InsightPicture:
        data = model.problem.data
        if not Landscape.possible(data) or not data.n:
            return NothingToShow(reason="A response is drawn where inputs are places: on plane and line.")
        last = before if isinstance(before, ResponsePicture) else None
        try:
            return _Response(model, self.place, last).picture(getattr(self.switches, "face", "one point"))
        except BadInput as problem:
            return NothingToShow(reason=str(problem))


class _Response:
    """Makes the functions of one model's kernel."""

    def __init__(self, model: Model, place: Place | None, before: ResponsePicture | None) -> None:
        self.before, self.data, self.algorithm = before, model.problem.data, model.algorithm
        self.kernel = model.problem.kernel
        p = np.shape(self.data.X)[1]
        known = place is not None and len(place) == p
        self.centre = np.array(place if known else self.data.X[0], dtype=np.float64)[None]
        self.view = workspace_of(self.data).extent(self.data)

    def picture(self, face: str) -> InsightPicture:
        """Of a face; points that move leave the functions of the last one as they are."""
        last, place = self.before, tuple(self.centre[0].tolist())
        if last is not None and (last.kernel, last.place, last.face) == (self.kernel, place, face):
            if last.data is self.data:
                return last
            positions = workspace_of(self.data).positions(self.data)
            if all(shows(landscape.view, positions) for landscape in last.landscapes):
                return self._with_other_points(last, positions)
        section: Section | None = None
        centres = self.centre
        if face == "three widths":
            centres, pairs = self._three(), self._widths()
        elif face == "Taylor sums":
            if not isinstance(self.kernel, Gaussian):
                return NothingToShow(reason="Taylor sums are shown of the Gaussian kernel: choose rbf.")
            pairs = ((self._landscape(self.kernel, self.centre, 0), self.kernel),)
            section = self._taylor(self.kernel)
        elif face == "parts":
            if not isinstance(self.kernel, Composite):
                return NothingToShow(reason="This kernel has no parts: add or multiply another.")
            parts = (*self.kernel.parts[: MOST_PARTS - 1], self.kernel)
            pairs = tuple(
                (self._landscape(part, self.centre, k, str(part)), part) for k, part in enumerate(parts)
            )
        else:
            pairs = ((self._landscape(self.kernel, self.centre, 0), self.kernel),)
            section = self._section() if self.centre.shape[1] > 1 else None
        return ResponsePicture(
            data=self.data,
            kernel=self.kernel,
            place=place,
            centres=centres,
            landscapes=tuple(made for made, _ in pairs),
            kernels=tuple(kernel for _, kernel in pairs),
            section=section,
            face=face,
        )

    def _with_other_points(self, last: ResponsePicture, positions: Array) -> ResponsePicture:
        moved = []
        for landscape, kernel in zip(last.landscapes, last.kernels, strict=True):
            values = kernel(self.data.X, last.centres).sum(axis=1)
            along = positions if self.centre.shape[1] > 1 else np.column_stack([positions[:, 0], values])
            moved.append(replace(landscape, places=along))
        return replace(last, data=self.data, landscapes=tuple(moved))

    def _landscape(self, kernel: Kernel, centres: Array, k: int, name: str = "") -> Landscape:
        """The sum of K(c, ·) over some centres."""
        model = response(kernel, centres, self.algorithm)
        last = self.before.landscapes if self.before is not None else ()
        values = kernel(self.data.X, centres).sum(axis=1)
        before = last[k] if k < len(last) else None
        made = Landscape.of(model, self.data, values, name or f"K(x₀, ·), K = {kernel}", before)
        if made is None:
            raise BadInput("This kernel is too large to be drawn here.")
        return made

    def _along(self) -> tuple[Array, Array]:
        """Abscissae, and the inputs of the line through x₀ along the first axis."""
        x = np.linspace(self.view.left, self.view.right, NODES)
        points = np.repeat(self.centre, NODES, axis=0)
        points[:, 0] = x
        return x, points

    def _section(self) -> Section:
        x, points = self._along()
        name = f"K(x₀, ·) where x₂ = {shown(float(self.centre[0, 1]), 3)}"
        return Section(x, ((name, self.kernel(points, self.centre)[:, 0]),), "x₁")

    def _taylor(self, kernel: Gaussian) -> Section:
        x, points = self._along()
        sums = taylor_sums(kernel.gamma, points, self.centre[0], max(DEGREES))
        curves = tuple((str(d), sums[d]) for d in DEGREES)
        label = "x₁" if self.centre.shape[1] > 1 else "x"
        return Section(x, (*curves, ("Gaussian", kernel(points, self.centre)[:, 0])), label, "degree")

    def _three(self) -> Array:
        wide, tall = self.view.right - self.view.left, self.view.top - self.view.bottom
        places = np.array([(self.view.left + a * wide, self.view.bottom + b * tall) for a, b in CORNERS])
        return places[:, : self.centre.shape[1]]

    def _widths(self) -> tuple[tuple[Landscape, Kernel], ...]:
        """The same three points with the first number on a scale of powers of ten smaller and larger."""
        scaled = [p for p in self.kernel.parameters() if p.kind is REAL and p.scale == "log"]
        if not scaled:
            raise BadInput(f"{self.kernel} has no width to change.")
        parameter = scaled[0]
        now, made = float(getattr(self.kernel, parameter.name)), []
        for k, factor in enumerate(FACTORS):
            value = min(max(now * factor, parameter.low), parameter.high)
            name = f"{parameter.label} = {shown(value, 3)}"
            changed = self.kernel.replace(**{parameter.name: value})
            made.append((self._landscape(changed, self._three(), k, name), changed))
        return tuple(made)
