"""Lines drawn at random from all that separate the classes, and the small share of them with a large margin.

Lines are drawn by the measure that shifts and turns of the plane leave alone. For it the share of lines
that have a margin is known exactly, and is drawn next to that of the lines drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QPainter

from kernelviz.engine.analysis.straight_lines import SeparatingLines, separating_lines
from kernelviz.engine.core.params import integer, real
from kernelviz.runtime.messages import Frame
from kernelviz.scene.axes import Axis, Curve, ink
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import pen
from kernelviz.scene.landscape import clipped_points, steady_extent
from kernelviz.scene.layers import Coordinates, Layer
from kernelviz.scene.nodes import Hit, WithSquare
from kernelviz.scene.plot_layers import Lines, Upright
from kernelviz.scene.plots import Field, Plot
from kernelviz.scene.view import DocumentView, Intent, Now, Scene, Set, ViewMemory, message
from kernelviz.scene.wording import Remark, shown

COUNT = 300  # Lines that are drawn.
LEFT = Curve("lines left", "highlight", 1.8)
NONE = (
    "No line separates these classes, or there are not two classes of points in the plane. "
    "Try gaussians(distance=5) or barely_separable."
)


@dataclass(frozen=True)
class SeparatorsView(DocumentView):
    """The lines in the plane, coloured by their margin, and the share that is left as the required margin
    grows; a click or a drag in the curve requires another margin."""

    name = "separators"
    title = "Separating lines"
    family = "Generalise"
    summary_line = "Lines drawn at random from those that separate the classes, by their margin."
    domains = ("vectors",)
    number = 40
    pictured = ("gaussians(n=30, distance=3)", "linear ; soft-margin-svm(C=100)")
    instant = frozenset({"asked"})
    undoable = True

    asked: float = real(
        0.0,
        low=0.0,
        high=1.0,
        label="Margin/largest",
        help="Smallest margin required, as a share of the largest",
    )
    seed: int = integer(0, low=0, high=2**31 - 1, soft=(0, 20), label="Seed", help="Draw other lines")

    def scene(self, frame: Frame | None, now: Now, memory: ViewMemory) -> Scene:
        """Return the lines in the plane and the curve of those left; they are drawn again only for other
        points or another seed."""
        shown_data = now.document if frame is None else frame
        assert shown_data is not None
        data = shown_data.data
        lines = memory.keep("lines", (data, self.seed), lambda: separating_lines(data, COUNT, self.seed))
        if lines is None:
            return message(NONE, ())
        margin = self.asked * lines.widest
        left = int(np.count_nonzero(lines.margins >= margin))
        words = f"margin ≥ {shown(margin, 3)}: {left} of {COUNT} lines"
        plane = Field(
            part="plane",
            view=steady_extent(data, memory),
            ground=(RandomLines(part="lines", lines=lines, margin=margin),),
            layers=(clipped_points(data),),
            title=words if now.on_paper else "",  # on screen it is among the switches
        )
        capacity = (
            "Few of the lines that separate the classes have a large margin: a classifier that must have one "
            "has less to choose from, so that it adapts less to chance."
        )
        wide = 1.5  # Of a place, in units of its height, for the curve next to the lines.
        return Scene(WithSquare(plane, _curve(lines, margin), wide), remark=Remark(words, capacity))

    def on_click(self, hit: Hit, now: Now) -> Intent | None:
        if hit.part != "left" or hit.at is None:
            return super().on_click(hit, now)
        return Set("asked", float(np.clip(hit.at[0], 0.0, 1.0)))

    def on_drag(self, hit: Hit, now: Now) -> Intent | None:
        return self.on_click(hit, now) if hit.part == "left" else None


def _curve(lines: SeparatingLines, margin: float) -> Plot:
    """Return the share of lines left, over the required margin: among those drawn, and exactly among all."""
    asked = np.linspace(0.0, 1.0, 101)
    drawn = np.array([(lines.margins >= share * lines.widest).mean() for share in asked])
    exact = np.array([lines.share_left(share * lines.widest) for share in asked])
    left = f"{100 * float((lines.margins >= margin).mean()):.3g} %"
    of_all = f"{100 * lines.share_left(margin):.3g} %"
    exact_curve = Curve("of all lines", "soft_ink", 1.4, (4.0, 3.0))
    return Plot(
        part="left",
        x=Axis(0.0, 1.0, "margin required / largest"),
        y=Axis(0.0, 1.0, "lines left"),
        layers=(
            Lines(part="drawn", x=asked, y=drawn, curve=LEFT, number=left),
            Lines(part="exact", x=asked, y=exact, curve=exact_curve, number=of_all),
            Upright(part="asked", x=margin / lines.widest, width=1.1),
        ),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class RandomLines(Layer):
    """The lines, the stronger in colour the larger their margin; those with too small a margin are faint."""

    lines: SeparatingLines
    margin: float

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        found, style = self.lines, axes.style
        corners = np.array([axes.value_at(at) for at in (axes.inner.topLeft(), axes.inner.bottomRight())])
        centre, reach = corners.mean(axis=0), float(np.hypot(*np.ptp(corners, axis=0)))
        feet = centre - (found.normals @ centre - found.offsets)[:, None] * found.normals
        along = reach * np.column_stack([-found.normals[:, 1], found.normals[:, 0]])
        shades = 8  # Colours between the smallest and the largest margin.
        shade = np.minimum(shades - 1, (shades * found.margins / found.widest).astype(int))
        painter.setClipRect(axes.inner)
        for k in range(shades):
            colour = blend(style.theme.soft_ink, ink(style.theme, "highlight"), (k + 0.5) / shades)
            for kept, alpha in ((False, 0.06), (True, 0.7)):
                which = (shade == k) & ((found.margins >= self.margin) == kept)
                painter.setPen(pen(colour, 0.8 * style.strokes, alpha=alpha))
                painter.drawLines(axes.segments(feet[which] - along[which], feet[which] + along[which]))
