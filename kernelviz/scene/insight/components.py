"""Kernel PCA: the points along two directions of feature space, what each direction explains, and one of
them as a function of the input.

The directions are those in which the centred points spread most. They are turned as they were in the last
scene, so that the map does not flip while a parameter moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from kernelviz.engine.analysis.kernel_pca import MOST_SPANNING, FeatureCloud
from kernelviz.engine.core.errors import BadInput
from kernelviz.engine.core.params import choice
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, SteadyRange, ink
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.text import draw_text
from kernelviz.scene.landscape import landscape, points_of
from kernelviz.scene.layers import NEUTRAL
from kernelviz.scene.nodes import Column, Either, Hit, Marks, Node, Placed, Row, Size
from kernelviz.scene.plots import Plot
from kernelviz.scene.view import Intent, Now, Scene, Set, View, ViewMemory, message
from kernelviz.scene.wording import Remark, named

COMPONENTS_SHOWN = 9  # Components to choose from.


def _component(default: int, label: str, help: str) -> Any:
    """Return the declaration of one of the two components, which are counted from 1."""
    return choice(
        str(default),
        tuple(str(k + 1) for k in range(COMPONENTS_SHOWN)),
        label=label,
        help=f"The component {help}",
    )


@dataclass(frozen=True)
class ComponentsView(View):
    """The map of two components; below it the share of each, next to it the first as contours or as a
    curve. A click on a bar puts its component on the horizontal axis."""

    name = "components"
    title = "Kernel PCA"
    family = "Geometry"
    summary_line = "The points along the directions of feature space in which they spread most."
    number = 10
    in_background = True

    across: str = _component(
        1, "Across", "Component on the horizontal axis, also drawn as a function; clicking its bar selects it"
    )
    up: str = _component(2, "up", "upwards")

    def scene(self, frame: Frame, now: Now, memory: ViewMemory) -> Scene:
        """Return map, function and shares. The components keep the signs they had in the last scene."""
        try:
            cloud = FeatureCloud.of(frame.model.problem, COMPONENTS_SHOWN, memory.recall("cloud"))
        except BadInput as problem:
            return message(str(problem))
        memory.note("cloud", cloud)
        if not cloud.pca.components:
            return message("All points coincide in feature space, so there are no components.")
        across, up = int(self.across) - 1, int(self.up) - 1
        function = _function(frame, cloud, across, memory)
        shares = Shares(shares=tuple(cloud.pca.shares.tolist()), full=frozenset({across, up}))
        root = _arranged(_map(frame, cloud, across, up, memory), function, shares)
        share = sum(float(cloud.pca.shares[k]) for k in {across, up} if k < cloud.pca.components)
        words, n = f"{100 * share:.3g} %", cloud.problem.n
        if n > MOST_SPANNING:
            words = f"{words}; spanned by {MOST_SPANNING} of {n} points"
        about = (
            "Kernel PCA centres the points in feature space and finds the directions in which they spread "
            "most. Each is a function of the input; its share is that of the whole variance, and the two "
            "axes together show this much of it."
        )
        return Scene(root, remark=Remark(words, about))

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        return Set("across", hit.row) if hit.part == "shares" else super().on_click(hit, now)


def _map(frame: Frame, cloud: FeatureCloud, across: int, up: int, memory: ViewMemory) -> Plot:
    """Return the points along two components."""
    data = frame.data

    any_length = SteadyRange.of_any_size(both_sides=True)

    def axis(k: int, way: str) -> Axis:
        label = f"component {k + 1}" + ("" if k < len(cloud.pca.shares) else " (none)")
        return memory.axis(f"component {k} {way}", any_length, cloud.places[:, k], label)

    x, y = cloud.places[:, across], cloud.places[:, up]
    points = points_of(data, x, y, crowd=data.n, label=lambda i: named(data, i))
    return Plot(part="map", x=axis(across, "across"), y=axis(up, "up"), layers=(points,))


def _function(frame: Frame, cloud: FeatureCloud, k: int, memory: ViewMemory) -> Node | None:
    """Return a component as a function of the input; None where it is none, or cannot be drawn."""
    if k >= cloud.pca.components:
        return None
    model, title = cloud.component(k, frame.model.algorithm), f"component {k + 1} as a function of x"
    return landscape(
        model,
        frame.data,
        title,
        memory,
        values=cloud.places[:, k],
        part="function",
        key=(cloud, k),
        found=True,
        inks=NEUTRAL,
    )


def _arranged(points: Node, function: Node | None, shares: Node) -> Node:
    """Arrange all parts next to or above each other, whichever fits."""
    upper = points
    # Height, in lines of type, from which there are bars, and width from which map and function stand
    # abreast.
    room_for_bars, room_beside = 15, 26
    if function is not None:
        both = ((points, None), (function, None))
        upper = Either(lambda w, h: w > max(h, room_beside), Row(both, gap=1.0), Column(both, gap=0.5))
    # Height of the bars with their numbers: at least this number of lines, else a share of the whole.
    bars, bars_share = 4.4, 0.16
    enough = bars / bars_share
    with_bars = Either(
        lambda width, height: height > enough,
        Column(((upper, None), (shares, Size(share=bars_share)))),
        Column(((upper, None), (shares, Size(lines=bars)))),
    )
    return Either(lambda width, height: height > room_for_bars, with_bars, upper)


# The shares of the variance ---------------------------------------------------------------------------------
@dataclass(frozen=True, eq=False, kw_only=True)
class Shares(Node):
    """A bar for the share of each component, those of the two axes in full colour."""

    shares: tuple[float, ...]
    full: frozenset[int]

    def leaves(self, rect: QRectF, style: Style) -> Iterator[Placed]:
        yield _PlacedShares(self, rect, style)


class _PlacedShares(Placed):
    """The bars in their rectangle; the row of a hit is the number of the component, from 1."""

    def __init__(self, node: Shares, rect: QRectF, style: Style) -> None:
        super().__init__("shares", rect, style)
        self.node, self.ground = node, node.value
        self.wide = rect.width() / COMPONENTS_SHOWN

    def _bar(self, k: int) -> QRectF:
        """Return the place of a bar, between the number of its component and its share."""
        text, shares = self.style.text, self.node.shares
        high = max(0.5, (self.rect.height() - 2.6 * text) * shares[k] / max(*shares, 1e-12))
        left = self.rect.left() + (k + 0.18) * self.wide
        return QRectF(left, self.rect.bottom() - 1.3 * text - high, 0.64 * self.wide, high)

    def draw_ground(self, painter: QPainter) -> None:
        style, text, soft = self.style, self.style.text, self.style.theme.soft_ink
        for k, share in enumerate(self.node.shares):
            bar, role = self._bar(k), NEUTRAL[0] if k in self.node.full else f"faded {NEUTRAL[0]}"
            painter.fillRect(bar, QColor(ink(style.theme, role)))
            below = QPointF(bar.center().x(), self.rect.bottom() - 0.2 * text)
            draw_text(painter, style, below, str(k + 1), colour=soft, anchor="centre")
            words = f"{100 * share:.1f} %" if share < 0.01 else f"{100 * share:.0f} %"
            above, size = QPointF(bar.center().x(), bar.top() - 0.3 * text), min(text, self.wide / 3.2)
            draw_text(painter, style, above, words, points=size, colour=soft, anchor="centre")

    def draw_marks(self, painter: QPainter, marks: Marks) -> None:
        """Frame the bar that is pointed at: a click chooses it."""
        if marks.pointed.part == self.part:
            painter.setPen(pen(self.style.theme.ink, 1.2 * self.style.strokes))
            painter.drawRect(self._bar(int(marks.pointed.row) - 1))

    def hit(self, at: QPointF) -> Hit | None:
        k = int((at.x() - self.rect.left()) / self.wide)
        if not self.rect.contains(at) or k >= len(self.node.shares):
            return None
        tip = f"component {k + 1}: {100 * self.node.shares[k]:.3g} % of the variance"
        return Hit(self.part, row=str(k + 1), tip=tip)
