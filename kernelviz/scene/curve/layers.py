"""The layers of the curve: polylines with their pens and names, discs for weights, and the band around the
curve.

Each draws itself in points, on screen and on paper alike. `PENS` says how every line is drawn, and
`LAYER_NAMES` what the legend calls it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kernelviz.engine.core.arrays import Array
from kernelviz.engine.fits.parsing import Fit
from kernelviz.scene.figure.colours import blend
from kernelviz.scene.figure.legend import Entry, Ink, stroke, swatch
from kernelviz.scene.figure.stamps import Stamps
from kernelviz.scene.figure.strokes import line_pen, pen, polygon, tinted
from kernelviz.scene.figure.style import Style
from kernelviz.scene.figure.transform import POINTS_PER_PIXEL
from kernelviz.scene.layers import Coordinates, Layer, Polylines
from kernelviz.scene.wording import fit_names
from kernelviz.session.state import LETTERS

# How lines are drawn.
PENS: Mapping[str, Ink] = {
    "curve": lambda style: line_pen(style, "curve", style.theme.positive, style.boundary_width),
    "bumps": lambda style: pen(blend(style.theme.paper, style.theme.level, 0.5), _hairline(style)),
    "bump": lambda style: pen(style.theme.highlight, 1.6 * style.strokes),
    "residuals": lambda style: line_pen(
        style, "residuals", style.theme.misclassified, 0.9 * style.strokes, alpha=0.85
    ),
    "truth": lambda style: line_pen(
        style, "truth", style.theme.soft_ink, 1.4 * style.strokes, style.dash(6.0, 3.0)
    ),
    "raised": lambda style: pen(style.theme.highlight, 1.4 * style.strokes, dash=style.dash(3.0, 2.0)),
    "draws": lambda style: line_pen(
        style, "draws", blend(style.theme.paper, style.theme.positive, 0.6), 1.2 * style.strokes
    ),
    "prior": lambda style: pen(blend(style.theme.paper, style.theme.negative, 0.6), 1.2 * style.strokes),
    "edge": lambda style: pen(blend(style.theme.paper, style.theme.positive, 0.6), _hairline(style)),
}
# Their names in the legend.
LAYER_NAMES = {
    "curve": "s(x)",
    "truth": "true function",
    "residuals": "residual",
    "bumps": "βᵢ K(xᵢ, x)",
    "raised": "s(x) + orthogonal bump",
    "draws": "posterior sample",
    "prior": "prior sample",
}
FITS = (1, 0, 2, 3)  # Colours of several fits among those of classes: blue, which a single curve has, first.


def _hairline(style: Style) -> float:
    """Return at most a pixel of the screen: lines that thin and opaque are drawn ten times faster."""
    return min(0.8 * style.strokes, 0.98 * POINTS_PER_PIXEL)


def term_ink(k: int) -> Ink:
    """Return the pen of the k-th summand, which differs from the others in colour and dashes."""

    dashes = ((5.0, 2.5), (1.5, 2.0), (7.0, 2.0, 1.5, 2.0))

    def ink(style: Style) -> QPen:
        colours = (*style.theme.classes[2:], *style.theme.classes[:1])
        dash = style.dash(*dashes[k % len(dashes)])
        return pen(colours[k % len(colours)], 1.3 * style.strokes, dash=dash)

    return ink


def fit_ink(k: int) -> Ink:
    """Return the pen of the k-th of several curves."""

    def ink(style: Style) -> QPen:
        return pen(style.theme.classes[FITS[k % len(FITS)]], style.boundary_width)

    return ink


def _tint(style: Style) -> str:
    """Return the opaque colour of the band: there is only paper below it."""
    tint = 0.16  # How much of the curve's colour the band has.
    return blend(style.theme.paper, style.theme.positive, tint)


@dataclass(frozen=True, eq=False)
class WeightLayer(Layer):
    """A disc at each point whose area is the weight of its target in s(x), in one colour above 0 and in the
    other below."""

    points: Array
    weights: Array

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        theme, largest = axes.style.theme, float(np.abs(self.weights).max(initial=0.0)) or 1.0
        largest_weight = 1.6  # Radius of the disc of the largest weight, in units of the type size.
        radii = largest_weight * axes.style.text * np.sqrt(np.abs(self.weights) / largest)
        painter.setPen(Qt.PenStyle.NoPen)
        for at, weight, radius in zip(axes(self.points).tolist(), self.weights, radii, strict=True):
            painter.setBrush(tinted(theme.positive if weight > 0 else theme.negative, 0.45))
            painter.drawEllipse(QPointF(*at), radius, radius)


@dataclass(frozen=True, eq=False)
class BandLayer(Layer):
    """The band around the curve: a tinted area with fine edges."""

    name: str
    outline: Array
    edges: Sequence[Array]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return (Entry(self.name, swatch(_tint, edge=PENS["edge"])),)

    def draw(self, axes: Coordinates, painter: QPainter, stamps: Stamps | None) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(_tint(axes.style)))
        painter.drawPolygon(polygon(axes(self.outline)))
        Polylines([(self.edges, PENS["edge"])], joined=True).draw(axes, painter, stamps)


def fit_entries(
    fits: Sequence[Fit], below: int | None = None, without: Set[int] = frozenset()
) -> list[Entry]:
    """Return the legend of several curves, with the letters of their fits. They are drawn in the order of the
    fits, `below` before all; those in `without` have none. Equal fits have one curve to be seen: they share
    an entry, which has the colour of the last."""
    names, alike = fit_names(fits), dict[Fit, list[int]]()
    for k in sorted(range(len(fits)), key=lambda k: (k != below, k)):
        alike.setdefault(fits[k], []).append(k)
    for same in alike.values():
        letters = ", ".join(LETTERS[k] for k in sorted(same))
        names[same[-1]] = f"{letters}: {names[same[-1]]}"
    shown = [same[-1] for same in sorted(alike.values(), key=min) if same[-1] not in without]
    return [Entry(names[k], stroke(fit_ink(k)), kind=f"fit {LETTERS[k]}") for k in shown]
