"""Feature space in three dimensions: the inputs lifted, the boundary on them, a plane where it is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from kernelviz.drawing.figure.glyphs import draw_rings
from kernelviz.drawing.figure.rings import Rings, rings_of
from kernelviz.drawing.figure.stamps import Stamps, draw_points, encircle, stamp, thinned
from kernelviz.drawing.figure.strokes import pen, polygon
from kernelviz.drawing.figure.style import Style
from kernelviz.drawing.figure.text import draw_text, text_width
from kernelviz.drawing.wording import Remark, named, readable, shortened, shown
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
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice, flag
from kernelviz.engine.models.base import Model
from kernelviz.engine.models.several_classes import MultiClassModel
from kernelviz.runtime.messages import Frame
from kernelviz.scene.bar_list import Bar, BarList, PlacedBarList
from kernelviz.scene.insight.space3d import (
    ABOVE,
    ASLANT,
    Box,
    Camera,
    Patches,
    argb,
    planes_of,
    sheet_colours,
    sheet_patches,
    straight_lines,
)
from kernelviz.scene.layers import nearest_mark
from kernelviz.scene.nodes import Hit, Marks, Message, Node, Placed
from kernelviz.scene.painter import Layout
from kernelviz.scene.view import (
    NOT_YET,
    Glide,
    Intent,
    Keys,
    Memory,
    Menu,
    Now,
    Scene,
    Set,
    Several,
    View,
    message,
)
from kernelviz.session.workspaces.registry import workspace_of

AIR = 0.25  # Around the lifted points, relative to them: the sheet beyond is cut off.
CUT = 4.0  # How much further the sheet is seen while it is folded.
FLOOR = -1.0  # Height at which the inputs lie before they are lifted.
CORNERS = np.array([[-1.0, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1]])  # Corners of the floor.
CEILING = CORNERS * np.array([1.0, 1.0, -1.0])
# For each axis the edges of the box parallel to it, by the numbers of corners of floor and ceiling; the axis
# leaves the first of them for one that is farther out by more than such a factor.
EDGES = (((0, 1), (3, 2)), ((0, 3), (1, 2)), ((0, 4), (1, 5), (2, 6), (3, 7)))
AT_FIRST = 1.05
LABELS_FROM = 0.6  # Share of the lift from which on its axes are named.
ORDERS = ("as listed", "by |w|", "by name")
NOTHING = 1e-12  # Weights below this, in units of the largest, are written 0.
SECONDS = 1.6  # From the plane to the lift.
PER_PIXEL, PER_KEY = 0.5, 5.0  # Degrees that a pixel of dragging turns, and a key.
PER_NOTCH, ROWS_PER_NOTCH = 1.15, 3  # How far a notch of the wheel zooms and scrolls.
TURNS = {
    Qt.Key.Key_Left: (PER_KEY, 0.0),
    Qt.Key.Key_Right: (-PER_KEY, 0.0),
    Qt.Key.Key_Up: (0.0, PER_KEY),
    Qt.Key.Key_Down: (0.0, -PER_KEY),
}
ZOOMS = {Qt.Key.Key_PageUp: PER_NOTCH, Qt.Key.Key_PageDown: 1 / PER_NOTCH, Qt.Key.Key_Home: 0.0}
SCROLLS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


@dataclass(frozen=True)
class FeatureSpaceView(View):
    """Dragging and the arrow keys turn it, the wheel zooms. In the list a click on a row makes its feature an
    axis of the space, one on the headings sorts; the wheel and the keys scroll it."""

    name = "space"
    title = "Feature space"
    family = "Geometry"
    summary_line = "The inputs lifted into three dimensions, where a boundary may become a plane."
    number = 12
    in_background = True
    turns = True
    instant = frozenset({"camera", "unfolded", "first"})
    menus = (
        Menu("", "Fold and unfold", "Fold the space back to the plane and unfold it again", icon="play"),
    )
    keys = (
        Keys(frozenset(TURNS), "Arrow keys", "in Feature space, after a click: turn it"),
        Keys(
            frozenset(ZOOMS),
            "Page Up, Page Down, Home",
            "feature space: zoom in, zoom out, reset the view (or scroll the list)",
        ),
    )

    lift: str = choice(LIFTS[0], LIFTS, label="Lift", help="The three coordinates the inputs are given")
    sheet: bool = flag(True, label="Sheet", help="All inputs lifted, coloured by the score")
    plane: bool = flag(True, label="Plane", help="Boundary and margins, where they are planes here")
    features: bool = flag(False, label="List", help="The features of a finite map, with their weights wⱼ")
    order: str = choice(ORDERS[1], ORDERS, label="sorted", help="The order of the list")
    camera: Camera | None = None  # Where it is seen from; until it is turned, flat lifts from above.
    axes: tuple[int, ...] = ()  # Features of a finite map that were chosen as axes.
    unfolded: float = 1.0  # From 0, the plane of the inputs, to 1, the lift.
    folded: bool = False  # Whether it is folded, or on its way there.
    first: int = 0  # The row at which the list begins.

    # What is to be seen ---------------------------------------------------------------------------------
    def scene(self, frame: Frame, now: Now, memory: Memory) -> Scene:
        model = frame.model
        if self.features:
            return self._list(model, memory)
        last: Lifted | None = memory.recall("lifted")
        key = (model, self.lift, self.axes)
        try:
            lifted = memory.keep("lifted", key, lambda: Lifted.of(model, self.lift, self.axes, last))
        except BadInput as problem:
            return message(str(problem))
        flat = lifted.fit.lift.flat
        camera = self.camera or (ABOVE if flat else ASLANT)
        space = Space(lifted, self.sheet, self.plane, camera, self.unfolded)
        given = {"sheet": lifted.fit.sheet, "plane": lifted.fit.plane}
        offered = [lift.title for lift in lifts_of(model)]
        if frame.data.domain == "vectors":
            offered.append(FEATURES)
        return Scene(
            space,
            ("lift", *(name for name, drawn in given.items() if drawn is not None), "features"),
            self._remark(lifted),
            {"lift": (lifted.fit.lift.title, (*offered, COMPONENTS))},
        )

    def _remark(self, lifted: Lifted) -> Remark:
        """Return why it is another lift than was asked for, that the boundary is a plane, or how much of the
        variance is seen."""
        model, fit = lifted.model, lifted.fit
        if self.lift == FEATURES != fit.lift.title and model.problem.data.domain == "vectors":
            kernel = readable(model.problem.kernel)
            return Remark(
                "no features to draw",
                f"{kernel} has no features that could be drawn here: this is the lift “{fit.lift.title}”.",
            )
        if fit.plane is not None:
            what = "a line" if fit.lift.flat else "a plane"
            meaning = f"In these coordinates the score is b + w·u: its boundary is {what}."
            return Remark(f"boundary: {what}", meaning)
        if lifted.cloud is not None:
            share = float(lifted.cloud.pca.shares[:3].sum())
            meaning = "The part of the points' variance in feature space that is seen here."
            return Remark(f"{100 * share:.3g} % of the variance", meaning)
        return Remark()

    def _list(self, model: Model, memory: Memory) -> Scene:
        known = memory.keep("weights", model, lambda: FeatureWeights.of(model))
        if known is None:
            return Scene(Message(_why_no_list(model)), ("features",), menus=())
        listed = _feature_list(model, known, self.order, self.axes, self.first)
        return Scene(listed, ("features", "order"), menus=())

    # What the user does ---------------------------------------------------------------------------------
    def on_menu(self, entry: str, memory: Memory) -> Intent | None:
        folded = not self.folded
        return Several((Set("folded", folded), Glide("unfolded", 0.0 if folded else 1.0, SECONDS)))

    def on_turn(self, right: float, down: float, layout: Layout) -> Intent | None:
        return self._turned(-PER_PIXEL * right, PER_PIXEL * down, layout)

    def _turned(self, azimuth: float, elevation: float, layout: Layout) -> Intent | None:
        space = layout.get("space")
        return (
            Set("camera", space.node.camera.turned(azimuth, elevation))
            if isinstance(space, PlacedSpace)
            else None
        )

    def on_wheel(self, notches: float, layout: Layout) -> Intent | None:
        return self._zoomed(PER_NOTCH**notches, layout) or self._scrolled(
            -round(ROWS_PER_NOTCH * notches), layout
        )

    def _zoomed(self, factor: float, layout: Layout) -> Intent | None:
        space = layout.get("space")
        return Set("camera", space.node.camera.zoomed(factor)) if isinstance(space, PlacedSpace) else None

    def _scrolled(self, rows: int, layout: Layout) -> Intent | None:
        listed = layout.get("features")
        return Set("first", listed.scrolled(rows)) if isinstance(listed, PlacedBarList) else None

    def on_key(self, key: Qt.Key, shift: bool, now: Now, layout: Layout) -> Intent | None:
        listed = layout.get("features")
        if key == Qt.Key.Key_Home:
            return Set("camera", None) if listed is None else Set("first", 0)
        if isinstance(listed, PlacedBarList):
            page = {Qt.Key.Key_PageUp: -listed.page, Qt.Key.Key_PageDown: listed.page}
            return self._scrolled((SCROLLS | page).get(key, 0), layout)
        return self._turned(*TURNS[key], layout) if key in TURNS else self._zoomed(ZOOMS[key], layout)

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        if hit.part == "headings of features":
            return Set("order", ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)])
        if hit.part != "features":
            return super().on_click(hit, now)
        if now.document is None or now.document.data.domain != "vectors":
            return None
        j = int(hit.row)
        others = tuple(k for k in self.axes if k != j)
        axes = others if j in self.axes else (*others, j)[-3:]
        return Several((Set("lift", FEATURES), Set("axes", axes)))


# The list of features ---------------------------------------------------------------------------------------
def _why_no_list(model: Model) -> str:
    """Return why the features of a model are not listed."""
    kernel = readable(model.problem.kernel)
    if isinstance(model, MultiClassModel):
        return "Every pair of classes has weights of its own: choose two classes to see a list."
    if not model.algorithm.uses_kernel or model.beta is None or model.b is None:
        return f"{model.algorithm.title} is not a sum of features with weights."
    if model.problem.data.domain == "strings":
        return f"{kernel} has more features on these strings than can be listed."
    if model.problem.kernel.feature_map(1) is not None:
        return f"{kernel} has too many features of these inputs to be listed."
    return f"{kernel} has infinitely many features, so they cannot be listed."


def _feature_list(
    model: Model, known: FeatureWeights, order: str, axes: tuple[int, ...], first: int
) -> BarList:
    """Return the features φ_j with their weights w_j and, for a marked point, the terms w_j φ_j(x)."""
    data, q, w = model.problem.data, known.q, known.weights
    largest = float(np.abs(w).max(initial=0.0))
    rows = np.arange(q)
    if order == "by |w|":
        rows = np.argsort(-np.abs(w), kind="stable")
    elif order == "by name":
        rows = np.array(sorted(range(q), key=lambda j: known.names[j]))

    def bar(k: int) -> Bar:
        j = int(rows[k])
        name = shortened(known.names[j]) if data.domain == "strings" else known.names[j]
        ink = "positive" if w[j] >= 0 else "negative"
        text = shown(float(w[j]), 3, NOTHING * largest)
        return Bar(str(j), name, float(w[j]), text, ink, name_ink="highlight" if j in axes else "ink")

    def rest(first: int, count: int) -> Bar | None:
        below = q - first - count
        name = f"{first:,} above, {below:,} below" if first else f"{below:,} others"
        return Bar("", name, 0.0, "", "soft_ink", name_ink="soft_ink") if count < q else None

    def terms(point: int, shown_rows: Sequence[int]) -> tuple[str, list[str], str]:
        if point >= data.n:
            return "", [], ""
        every = known.terms(data.X[point])
        seen = every[rows[list(shown_rows)]]
        zero = NOTHING * float(np.abs(every).max(initial=0.0))
        texts = [shown(term, 3, zero) for term in seen.tolist()]
        return f"at {named(data, point)}", texts, shown(float(every.sum() - seen.sum()), 3)

    return BarList(
        part="features",
        count=q,
        bar=bar,
        largest=largest,
        rest=rest,
        first=first,
        head=_about(model, known),
        headings=("φⱼ", f"wⱼ, {order}"),
        point_column=terms,
    )


def _about(model: Model, known: FeatureWeights) -> str:
    """Return how many features there are, and what computes them."""
    kernel, q = readable(model.problem.kernel), known.q
    if model.problem.data.domain == "strings":
        return (
            f"s(x) = b + w·φ(x): {q:,} substrings of the support vectors have non-zero weight. "
            f"{kernel} computes their inner product without listing them."
        )
    if known.computed:
        return f"s(x) = b + w·φ(x) with q = {q:,} features, all of them computed."
    return (
        f"s(x) = b + w·φ(x) with q = {q:,} features, none of which is computed: "
        f"{kernel} computes their inner product directly."
    )


# The space --------------------------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False)
class Lifted:
    """A fit in three coordinates, with what its points look like."""

    model: Model
    fit: LiftedFit
    cloud: FeatureCloud | None
    classes: Indices
    rings: Rings
    box: Box  # Around what is lifted.
    flat_box: Box  # Around the inputs.

    @classmethod
    def of(cls, model: Model, wanted: str, axes: tuple[int, ...], last: Lifted | None) -> Lifted:
        """Lift a model as wanted, or as is possible; principal components are turned as they were last."""
        lift, cloud = lift_for(wanted, model, axes, None if last is None else last.cloud)
        fit = LiftedFit.of(lift, model, None if cloud is None else cloud.places)
        data = model.problem.data
        flat = fit.flat_points if fit.flat_sheet is None else fit.flat_sheet
        around = Box.around(fit.points, AIR, lift.same_unit), Box.around(flat, 0.0, True)
        return cls(model, fit, cloud, workspace_of(data).groups(data), rings_of(model), *around)


@dataclass(frozen=True, eq=False)
class Space(Node):
    """A lifted fit as a camera sees it, unfolded from the inputs by a share between 0 and 1."""

    lifted: Lifted
    sheet: bool
    plane: bool
    camera: Camera
    unfolded: float

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield PlacedSpace(self, rect, style)


class PlacedSpace(Placed):
    """A space in its rectangle."""

    def __init__(self, node: Space, rect: QRectF, style: Style) -> None:
        super().__init__("space", rect, style)
        self.node, self.lifted, self.fit = node, node.lifted, node.lifted.fit
        # Folded, the inputs are seen from above as on the canvas.
        self.camera = ABOVE.towards(node.camera, node.unfolded)
        self._reach = 1.0 + CUT * (1.0 - node.unfolded)

    def _between(self, lifted: Array, flat: Array) -> Array:
        """Return places on the way from the flat ones to the lifted ones, in the box."""
        start = self.lifted.flat_box(flat)
        start[..., 2] = FLOOR
        return (1.0 - self.node.unfolded) * start + self.node.unfolded * self.lifted.box(lifted)

    def _on_paper(self, places: Array) -> Array:
        return self.camera.project(places, self.rect)[0]

    @cached_property
    def _points(self) -> tuple[Array, Indices]:
        """Where the points are on paper, and which are drawn, the farthest first."""
        places = self._between(self.fit.points, self.fit.flat_points)
        xy, near = self.camera.project(places, self.rect)
        drawn = thinned(xy, 1 + self.lifted.classes % 15)
        return xy, drawn[np.argsort(near[drawn], kind="stable")]

    def places(self, part: str) -> Array:
        return self._points[0]

    def hit(self, at: QPointF) -> Hit | None:
        xy, drawn = self._points
        points = nearest_mark(xy, drawn, at)
        return Hit(self.part, points) if points else None

    def draw_data(self, painter: QPainter, stamps: Stamps | None) -> None:
        painter.save()
        if self.camera.zoom > 1.0:  # otherwise all of it fits
            edge = Node.padding * self.style.text
            painter.setClipRect(self.rect.adjusted(-edge, -edge, edge, edge))
        self._draw_axes(painter)
        self._draw_patches(painter, stamps is not None)
        self._draw_lines(painter)
        self._draw_points(painter, stamps)
        if self.node.unfolded >= LABELS_FROM:
            self._draw_names(painter)
        painter.restore()

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        data, style, (xy, _) = self.lifted.model.problem.data, self.style, self._points
        for i in marks.among(data.n):
            encircle(painter, style, xy[i], i == marks.hovered)
            if i == marks.hovered:
                at = QPointF(*(xy[i] + (style.ring_radius(0.9), -style.ring_radius(0.6))).tolist())
                colour = style.theme.highlight
                draw_text(painter, style, at, named(data, i), colour=colour, bold=True, halo=True)

    @cached_property
    def _axes(self) -> list[Array]:
        """The two ends on paper, (2, 2), of the edge of the box along which each axis is drawn: one at its
        rim, where neither the line nor the name at its end is hidden by the sheet."""
        hull, found = self._on_paper(np.concatenate([CORNERS, CEILING])), []
        for edges in EDGES[: 2 if self.fit.lift.flat else 3]:
            ends = hull[np.array(edges)]
            away = np.hypot(*(ends.mean(axis=1) - hull.mean(axis=0)).T)
            away[0] *= AT_FIRST
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
            colour, at = self.style.theme.soft_ink, QPointF(x, y + 0.36 * size)
            draw_text(painter, self.style, at, name, colour=colour, anchor="centre", halo=True)

    @property
    def _has_margins(self) -> bool:
        """Whether s = ±1 means anything."""
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

    def _draw_line(self, painter: QPainter, places: Array, stroke: Any) -> None:
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


# Films ------------------------------------------------------------------------------------------------------
def unfolding(view: FeatureSpaceView, frame: Frame | None, count: int) -> list[Scene]:
    """Return scenes of a fit on its way from the plane to feature space, as it is turned now, and back.

    BadInput where there is nothing to see."""
    if frame is None:
        raise BadInput(NOT_YET)
    memory, shown_space = Memory(), view.replace(features=False)
    shares = np.sin(np.linspace(0.0, np.pi, count)) ** 2
    whole = [1.0 if share > 1.0 - 1e-9 else float(share) for share in shares]
    scenes = [shown_space.replace(unfolded=share).scene(frame, Now(), memory) for share in whole]
    if scenes[0].reason:
        raise BadInput(scenes[0].reason)
    return scenes
