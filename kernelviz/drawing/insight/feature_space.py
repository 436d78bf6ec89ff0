"""Feature space in three dimensions: the inputs lifted, the boundary on them, a plane where it is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.glyphs import draw_rings
from kernelviz.drawing.figure.rings import Rings, rings_of
from kernelviz.drawing.figure.stamps import Stamps, draw_points, encircle, stamp, thinned
from kernelviz.drawing.figure.strokes import pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, wrapped
from kernelviz.drawing.insight.feature_list import ORDERS, FeatureList
from kernelviz.drawing.insight.lifted_patches import argb, planes_of, sheet_colours, straight_lines
from kernelviz.drawing.insight.picture import (
    InsightPicture,
    NothingToShow,
    PictureMaker,
    Remark,
    nearest_mark,
    padded,
)
from kernelviz.drawing.insight.plot import draw_message
from kernelviz.drawing.insight.space import ABOVE, ASLANT, Box, Camera, Patches, sheet_patches
from kernelviz.drawing.theme import Theme
from kernelviz.drawing.wording import named
from kernelviz.engine.analysis.feature_weights import FeatureWeights
from kernelviz.engine.analysis.lift3d import LiftedFit
from kernelviz.engine.analysis.lifts import (
    COMPONENTS,
    FEATURES,
    LIFTS,
    FeatureCloud,
    called,
    lift_for,
    lifts_of,
)
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.core.data import Data
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import Declared, choice, flag
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.runtime.messages import Frame, Verdict
from kernelviz.session.workspaces.registry import workspace_of

AIR = 0.25  # Around the lifted points, relative to them: what of the sheet lies beyond is cut off.
CUT = 4.0  # How much further the sheet is seen while it is folded.
FLOOR = -1.0  # Where the inputs lie before they are lifted.
CORNERS = np.array([[-1.0, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]])
# Of the floor, and of the axes from its first corner.
ENDS = np.array([[1.0, -1, -1], [-1, 1, -1], [-1, -1, 1]])
LABELS_FROM = 0.6  # The share of the lift from which on its axes are named.
INFINITE = "{} has infinitely many features, so they cannot be listed."


@dataclass(frozen=True)
class FeatureSpaceSwitches(Declared):
    """Which lift, and what is shown of it."""

    name: ClassVar[str] = "feature space"
    lift: str = choice(LIFTS[0], LIFTS, label="Lift", help="The three coordinates the inputs are given")
    sheet: bool = flag(True, label="Sheet", help="All inputs lifted, coloured by the score")
    plane: bool = flag(True, label="Plane", help="Boundary and margins, where they are planes here")
    features: bool = flag(False, label="List", help="The features of a finite map, with their weights wⱼ")
    order: str = choice(ORDERS[1], ORDERS, label="sorted", help="The order of the list")


@dataclass(frozen=True, eq=False, kw_only=True)
class FeatureSpacePicture(InsightPicture):
    """The lifted fit as a camera sees it, unfolded from the inputs by a share between 0 and 1."""

    title = "Feature space"
    switches = FeatureSpaceSwitches

    data: Data
    model: Model
    fit: LiftedFit
    cloud: FeatureCloud | None
    classes: Indices
    rings: Rings
    shown: tuple[bool, bool]  # The sheet, and the plane.
    boxes: tuple[Box, Box]  # Around what is lifted, and around the inputs.
    features: FeatureList | str | None = None  # The list instead, or why there is none.
    note: str = ""  # Why it is another lift than was asked for.
    camera: Camera = ASLANT
    unfolded: float = 1.0

    @classmethod
    def of(
        cls, frame: Frame, verdict: Verdict | None, switches: Any, before: FeatureSpacePicture | None
    ) -> InsightPicture:
        return FeatureSpaceMaker(cls, switches).make(frame, verdict, before)

    @property
    def switchable(self) -> tuple[str, ...]:
        if self.features is not None:
            return ("features", "order") if isinstance(self.features, FeatureList) else ("features",)
        sheet = () if self.fit.sheet is None else ("sheet",)
        plane = () if self.fit.plane is None else ("plane",)
        return ("lift", *sheet, *plane, "features")

    @property
    def options(self) -> Mapping[str, tuple[str, Sequence[str]]]:
        own = [lift.title for lift in lifts_of(self.model)]
        features = [FEATURES] if self.data.domain == "vectors" else []
        return {"lift": (self.fit.lift.title, [*own, *features, COMPONENTS])}

    # Where everything is --------------------------------------------------------------------------------
    @property
    def _view(self) -> Camera:
        """Folded, the inputs are seen from above as on the canvas."""
        return ABOVE.towards(self.camera, self.unfolded)

    def _between(self, lifted: Array, flat: Array) -> Array:
        """On the way from the flat place to the lifted one, in the box."""
        high, low = self.boxes
        start = low(flat)
        start[..., 2] = FLOOR
        return (1.0 - self.unfolded) * start + self.unfolded * high(lifted)

    def _places(self, rect: QRectF, style: Style) -> tuple[Array, Indices, Array]:
        """Where the points are on paper, which are drawn, the farthest first, and how near all are."""
        xy, near = self._view.project(
            self._between(self.fit.points, self.fit.flat_points), padded(rect, style)
        )
        drawn = thinned(xy, 1 + self.classes % 15)
        return xy, drawn[np.argsort(near[drawn], kind="stable")], near

    def points_at(self, at: QPointF, rect: QRectF, style: Style) -> tuple[int, ...]:
        if self.features is not None:
            return ()
        xy, drawn, _ = self._places(rect, style)
        return nearest_mark(xy[drawn], drawn, at)

    def feature_at(self, at: QPointF, rect: QRectF, style: Style) -> int | None:
        """The feature whose row is at a place; -1 on the headings, which sort."""
        known = self.features
        return known.row_at(at, padded(rect, style), style) if isinstance(known, FeatureList) else None

    def scrolled(self, rows: int, pages: int, rect: QRectF, style: Style) -> int:
        """The first row of the list after so many rows and pages down."""
        if not isinstance(self.features, FeatureList):
            return 0
        return self.features.scrolled(rows, pages, padded(rect, style), style)

    # What is drawn --------------------------------------------------------------------------------------
    def draw_ground(self, painter: QPainter, rect: QRectF, style: Style) -> None:
        pass

    def draw_data(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        room = padded(rect, style)
        if isinstance(self.features, FeatureList):
            self.features.draw(
                painter, room, style, next(iter(reversed(self.marks.among(self.data.n))), None)
            )
        elif self.features is not None:
            draw_message(painter, style, room, self.features)
        else:
            painter.save()
            if self._view.zoom > 1.0:  # otherwise all of it fits
                painter.setClipRect(rect)
            self._draw_axes(painter, room, style)
            self._draw_patches(painter, room, style, stamps is not None)
            self._draw_lines(painter, room, style)
            self._draw_points(painter, rect, style, stamps)
            self._draw_names(painter, room, style)
            self._draw_note(painter, room, style)
            painter.restore()

    def _draw_axes(self, painter: QPainter, room: QRectF, style: Style) -> None:
        """The floor, and the three axes from its corner."""
        floor, _ = self._view.project(CORNERS, room)
        painter.setPen(pen(style.theme.grid, style.axis_width))
        painter.drawPolygon(polygon(floor))
        if self.unfolded >= LABELS_FROM:
            ends, _ = self._view.project(ENDS, room)
            painter.setPen(pen(style.theme.soft_ink, style.axis_width))
            for end in ends[: 2 if self.fit.lift.flat else 3].tolist():
                painter.drawLine(QLineF(*floor[0].tolist(), *end))

    def _draw_names(self, painter: QPainter, room: QRectF, style: Style) -> None:
        ends, _ = self._view.project(1.12 * ENDS - 0.12 * CORNERS[0], room)
        for end, axis in zip(ends.tolist(), self.fit.lift.axes, strict=True):
            if (name := called(axis, self.data.columns)) and self.unfolded >= LABELS_FROM:
                at = QPointF(end[0], end[1] + 0.36 * style.text)
                draw_text(painter, style, at, name, colour=style.theme.soft_ink, anchor="centre", halo=True)

    def _draw_note(self, painter: QPainter, room: QRectF, style: Style) -> None:
        for k, line in enumerate(wrapped(self.note, style.text, room.width())):
            at = QPointF(room.left(), room.top() + (1.0 + 1.3 * k) * style.text)
            draw_text(painter, style, at, line, colour=style.theme.soft_ink, halo=True)

    def _draw_patches(self, painter: QPainter, room: QRectF, style: Style, hairlines: bool) -> None:
        """The sheet and the planes, sorted together; hairlines are faster than lines of a width."""
        parts = [*self._sheet(style.theme), *self._planes(style.theme)]
        if parts:
            width = 0.0 if hairlines else 0.4 * style.strokes
            Patches.together(*parts).draw(painter, self._view, room, width)

    def _sheet(self, theme: Theme) -> list[Patches]:
        sheet, flat = self.fit.sheet, self.fit.flat_sheet
        if sheet is None or flat is None or sheet.ndim != 3 or not self.shown[0]:
            return []
        colours = sheet_colours(self.fit, theme, len(self.data.class_names))
        return [sheet_patches(self._between(sheet, flat), colours, argb(theme.level, 0x38), self._reach)]

    @property
    def _reach(self) -> float:
        return 1.0 + CUT * (1.0 - self.unfolded)

    def _planes(self, theme: Theme) -> list[Patches]:
        """The boundary and the margins, once everything is lifted."""
        if not self.shown[1] or self.unfolded < 1.0:
            return []
        return planes_of(self.fit, self.boxes[0], theme, self._has_margins)

    @property
    def _has_margins(self) -> bool:
        """Whether s = ±1 means anything."""
        return not self.model.algorithm.ignores_labels

    def _draw_lines(self, painter: QPainter, room: QRectF, style: Style) -> None:
        """The boundary and the margins on the sheet; of a single input all of it is a thread."""
        theme = style.theme
        on_sheet = [(level, self._between(*line)) for level, lines in self.fit.lines for line in lines]
        straight = straight_lines(self.fit, self.boxes[0]) if self.shown[1] and self.unfolded == 1.0 else []
        for level, line in (*on_sheet, *straight):
            if level and not self._has_margins:
                continue
            width = style.boundary_width if level == 0.0 else style.margin_width
            dash = () if level == 0.0 else (5.0 * style.strokes, 3.2 * style.strokes)
            painter.setPen(pen(theme.boundary if level == 0.0 else theme.margin, width, dash=dash))
            self._draw_line(painter, room, line)
        sheet, flat_sheet = self.fit.sheet, self.fit.flat_sheet
        if sheet is None or flat_sheet is None or sheet.ndim != 2 or not self.shown[0]:
            return
        thread, scores = self._between(sheet, flat_sheet), self.fit.scores
        sides = np.zeros(len(thread)) if scores is None else np.sign(scores)
        for run in np.split(np.arange(len(thread)), np.flatnonzero(np.diff(sides)) + 1):
            side = sides[run[0]]
            colour = theme.soft_ink if side == 0 else theme.positive if side > 0 else theme.negative
            painter.setPen(pen(colour, style.boundary_width, alpha=0.7))
            self._draw_line(painter, room, thread[run[0] : run[-1] + 2])

    def _draw_line(self, painter: QPainter, room: QRectF, places: Array) -> None:
        """What of a line is inside the box."""
        xy, _ = self._view.project(places, room)
        inside = np.abs(places).max(axis=1) <= self._reach
        for run in np.split(np.arange(len(xy)), np.flatnonzero(np.diff(inside)) + 1):
            if len(run) > 1 and inside[run[0]]:
                painter.drawPolyline(polygon(xy[run]))

    def _draw_points(self, painter: QPainter, rect: QRectF, style: Style, stamps: Stamps | None) -> None:
        xy, drawn, _ = self._places(rect, style)
        small = style.among(self.data.n)
        for kind, strength, which in self.rings.groups:
            draw = partial(draw_rings, kind=kind, strength=strength)
            stamp(stamps, painter, small, xy[self.rings.points[which]], ("ring", kind, strength), draw)
        draw_points(painter, small, xy[drawn], self.classes[drawn], len(self.data.class_names), stamps)
        for i in self.marks.among(self.data.n):
            encircle(painter, style, xy[i], i == self.marks.hovered)
        hovered = self.marks.hovered
        if hovered is not None and hovered < self.data.n:
            at = QPointF(*(xy[hovered] + (style.ring_radius(0.9), -style.ring_radius(0.6))).tolist())
            text = named(self.data, hovered)
            draw_text(painter, style, at, text, colour=style.theme.highlight, bold=True, halo=True)


@dataclass(frozen=True)
class FeatureSpaceMaker(PictureMaker):
    """Makes the picture of any frame, as it is turned and with the axes that are chosen."""

    # None while nobody has turned it: lifts to two dimensions are seen from above.
    camera: Camera | None = None
    axes: tuple[int, ...] = ()  # Features of a finite map.
    unfolded: float = 1.0
    first: int = 0  # Row of the list.

    def make(
        self, frame: Frame | None, verdict: Verdict | None = None, before: InsightPicture | None = None
    ) -> InsightPicture:
        if frame is None:
            return NothingToShow()
        try:
            return self._made(frame, before if isinstance(before, FeatureSpacePicture) else None)
        except BadInput as problem:
            return NothingToShow(reason=str(problem))

    def _made(self, frame: Frame, before: FeatureSpacePicture | None) -> InsightPicture:
        model, wanted = frame.model, self.switches.values()
        lift, cloud = lift_for(wanted["lift"], model, self.axes, before.cloud if before else None)
        fit = LiftedFit.of(lift, model, None if cloud is None else cloud.places)
        made = FeatureSpacePicture(
            data=frame.data,
            model=model,
            fit=fit,
            cloud=cloud,
            classes=workspace_of(frame.data).groups(frame.data),
            rings=rings_of(model),
            shown=(wanted["sheet"], wanted["plane"]),
            boxes=(
                Box.around(fit.points, AIR, lift.same_unit),
                Box.around(fit.flat_points if fit.flat_sheet is None else fit.flat_sheet, 0.0, True),
            ),
            features=self._list(model, wanted["order"]) if wanted["features"] else None,
            remark=Remark() if wanted["features"] else _remark(fit, cloud),
            note=_note(wanted["lift"], lift.title, model),
        )
        return self.shown(made)

    def shown(self, picture: FeatureSpacePicture) -> FeatureSpacePicture:
        """A picture from where the camera is now, as far unfolded, its list as far scrolled."""
        own = self.camera or (ABOVE if picture.fit.lift.flat else ASLANT)
        known = picture.features
        known = replace(known, first=self.first) if isinstance(known, FeatureList) else known
        return replace(picture, camera=own, unfolded=self.unfolded, features=known)

    def with_axis(self, j: int) -> Self:
        """A feature as the last of three axes; taken away if it is one."""
        others = tuple(k for k in self.axes if k != j)
        return replace(self, axes=others if j in self.axes else (*others, j)[-3:])

    def _list(self, model: Model, order: str) -> FeatureList | str:
        known = FeatureWeights.of(model)
        if known is None:
            return _why_no_list(model)
        return FeatureList(known, model.problem.data, str(model.problem.kernel), order, self.axes)


def _why_no_list(model: Model) -> str:
    """Why the features of a model are not listed."""
    if isinstance(model, MultiClassModel):
        return "Every pair of classes has weights of its own: choose two classes to see a list."
    if not model.algorithm.uses_kernel or model.beta is None or model.b is None:
        return f"{model.algorithm.title} is no sum of features with weights."
    if model.problem.data.domain == "strings":
        return f"{model.problem.kernel} has more features on these strings than can be listed."
    if model.problem.kernel.feature_map(1) is not None:
        return f"{model.problem.kernel} has too many features of these inputs to be listed."
    return INFINITE.format(model.problem.kernel)


def _note(wanted: str, shown: str, model: Model) -> str:
    """Why there are no features; of other lifts only those are offered that there are."""
    if wanted != FEATURES or shown == FEATURES or model.problem.data.domain != "vectors":
        return ""
    return f"{model.problem.kernel} has no features to be drawn here: this is the lift “{shown}”."


def _remark(fit: LiftedFit, cloud: FeatureCloud | None) -> Remark:
    if fit.plane is not None:
        what = "a line" if fit.lift.flat else "a plane"
        return Remark(
            f"boundary: {what}", f"In these coordinates the score is b + w·u: its boundary is {what}."
        )
    if cloud is not None:
        share = float(cloud.pca.shares[:3].sum())
        told = f"{100 * share:.3g} % of the variance"
        return Remark(told, "The part of the points' variance in feature space that is seen here.")
    return Remark()
