"""A lifted fit in three dimensions: its sheet, its planes and lines, and its points.

`Lifted` has the numbers, computed once for a fit; `LiftedSpace` is the node that shows them as a camera sees
them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from kernelviz.engine.analysis.kernel_pca import FeatureCloud
from kernelviz.engine.analysis.lifts import LiftedFit, called, lift_for
from kernelviz.engine.core.arrays import Array, Indices
from kernelviz.engine.models.base import Model
from kernelviz.scene.figure.glyphs import SupportRings, draw_rings, rings_of
from kernelviz.scene.figure.stamps import Stamps, draw_points, encircle, stamp, thinned
from kernelviz.scene.figure.strokes import pen, polygon
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text, text_width
from kernelviz.scene.insight.parts.space3d import (
    ABOVE,
    Camera,
    Patches,
    UnitCube,
    argb,
    planes_of,
    sheet_colours,
    sheet_patches,
    straight_lines,
)
from kernelviz.scene.layers import nearest_mark
from kernelviz.scene.nodes import Hit, Marks, Node, Placed
from kernelviz.scene.wording import named
from kernelviz.session.workspaces.registry import workspace_of

CORNERS = np.array([[-1.0, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]])  # Corners of the floor.
CEILING = CORNERS * np.array([1.0, 1.0, -1.0])
ZOOM_AT_FIRST = 1.05
LABELS_FROM = 0.6  # Share of the lift from which on its axes are named.


@dataclass(frozen=True, eq=False)
class Lifted:
    """A fit in three coordinates, with the looks of its points."""

    model: Model
    fit: LiftedFit
    cloud: FeatureCloud | None
    classes: Indices
    rings: SupportRings
    box: UnitCube  # Around what is lifted.
    flat_box: UnitCube  # Around the inputs.

    @classmethod
    def of(cls, model: Model, wanted: str, axes: tuple[int, ...], last: Lifted | None) -> Lifted:
        """Lift a model as wanted, or as is possible; principal components are turned as they were last."""
        lift, cloud = lift_for(wanted, model, axes, None if last is None else last.cloud)
        fit = LiftedFit.of(lift, model, None if cloud is None else cloud.places)
        data = model.problem.data
        flat = fit.flat_points if fit.flat_sheet is None else fit.flat_sheet
        air = 0.25  # Around the lifted points, relative to them: the sheet beyond is cut off.
        around = UnitCube.around(fit.points, air, lift.same_unit), UnitCube.around(flat, 0.0, True)
        return cls(model, fit, cloud, workspace_of(data).groups(data), rings_of(model), *around)


@dataclass(frozen=True, eq=False)
class LiftedSpace(Node):
    """A lifted fit as a camera sees it, unfolded from the inputs by a share between 0 and 1.

    At 0 the inputs lie on the floor and are seen from above, as on the canvas; at 1 they are lifted."""

    lifted: Lifted
    sheet: bool
    plane: bool
    camera: Camera
    unfolded: float

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedSpace(self, rect, style)


class PlacedSpace(Placed):
    """A space in its rectangle."""

    def __init__(self, node: LiftedSpace, rect: QRectF, style: Style) -> None:
        super().__init__("space", rect, style)
        self.node, self.lifted, self.fit = node, node.lifted, node.lifted.fit
        # Folded, the inputs are seen from above as on the canvas.
        self.camera = ABOVE.towards(node.camera, node.unfolded)
        cut = 4.0  # How much further the sheet is seen while it is folded.
        self._reach = 1.0 + cut * (1.0 - node.unfolded)

    def _between(self, lifted: Array, flat: Array) -> Array:
        """Return places on the way from the flat ones to the lifted ones, in the box."""
        start = self.lifted.flat_box(flat)
        floor = -1.0  # Height at which the inputs lie before they are lifted.
        start[..., 2] = floor
        return (1.0 - self.node.unfolded) * start + self.node.unfolded * self.lifted.box(lifted)

    def _on_paper(self, places: Array) -> Array:
        return self.camera.project(places, self.rect)[0]

    @cached_property
    def _points(self) -> tuple[Array, Indices]:
        """The places of the points on paper, and the points to draw, the farthest first."""
        places = self._between(self.fit.points, self.fit.flat_points)
        xy, near = self.camera.project(places, self.rect)
        drawn = thinned(xy, 1 + self.lifted.classes % 15)
        return xy, drawn[np.argsort(near[drawn], kind="stable")]

    def places(self, part: str) -> Array:
        return self._points[0]

    def hit(self, at: QPointF) -> Hit | None:
        xy, drawn = self._points
        points = nearest_mark(xy, at, drawn)
        return Hit(self.part, points) if points else None

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        if self.camera.zoom > 1.0:  # otherwise all of it fits
            edge = Node.padding * self.style.text
            painter.setClipRect(self.rect.adjusted(-edge, -edge, edge, edge))
        self._draw_axes(painter)
        self._draw_patches(painter, stamps is not None)
        self._draw_lines(painter)
        self._draw_points(painter, stamps)
        if self.node.unfolded >= LABELS_FROM:
            self._draw_names(painter)

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        data, style, (xy, _) = self.lifted.model.problem.data, self.style, self._points
        for i in marks.among(data.n):
            encircle(painter, style, xy[[i]], i == marks.hovered)
            if i == marks.hovered:
                at = QPointF(*(xy[i] + (style.ring_radius(0.9), -style.ring_radius(0.6))).tolist())
                colour = style.theme.highlight
                draw_text(painter, style, at, named(data, i), colour=colour, bold=True, halo=True)

    @cached_property
    def _axes(self) -> list[Array]:
        """The two ends on paper, (2, 2), of the edge of the box along which each axis is drawn: one at its
        rim, where neither the line nor the name at its end is hidden by the sheet."""
        hull, found = self._on_paper(np.concatenate([CORNERS, CEILING])), []
        # For each axis the edges of the box parallel to it, by the numbers of corners of floor and ceiling;
        # the axis leaves the first of them for one that is farther out by more than such a factor.
        edges_of_axes = (((0, 1), (3, 2)), ((0, 3), (1, 2)), ((0, 4), (1, 5), (2, 6), (3, 7)))
        for edges in edges_of_axes[: 2 if self.fit.lift.flat else 3]:
            ends = hull[np.array(edges)]
            away = np.hypot(*(ends.mean(axis=1) - hull.mean(axis=0)).T)
            away[0] *= ZOOM_AT_FIRST
            found.append(ends[int(np.argmax(away))])
        return found

    def _draw_axes(self, painter: QPainter) -> None:
        """Draw the floor and the axes."""
        painter.setPen(pen(self.style.theme.grid, self.style.axis_width))
        painter.drawPolygon(polygon(self._on_paper(CORNERS)))
        if self.node.unfolded >= LABELS_FROM:
            painter.setPen(pen(self.style.theme.soft_ink, self.style.axis_width))
            for ends in self._axes:
                painter.drawPolyline(polygon(ends))

    def _draw_names(self, painter: QPainter) -> None:
        """Write the names of the axes at their ends, outside of the box, where they cover nothing."""
        size, columns = self.style.text, self.lifted.model.problem.data.columns
        hull = self._on_paper(np.concatenate([CORNERS, CEILING]))
        if self.fit.lift.flat:
            hull = hull[:4]
        middle = hull.mean(axis=0)
        for (_, end), axis in zip(self._axes, self.fit.lift.axes, strict=False):
            name = called(axis, columns)
            towards = (end - middle) / max(float(np.hypot(*(end - middle))), 1e-9)
            half = np.array([0.5 * text_width(name, size), 0.5 * size])
            away = float(((hull - middle) @ towards).max() + np.abs(towards) @ half + 0.4 * size)
            low = np.array([self.rect.left(), self.rect.top()]) + half
            high = np.array([self.rect.right(), self.rect.bottom()]) - half
            x, y = np.minimum(np.maximum(middle + away * towards, low), high).tolist()
            at, soft = QPointF(x, y), self.style.theme.soft_ink
            draw_text(painter, self.style, at, name, colour=soft, anchor="centre", middle=True, halo=True)

    @property
    def _has_margins(self) -> bool:
        """True if the lines s = ±1 have a meaning."""
        return not self.lifted.model.algorithm.ignores_labels

    def _draw_patches(self, painter: QPainter, hairlines: bool) -> None:
        """Draw the sheet and, once everything is lifted, the planes, sorted together; hairlines are faster
        than lines of a width."""
        theme, fit, parts = self.style.theme, self.fit, []
        if fit.sheet is not None and fit.flat_sheet is not None and fit.sheet.ndim == 3 and self.node.sheet:
            colours = sheet_colours(fit, theme, len(self.lifted.model.problem.data.class_names))
            sheet = self._between(fit.sheet, fit.flat_sheet)
            parts.append(sheet_patches(sheet, colours, argb(theme.level, 0x38), self._reach))
        if self.node.plane and self.node.unfolded == 1.0:
            parts.extend(planes_of(fit, self.lifted.box, theme, self._has_margins))
        if parts:
            width = 0.0 if hairlines else 0.4 * self.style.strokes
            Patches.together(*parts).draw(painter, self.camera, self.rect, width)

    def _draw_lines(self, painter: QPainter) -> None:
        """Draw the boundary and the margins on the sheet; all of a single input is a thread."""
        style, theme, fit = self.style, self.style.theme, self.fit
        lines = [(level, self._between(*line)) for level, lines in fit.lines for line in lines]
        if self.node.plane and self.node.unfolded == 1.0:
            lines += straight_lines(fit, self.lifted.box)
        for level, line in lines:
            if level == 0.0:
                self._draw_line(painter, line, pen(theme.boundary, style.boundary_width))
            elif self._has_margins:
                dash = (5.0 * style.strokes, 3.2 * style.strokes)
                self._draw_line(painter, line, pen(theme.margin, style.margin_width, dash=dash))
        if fit.sheet is None or fit.flat_sheet is None or fit.sheet.ndim != 2 or not self.node.sheet:
            return
        thread = self._between(fit.sheet, fit.flat_sheet)
        sides = np.zeros(len(thread)) if fit.scores is None else np.sign(fit.scores)
        for run in np.split(np.arange(len(thread)), np.flatnonzero(np.diff(sides)) + 1):
            side = sides[run[0]]
            colour = theme.soft_ink if side == 0 else theme.positive if side > 0 else theme.negative
            part = thread[run[0] : run[-1] + 2]
            self._draw_line(painter, part, pen(colour, style.boundary_width, alpha=0.7))

    def _draw_line(self, painter: QPainter, places: Array, stroke: QPen) -> None:
        """Draw the part of a line that is inside the box."""
        painter.setPen(stroke)
        xy = self._on_paper(places)
        inside = np.abs(places).max(axis=1) <= self._reach
        for run in np.split(np.arange(len(xy)), np.flatnonzero(np.diff(inside)) + 1):
            if len(run) > 1 and inside[run[0]]:
                painter.drawPolyline(polygon(xy[run]))

    def _draw_points(self, painter: QPainter, stamps: Stamps | None) -> None:
        (xy, drawn), classes, rings = self._points, self.lifted.classes, self.lifted.rings
        data = self.lifted.model.problem.data
        small = self.style.among(data.n)
        for kind, strength, which in rings.groups:
            draw = partial(draw_rings, kind=kind, strength=strength)
            stamp(stamps, painter, small, xy[rings.points[which]], ("ring", kind, strength), draw)
        draw_points(painter, small, xy[drawn], classes[drawn], len(data.class_names), stamps)
